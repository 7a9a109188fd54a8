"""Significance of the difference of two measurements on the same rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.results import Difference, Direction, Score
from augkit.evaluation.statistics.intervals import (
    Statistic,
    bootstrap_mean,
    percentile_score,
    resampled_counts,
)


def paired_difference(name: str, first: Sequence[float], second: Sequence[float]) -> Score:
    """Mean of ``second - first`` over rows measured twice, with a paired bootstrap interval.

    Both are shares between 0 and 1: right or wrong, changed or not.

    >>> paired_difference("gain", [0, 0, 1, 1], [1, 0, 1, 1]).value
    0.25
    """
    differences = [two - one for one, two in zip(first, second, strict=True)]
    return bootstrap_mean(name, differences, (-1.0, 1.0))


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> float:
    """Exact two-sided p-value of McNemar's test that two classifiers are right equally often.

        p = min(1, 2 · P(X ≤ min(b, c))),   X ~ Binomial(b + c, 1/2)

    b and c count the rows where only the first, only the second is right. Where they never
    differ, p = 1.

    Reference: mcnemar1947note.

    >>> mcnemar([True] * 5, [False] * 5)
    0.0625
    """
    from scipy.stats import binom

    pairs = list(zip(first, second, strict=True))
    only_first = sum(one and not two for one, two in pairs)
    only_second = sum(two and not one for one, two in pairs)
    fewer, differing = min(only_first, only_second), only_first + only_second
    return min(1.0, 2 * float(binom.cdf(fewer, differing, 0.5))) if differing else 1.0


def bootstrap_p(drawn: Floats) -> float:
    """Two-sided p of a difference: twice the share of resamples with the other sign, or none.

    Never below one over the number of resamples.

    >>> import numpy as np
    >>> bootstrap_p(np.array([1.0, 2.0, -1.0, 3.0]))
    0.5
    """
    tail = min(float((drawn <= 0).mean()), float((drawn >= 0).mean()))
    return min(1.0, max(2 * tail, 1 / len(drawn)))


PairedStatistic = Callable[[Sequence[Any], Sequence[Any]], Statistic]
"""From what both classifiers share of each kind of row, and what one has, to its statistic."""


def difference_of_means(name: str, first: Sequence[float], second: Sequence[float]) -> Difference:
    """The difference of the means of values between 0 and 1, row by row."""
    if len(first) != len(second):
        raise DataError(f"{name}: {len(first)} and {len(second)} rows cannot be compared")
    score = paired_difference(f"{name} difference", first, second)
    if all(share in {0.0, 1.0} for share in (*first, *second)):
        return Difference(name, score, mcnemar(list(map(bool, first)), list(map(bool, second))))
    cells = [(None, 0.0, two - one) for one, two in zip(first, second, strict=True)]
    return Difference(name, score, resampled_difference(name, cells, _mean).p)


def resampled_difference(
    name: str,
    cells: Sequence[tuple[Any, Any, Any]],
    statistic: PairedStatistic,
    bounds: tuple[float, float] = (-1.0, 1.0),
    direction: Direction | None = None,
) -> Difference:
    """Second minus first over resampled rows; equal ``cells`` are counted together.

    A cell is a row: what both classifiers share of it, and what the first and the second have.
    """
    import numpy as np

    kinds = Counter(cells)
    if not kinds:
        raise DataError(f"{name}: no rows to compare")
    shared, *sides = zip(*kinds, strict=True)
    first, second = (statistic(shared, side) for side in sides)
    counts = list(kinds.values())
    whole = np.array([counts], dtype=np.float64)
    value = float((second(whole) - first(whole))[0])
    resampled = resampled_counts(f"{name} difference", counts)
    drawn = second(resampled) - first(resampled)
    score = percentile_score(f"{name} difference", value, drawn, sum(counts), bounds)
    return Difference(name, score, bootstrap_p(drawn), direction)


def _mean(_shared: Sequence[Any], values: Sequence[float]) -> Statistic:
    import numpy as np

    column = np.array(values)
    return lambda counts: counts @ column / counts.sum(axis=1)
