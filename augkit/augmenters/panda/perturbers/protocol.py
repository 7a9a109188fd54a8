"""What a perturber takes and returns; the rules, the LLM and the seq2seq model share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from random import Random
from typing import Literal, Protocol

from augkit.core.edits import FieldSpan
from augkit.core.types import FREE, Cost, Example, Variant, refused

Reason = Literal[
    "no reference",
    "already the target",
    "not a person",
    "fixed phrase",
    "no word for the target",
    "contrast lost",
    "unusable answer",
    "unchanged",
    "identity permutation",
    "low perturbability",
]
"""Why nothing was changed: few, because they are counted; the detail says the rest."""

NOBODY = frozenset({"not a person", "fixed phrase", "no reference"})
"""Reasons that say that a word is none for a person."""


@dataclass(frozen=True, slots=True)
class PerturbTask:
    """Make the person (or group) that a word of a text refers to a ``target`` of ``axis``.

    The word is ``fields[field][start:end]``. ``axis`` is a bundled name or the path of an axis
    file. ``rng`` draws what has to be drawn: an age, a gender-neutral name. ``alone`` is false
    where the other persons of the text change too, in tasks of their own: one task cannot tell
    then whether the fields still agree. ``pointed`` is true where somebody chose the word, who says
    by it that people are meant: "a *British* film". ``mentions`` are all words of the person, where
    somebody says which they are; no other word is a reference then. ``becomes``: all persons of the
    text change at once, each to what it says of their attribute; only rules take such a task.
    """

    example: Example
    field: str
    start: int
    end: int
    axis: str
    target: str
    rng: Random = dataclass_field(compare=False)
    alone: bool = True
    pointed: bool = False
    mentions: tuple[FieldSpan, ...] = ()
    becomes: Mapping[str, str] | None = dataclass_field(default=None, compare=False)

    @property
    def fields(self) -> Mapping[str, str]:
        """The fields of the example."""
        return self.example.fields

    @property
    def span(self) -> FieldSpan:
        """The chosen word's field, start and end."""
        return FieldSpan(self.field, self.start, self.end)

    @property
    def word(self) -> str:
        """The chosen word as written."""
        return self.fields[self.field][self.start : self.end]

    def refuse(self, reason: Reason, detail: str = "", cost: Cost = FREE) -> Variant:
        """Refuse this task."""
        return refused(self.example, reason, detail, cost=cost)


class Perturber(Protocol):
    """Rewrites texts: by rules, by an LLM, by a sequence-to-sequence model."""

    def perturb(self, tasks: Sequence[PerturbTask]) -> list[Variant]:
        """One result per task, in order."""
        ...
