"""What a perturber is asked and what it answers; rules, LLM and seq2seq share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from random import Random
from typing import Literal, Protocol

from augkit.core.types import EMPTY, FREE, Cost, Edit

Reason = Literal[
    "no reference",
    "already the target",
    "not a person",
    "fixed phrase",
    "no word for the target",
    "contrast lost",
    "unusable answer",
    "unchanged",
    "own attribute drawn",
]
"""Why nothing was changed: few, because they are counted; the detail says the rest."""


@dataclass(frozen=True, slots=True)
class Job:
    """Make the person (or group) whom a word of a text refers to a ``target`` of ``axis``.

    The word is ``fields[field][start:end]``. ``axis`` is a bundled name or the path of an axis
    file. ``generator`` draws what has to be drawn: an age, a name that leaves gender open.
    ``alone`` is false where the other persons of the text change too, in jobs of their own: what
    fields then have in common cannot be told from one job.
    """

    fields: Mapping[str, str]
    field: str
    start: int
    end: int
    axis: str
    target: str
    generator: Random = dataclass_field(compare=False)
    alone: bool = True

    @property
    def word(self) -> str:
        """The chosen word as written."""
        return self.fields[self.field][self.start : self.end]


@dataclass(frozen=True, slots=True)
class Perturbed:
    """The changed fields, the edits that lead there, and what the change is about."""

    fields: Mapping[str, str]
    edits: tuple[Edit, ...] | None
    about: Mapping[str, str] = EMPTY
    cost: Cost = FREE


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed, and why."""

    reason: Reason
    detail: str = ""
    cost: Cost = FREE


class Perturber(Protocol):
    """Rewrites texts: by rules, by an LLM, by a sequence-to-sequence model."""

    def perturb(self, jobs: Sequence[Job]) -> list[Perturbed | Refused]:
        """One answer per job, in order."""
        ...
