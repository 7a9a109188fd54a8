"""The steps of CoBA that a model can do, as small interfaces, and the values they exchange.

decompose → identify → categorise → edit → permute and delete → swap gender → reconstruct → check.
Every interface takes a batch and answers each item in order, with a ``Failed`` where it could not;
offline and LLM implementations are interchangeable. What an answer cost travels with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from random import Random
from typing import Literal, Protocol

from augkit.augmenters.judge import Judge
from augkit.core.types import FREE, Cost, Edit, Example
from augkit.language.triples import Span, Triple

Category = Literal["principal", "spurious", "normal"]


@dataclass(frozen=True, slots=True)
class Failed:
    """No answer; ``reason`` is one of few, because it is counted, ``detail`` says the rest."""

    reason: str
    detail: str = ""
    cost: Cost = FREE


@dataclass(frozen=True, slots=True)
class Decomposed:
    """The triples of an example, ids from 1 over all fields."""

    triples: tuple[Triple, ...]
    cost: Cost = FREE


@dataclass(frozen=True, slots=True)
class Words:
    """The important words of an example, in small letters: W_p and W_s of the paper."""

    principal: frozenset[str] = frozenset()
    spurious: frozenset[str] = frozenset()
    cost: Cost = FREE


@dataclass(frozen=True, slots=True)
class Job:
    """Change the principal triples of ``parent`` so that it reads as ``target``.

    ``generator`` draws what has to be drawn; it is keyed by the example and the copy.
    """

    parent: Example
    target: str
    triples: tuple[Triple, ...]
    words: Words
    categories: Mapping[int, Category] = dataclass_field(hash=False)
    generator: Random = dataclass_field(compare=False, hash=False)


@dataclass(frozen=True, slots=True)
class Edited:
    """The principal triples as they are now, by id, and what that means for the source text.

    ``edits`` is None where only the triples were rewritten: the text is then made from them.
    """

    triples: Mapping[int, Triple] = dataclass_field(hash=False)
    edits: tuple[Edit, ...] | None = None
    cost: Cost = FREE
    left: tuple[Span, ...] = ()
    """Places that still speak for the old label, as far as the editor can tell."""
    mixed: tuple[Span, ...] = ()
    """Places that spoke for the new label before anything was edited."""


@dataclass(frozen=True, slots=True)
class Draught:
    """A variant before it is text: the triples that are left, changed and in their new order."""

    job: Job
    edited: Edited
    order: tuple[Triple, ...]
    """Deleted triples are not in it; edited ones are as edited."""
    moved: tuple[Edit, ...] = ()
    """What permuting, deleting and swapping gender mean for the source text."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The variant's fields; ``edits`` is None where they are left to be worked out."""

    fields: Mapping[str, str] = dataclass_field(hash=False)
    edits: tuple[Edit, ...] | None = None
    cost: Cost = FREE


class Decomposer(Protocol):
    """Text → triples."""

    def decompose(self, parents: Sequence[Example]) -> list[Decomposed | Failed]:
        """The triples of each example, all its fields together."""
        ...


class Identifier(Protocol):
    """Text and gold label → W_p and W_s."""

    def identify(self, parents: Sequence[Example]) -> list[Words | Failed]:
        """The principal and spurious words of each example."""
        ...


class Editor(Protocol):
    """Principal triples → triples that speak for the target label."""

    def edit(self, jobs: Sequence[Job]) -> list[Edited | Failed]:
        """The changed triples of each job; an untouched one is not listed."""
        ...


class Reconstructor(Protocol):
    """Triples in their order → text."""

    def reconstruct(self, draughts: Sequence[Draught]) -> list[Rebuilt | Failed]:
        """The fields of each variant."""
        ...


@dataclass(frozen=True, slots=True)
class Steps:
    """Who does what."""

    decomposer: Decomposer
    identifier: Identifier
    editor: Editor
    reconstructor: Reconstructor
    judge: Judge
