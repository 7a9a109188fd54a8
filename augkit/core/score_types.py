"""The values of an evaluation: scores, differences, and what was skipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from augkit.core.types import NoItems, value


@value
class Score:
    """A measured number with its interval and the count of items behind it.

    Attributes:
        name: What it is called in tables and files.
        value: The number.
        low: The lower end of the interval.
        high: The upper end.
        n: The items, most often rows, that it was measured on.
    """

    name: str
    value: float
    low: float
    high: float
    n: int


Direction = Literal["higher", "lower", "neither"]
"""Which scores are better."""


@value
class Skipped:
    """A part of a metric that could not be measured, and why."""

    name: str
    reason: str


@value
class Difference:
    """How far the scores of two classifiers differ: second minus first.

    Attributes:
        name: The name of the two scores.
        score: The difference with its interval.
        p: The p-value.
        direction: That of this score where it is not the metric's.
    """

    name: str
    score: Score
    p: float
    direction: Direction | None = None


@value
class PredictedPair:
    """The labels that a classifier gives to a row and to its variant, where the row has one.

    Attributes:
        original: The label predicted for the row.
        variant: The label predicted for its variant, or None.
        gold: The true label of the row, where it is known.
        variant_gold: The true label of the variant, where it is known.
        row: Id of the row: a row may have several variants.
        about: What was changed, for breakdowns.
    """

    original: str
    variant: str | None = None
    gold: str | None = None
    variant_gold: str | None = None
    row: str = ""
    about: Mapping[str, str] = field(default_factory=NoItems)
