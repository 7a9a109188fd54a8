"""CoBA for style (section 4.5): rearrange what two texts of one content say, and keep each style.

No label is flipped and no word is spurious. Triples that carry the style keep their places; the
others are shuffled, and both texts are written again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, create_model

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.coba.attempts import build_request
from augkit.augmenters.coba.categorise import Category
from augkit.augmenters.coba.config import CobaStyleConfig, FormSettings
from augkit.augmenters.coba.gender import swap_triples
from augkit.augmenters.coba.job import Job, Targets
from augkit.augmenters.coba.paper_steps import (
    TriplePlan,
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
from augkit.augmenters.coba.verify import FORM_CHECKS, checked, whole_row
from augkit.augmenters.fields import not_a_pair
from augkit.augmenters.llm_requests import SamplingParams, required_llm, unusable_answer
from augkit.core.model_types import Reply, Request
from augkit.core.types import Draft, Example, Rejection
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

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """One draft per copy of every example that has two texts."""
        llm, config = required_llm(self), self.config
        pairs = [parent for parent in batch if len(parent.fields) == 2]
        yield from (Rejection(p, "not a pair of texts") for p in batch if len(p.fields) != 2)
        decomposed = decompose_by_llm(llm, pairs, config) if pairs else []
        yield from (row for row in decomposed if isinstance(row, Rejection))
        plans: list[TriplePlan] = []
        for row in self.categorise([row for row in decomposed if isinstance(row, Job)]):
            if isinstance(row, Rejection):
                yield row
                continue
            for job in Targets(choice="own").jobs(row, config.copies, self.random):
                order = shuffle_triples(job, {}, config)
                if config.gender == "triples":
                    order = swap_triples(order, self.parser)
                plans.append(TriplePlan(job, {}, order, job.cost))
        requests = [restyle_request(plan, config) for plan in plans]
        written = reconstruct_by_llm(llm, plans, requests)
        form = FormSettings.of(config)
        if form.gender == "triples":
            form = replace(form, gender="swapped")
        for plan, draft in zip(plans, written, strict=True):
            outcome = draft
            if isinstance(draft, Draft):
                new_row = whole_row(draft, plan.job, form, self.parser)
                outcome = checked(*new_row, FORM_CHECKS)
            yield replace(outcome, copy=plan.job.number)

    def categorise(self, rows: Sequence[Job]) -> list[Job | Rejection]:
        """Step 3, categorise: a model names the triples that carry a style; the rest is normal."""
        requests = [style_request(row.triples, self.config) for row in rows]
        replies = required_llm(self).generate(requests) if requests else []
        return [read_style(row, reply) for row, reply in zip(rows, replies, strict=True)]


def style_request(triples: Sequence[Triple], params: SamplingParams) -> Request:
    """Ask which triples carry the style of their text."""
    ids = tuple(triple.id for triple in triples)
    fields: dict[str, Any] = {"ids": (list[Literal[ids]], ...)}  # type: ignore[valid-type] # numbers
    answer: type[BaseModel] = create_model("StyleTriples", **fields)
    return build_request("coba/style", answer, params, triples=[triple_record(t) for t in triples])


def restyle_request(plan: TriplePlan, params: SamplingParams) -> Request:
    """Ask for the texts of a variant, from its triples and in the style of the old texts."""
    parts = [
        {
            "key": part_key(number),
            "name": field,
            "old text": plan.job.parent.fields[field],
            "triples": ordered_triples(plan, field),
        }
        for number, field in enumerate(written_parts(plan), 1)
    ]
    answer = parts_answer(len(parts))
    return build_request("coba/restyle", answer, params, plan.job.rng, parts=parts)


def read_style(row: Job, reply: Reply) -> Job | Rejection:
    """The categories by the ids of an answer; a repeated id is rejected."""
    cost = row.cost + reply.cost
    if reply.fault or reply.answer is None:
        return replace(unusable_answer(row.parent, "style", reply), cost=cost)
    answered = list(getattr(reply.answer, "ids", ()))
    ids = [triple.id for triple in row.triples]
    if len(set(answered)) < len(answered) or not set(answered) <= set(ids):
        return wrong_ids(row.parent, "style", answered, ids, cost)
    categories: dict[int, Category] = {n: "principal" if n in answered else "normal" for n in ids}
    return replace(row, categories=categories, cost=cost)
