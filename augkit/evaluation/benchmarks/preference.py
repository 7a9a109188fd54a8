"""Shares of pairs in which a model prefers one side: 0 to 100, 50 without a preference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from augkit.core.arrays import Floats
from augkit.core.types import Score
from augkit.evaluation.statistics.intervals import bootstrap_mean

TIE = 1e-5
"""Log-likelihoods closer than this differ only by rounding in single precision."""


def preferred(first: Floats, second: Floats) -> Floats:
    """100 where the first is likelier, 0 where the second is, 50 where neither: float[pairs].

    The published scripts count a tie as a preference for the second. A model without any
    preference would then score 0, like one with the opposite bias.
    """
    import numpy as np

    difference = first - second
    return np.where(np.abs(difference) < TIE, 50.0, np.where(difference > 0, 100.0, 0.0))


def shares(name: str, values: Sequence[float], groups: Sequence[str]) -> list[Score]:
    """The mean of all values, then of each group's, with bootstrap intervals.

    >>> [score.name for score in shares("ss", [100.0, 0.0], ["age", "race"])]
    ['ss', 'ss/age', 'ss/race']
    """
    members: dict[str, list[float]] = {}
    for value, group in zip(values, groups, strict=True):
        members.setdefault(group, []).append(float(value))
    return [_mean(name, list(values)), *_by_group(name, members)]


def ties(name: str, values: Sequence[float]) -> Score:
    """The percentage of pairs that are ties."""
    return _mean(name, [100.0 * (value == 50.0) for value in values])


def _by_group(name: str, members: Mapping[str, Sequence[float]]) -> list[Score]:
    return [_mean(f"{name}/{group}", members[group]) for group in sorted(members)]


def _mean(name: str, values: Sequence[float]) -> Score:
    return bootstrap_mean(name, [float(value) for value in values], (0.0, 100.0))
