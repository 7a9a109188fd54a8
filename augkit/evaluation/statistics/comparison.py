"""The difference of two classifiers on the same rows, with its interval and p-value.

Where each row counts 0 or 1, p is McNemar's; elsewhere it is that of the paired bootstrap: twice
the share of resamples in which the difference has the other sign, or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.types import Difference, Direction
from augkit.evaluation.statistics.intervals import percentile_score, resampled_counts
from augkit.evaluation.statistics.significance import bootstrap_p, mcnemar, paired_difference

Contrast = Callable[[Floats], Floats]
"""From counts float[resamples, kinds] to second minus first: float[resamples]."""


def difference_of_means(name: str, first: Sequence[float], second: Sequence[float]) -> Difference:
    """The difference of the means of values between 0 and 1, row by row."""
    if len(first) != len(second):
        raise DataError(f"{name}: {len(first)} and {len(second)} rows cannot be compared")
    score = paired_difference(f"{name} difference", first, second)
    if all(share in {0.0, 1.0} for share in (*first, *second)):
        return Difference(name, score, mcnemar(list(map(bool, first)), list(map(bool, second))))
    cells = [(two - one,) for one, two in zip(first, second, strict=True)]
    return Difference(name, score, resampled_difference(name, cells, _mean).p)


def resampled_difference(
    name: str,
    cells: Sequence[tuple[Any, ...]],
    contrast: Callable[[list[Any]], Contrast],
    bounds: tuple[float, float] = (-1.0, 1.0),
    direction: Direction | None = None,
) -> Difference:
    """The difference over resampled rows; equal ``cells`` are counted together.

    ``contrast`` is given the kinds of cells and makes the statistic of their counts.
    """
    import numpy as np

    kinds: Counter[Hashable] = Counter(cells)
    if not kinds:
        raise DataError(f"{name}: no rows to compare")
    names, counts = list(kinds), list(kinds.values())
    statistic = contrast(names)
    value = float(statistic(np.array([counts], dtype=np.float64))[0])
    drawn = statistic(resampled_counts(f"{name} difference", counts))
    score = percentile_score(f"{name} difference", value, drawn, sum(counts), bounds)
    return Difference(name, score, bootstrap_p(drawn), direction)


def _mean(kinds: list[Any]) -> Contrast:
    import numpy as np

    values = np.array([value for (value,) in kinds])
    return lambda counts: counts @ values / counts.sum(axis=1)
