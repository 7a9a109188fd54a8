"""Which word is perturbed into what: Algorithm 1 of the paper, and perturbability (Eq. 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from augkit.augmenters.panda.finding import find
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.find_references import Hit
from augkit.text.tokens import words

ENTITY_WEIGHT, WORD_WEIGHT = 1.0, 0.5
"""m0 and m1 of Eq. 2."""


class Reference(NamedTuple):
    """A word that says an attribute of an axis: ``fields[field][start:end]``."""

    field: str
    start: int
    end: int
    axis: str
    attribute: str
    is_name: bool


class Choice(NamedTuple):
    """A reference and the attribute it is to get."""

    reference: Reference
    target: str


def references(fields: Mapping[str, str], axes: Sequence[str]) -> list[Reference]:
    """The references of a text that may be drawn, by axis, field and place.

    Words so general that they count only where someone points at them are left out, and so is
    what lies in a fixed phrase.
    """
    return [
        Reference(name, hit.start, hit.end, axis, hit.attribute, hit.readings[0].pos == "name")
        for axis in axes
        for name, text in fields.items()
        for hit in find(axis, text)
        if _may_be_drawn(hit)
    ]


def _may_be_drawn(hit: Hit) -> bool:
    return not (hit.is_weak or hit.blocked or "surname" in hit.needs)


def choices(found: Sequence[Reference], target: str = "random") -> list[Choice]:
    """Every (word, target attribute ≠ source); with a fixed target, those that lead to it."""
    return [
        Choice(reference, attribute)
        for reference in found
        for attribute in read_axis(reference.axis).attributes
        if attribute != reference.attribute and target in {"random", "all", attribute}
    ]


def shuffled(options: Sequence[Choice], generator: Random, sampling: str) -> list[Choice]:
    """The choices in a drawn order; the first is the draw, the others follow where it is refused.

    Drawing keys u^(1/w) and sorting by them draws without replacement by the weights w.
    """
    weights = _weights(options, sampling)
    keys = [generator.random() ** (1 / weight) for weight in weights]
    order = sorted(range(len(options)), key=lambda place: -keys[place])
    return [options[place] for place in order]


def _weights(options: Sequence[Choice], sampling: str) -> list[float]:
    """One each, or the inverse of how often the axis stands in the text (footnote 2)."""
    if sampling == "uniform":
        return [1.0] * len(options)
    counts = Counter(option.reference.axis for option in options)
    return [1 / counts[option.reference.axis] for option in options]


def perturbability(fields: Mapping[str, str], axes: Sequence[str]) -> float:
    """How much of a text can be perturbed (Eq. 2): (m0·entities + m1·words of the lists) / words.

    >>> perturbability({"text": "He lost his keys"}, ["gender"])
    0.25
    """
    found = references(fields, axes)
    entities = len({(r.field, r.start) for r in found if r.is_name})
    listed = len({(r.field, r.start) for r in found if not r.is_name})
    total = sum(len(words(text)) for text in fields.values())
    return (ENTITY_WEIGHT * entities + WORD_WEIGHT * listed) / total if total else 0.0
