"""Algorithm 1 of the paper: draw a word of the text and the attribute it is perturbed to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from augkit.augmenters.panda.references import Reference
from augkit.lexicons.demographics.axes import read_axis


class Choice(NamedTuple):
    """A reference and the attribute it is to get."""

    reference: Reference
    target: str


def choices(found: Sequence[Reference], target: str = "random") -> list[Choice]:
    """Every (word, target attribute ≠ source); with a fixed target, those that lead to it."""
    return [
        Choice(reference, attribute)
        for reference in found
        for attribute in read_axis(reference.axis).attributes
        if attribute != reference.attribute and target in {"random", "all", attribute}
    ]


def shuffled(options: Sequence[Choice], rng: Random, sampling: str) -> list[Choice]:
    """The choices in random order: the first is the draw, the next replaces a rejected one.

    Sorting by keys u^(1/w) draws without replacement by the weights w.
    """
    weights = _weights(options, sampling)
    keys = [rng.random() ** (1 / weight) for weight in weights]
    order = sorted(range(len(options)), key=lambda index: -keys[index])
    return [options[index] for index in order]


def _weights(options: Sequence[Choice], sampling: str) -> list[float]:
    """One each, or the inverse of how often the axis occurs in the text (footnote 2)."""
    if sampling == "uniform":
        return [1.0] * len(options)
    counts = Counter(option.reference.axis for option in options)
    return [1 / counts[option.reference.axis] for option in options]
