"""Step 6, reconstruct: the text of a variant, from source spans, triples or a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import lru_cache
from typing import Any, Protocol

from pydantic import BaseModel, create_model

from augkit.augmenters.coba.requests import build_request, elements_record, unusable_answer
from augkit.augmenters.coba.shuffle import TriplePlan
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.augmenters.llm_requests import SamplingParams
from augkit.core.edits import apply
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import FREE, Cost, Edit, Example, Rejection


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The fields of a variant; ``edits`` is None where the difference is still to be computed."""

    fields: Mapping[str, str] = dataclass_field(hash=False)
    edits: tuple[Edit, ...] | None = None
    cost: Cost = FREE


class Reconstructor(Protocol):
    """Triples in their order → text."""

    def reconstruct(self, plans: Sequence[TriplePlan]) -> list[Rebuilt | Rejection]:
        """The fields of each variant."""
        ...


@dataclass(frozen=True)
class SpanReconstructor:
    """The source text with its edits: what was not touched stays letter for letter."""

    def reconstruct(self, plans: Sequence[TriplePlan]) -> list[Rebuilt | Rejection]:
        """The fields of each variant."""
        found: list[Rebuilt | Rejection] = []
        for plan in plans:
            edits = (*(plan.edited.edits or ()), *plan.moved)
            found.append(Rebuilt(apply(plan.job.parent.fields, edits), edits))
        return found


@dataclass(frozen=True)
class TripleReconstructor:
    """A short sentence for every triple, in their order."""

    def reconstruct(self, plans: Sequence[TriplePlan]) -> list[Rebuilt | Rejection]:
        """The fields of each variant."""
        return [Rebuilt(_triple_sentences(plan)) for plan in plans]


def _triple_sentences(plan: TriplePlan) -> dict[str, str]:
    fields: dict[str, list[str]] = {field: [] for field in plan.job.parent.fields}
    for triple in plan.order:
        sentence = " ".join(element.text for element in triple.elements if element.text)
        fields[triple.field].append(f"{sentence[:1].upper()}{sentence[1:]}.")
    return {field: " ".join(sentences) for field, sentences in fields.items()}


@dataclass(frozen=True)
class LLMReconstructor:
    """A language model writes the fields whose triples changed; the others stay as they are.

    With ``all_fields`` it writes every field that has triples.
    """

    llm: LLM
    params: SamplingParams
    all_fields: bool = False

    def reconstruct(self, plans: Sequence[TriplePlan]) -> list[Rebuilt | Rejection]:
        """The fields of each variant."""
        parts = [self._parts(plan) for plan in plans]
        requests = [
            reconstruct_request(plan, names, self.params)
            for plan, names in zip(plans, parts, strict=True)
        ]
        return [
            read_parts(plan.job.parent, names, reply)
            for plan, names, reply in zip(plans, parts, self.llm.generate(requests), strict=True)
        ]

    def _parts(self, plan: TriplePlan) -> list[str]:
        if not self.all_fields:
            return changed_fields(plan)
        present = {triple.field for triple in plan.job.triples}
        return [field for field in plan.job.parent.fields if field in present]


def changed_fields(plan: TriplePlan) -> list[str]:
    """The fields whose triples were changed, moved or deleted."""
    return [
        field
        for field in plan.job.parent.fields
        if [elements_record(t) for t in plan.order if t.field == field]
        != [elements_record(t) for t in plan.job.triples if t.field == field]
    ]


def reconstruct_request(plan: TriplePlan, parts: Sequence[str], params: SamplingParams) -> Request:
    """Ask for these fields of a variant, written from its triples."""
    listed = [
        {
            "key": _key(number),
            "name": field,
            "old text": plan.job.parent.fields[field],
            "triples": [elements_record(triple) for triple in plan.order if triple.field == field],
        }
        for number, field in enumerate(parts, 1)
    ]
    answer, keep = _parts_answer(len(listed)), sorted(plan.job.words.spurious)
    return build_request("coba/reconstruct", answer, params, plan.job.rng, parts=listed, keep=keep)


def read_parts(parent: Example, parts: Sequence[str], reply: Reply) -> Rebuilt | Rejection:
    """The fields of the variant."""
    if reply.fault or reply.answer is None:
        return unusable_answer(parent, "reconstruct", reply)
    texts = {
        field: with_final_mark(parent.fields[field], str(getattr(reply.answer, _key(number), "")))
        for number, field in enumerate(parts, 1)
    }
    if not parts or not all(texts.values()):
        return Rejection(parent, "empty variant", "reconstruct: a part is empty", cost=reply.cost)
    return Rebuilt({**parent.fields, **texts}, None, reply.cost)


def _key(number: int) -> str:
    return f"part_{number}"


@lru_cache(maxsize=256)  # creating a model takes longer than the rest of a request
def _parts_answer(parts: int) -> type[BaseModel]:
    fields: dict[str, Any] = {_key(number): (str, ...) for number in range(1, parts + 1)}
    return create_model("Parts", **fields)
