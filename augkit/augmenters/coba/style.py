"""CoBA for style (section 4.5): rearrange what two texts of one content say, and keep each style.

No label is flipped and no word is spurious. Triples that carry the style keep their places; the
others are shuffled, and both texts are written again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, create_model

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.coba.attempts import asking, build_request
from augkit.augmenters.coba.categorise import Category
from augkit.augmenters.coba.config import CobaStyleConfig, FormSettings
from augkit.augmenters.coba.gender import swap_triples
from augkit.augmenters.coba.job import Job, Targets, at_work
from augkit.augmenters.coba.paper_steps import (
    decompose_by_llm,
    ordered_triples,
    part_key,
    parts_answer,
    reconstruct_by_llm,
    shuffle_triples,
    triple_record,
    written_parts,
    wrong_ids,
)
from augkit.augmenters.coba.verify import FORM_CHECKS, of_variant, with_row
from augkit.augmenters.fields import not_a_pair
from augkit.augmenters.llm_requests import SamplingParams
from augkit.augmenters.loop import Ask, blank_variant, each
from augkit.core.model_types import Request
from augkit.core.protocols import Check
from augkit.core.types import Example, Variant
from augkit.english.decompose import Triple


class CobaStyle(Augmenter[CobaStyleConfig]):
    """Mix the content of two paraphrases, but keep the style of each.

    Jin et al. (2025), section 4.5: no label is flipped and no word is spurious. Triples that carry
    the style keep their places; the others are shuffled, and both texts are written again.
    """

    name = "coba-style"
    Config = CobaStyleConfig
    traits = Traits(writing="edit")
    needs = frozenset({"llm"})

    def data_fault(self, fields: Sequence[str], labels: Sequence[str]) -> str:
        """Where rows are no pairs."""
        del labels
        return not_a_pair(self.name, fields)

    @property
    def checks(self) -> Sequence[Check[Variant]]:
        """The form of the new texts."""
        return tuple(map(of_variant, FORM_CHECKS))

    def propose(self, batch: Sequence[Example]) -> list[Variant]:
        """Write a variant for each copy of every example that has two texts."""
        config = self.config
        rows = each(map(blank_variant, batch), pairs_alone)
        rows = decompose_by_llm(self._asking("decompose"), rows, config)
        rows = self._asking("style")(rows, self.style_request, read_style)
        blanks: list[Variant] = []
        for row in rows:
            blanks += Targets(choice="own").blanks(row, config.copies, self.random)
        shuffled = each(blanks, self.shuffle)
        written = reconstruct_by_llm(self._asking("reconstruct"), shuffled, self.restyle_request)
        form = FormSettings.of(config)
        if form.gender == "triples":
            form = replace(form, gender="swapped")
        return each(written, lambda variant: with_row(variant, form, self.parser))

    def _asking(self, step: str) -> Ask:
        return asking(self.ask.llm, step)

    def style_request(self, row: Variant) -> Request:
        """Step 3, categorise: ask which triples carry the style of their text."""
        return style_request(row.work.triples, self.config)

    def shuffle(self, variant: Variant) -> Variant:
        """Step 5, shuffle, and swap genders where the settings say so."""
        order = shuffle_triples(variant.work, {}, self.config)
        if self.config.gender == "triples":
            order = swap_triples(order, self.parser)
        return at_work(variant, order=order)

    def restyle_request(self, variant: Variant) -> Request:
        """Ask for the texts of a variant."""
        return restyle_request(variant.work, self.config)


def pairs_alone(row: Variant) -> Variant:
    """The row, refused where it is no pair of texts."""
    return row if len(row.fields) == 2 else row.refuse("not a pair of texts")


def style_request(triples: Sequence[Triple], params: SamplingParams) -> Request:
    """Ask which triples carry the style of their text."""
    ids = tuple(triple.id for triple in triples)
    fields: dict[str, Any] = {"ids": (list[Literal[ids]], ...)}  # type: ignore[valid-type] # numbers
    answer: type[BaseModel] = create_model("StyleTriples", **fields)
    return build_request("coba/style", answer, params, triples=[triple_record(t) for t in triples])


def restyle_request(job: Job, params: SamplingParams) -> Request:
    """Ask for the texts of a variant, from its triples and in the style of the old texts."""
    parts = [
        {
            "key": part_key(number),
            "name": field,
            "old text": job.parent.fields[field],
            "triples": ordered_triples(job, field),
        }
        for number, field in enumerate(written_parts(job), 1)
    ]
    answer = parts_answer(len(parts))
    return build_request("coba/restyle", answer, params, job.rng, parts=parts)


def read_style(row: Variant, answer: Any) -> Variant:
    """The categories by the ids of an answer; a repeated id is refused."""
    ids = [triple.id for triple in row.work.triples]
    if len(set(answer.ids)) < len(answer.ids) or not set(answer.ids) <= set(ids):
        return wrong_ids(row, "style", answer.ids, ids)
    categories: dict[int, Category] = {
        id_: "principal" if id_ in answer.ids else "normal" for id_ in ids
    }
    return at_work(row, categories=categories)
