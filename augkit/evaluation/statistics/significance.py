"""Differences of two measurements on the same rows: their intervals, and their p-values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import log
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.results import Difference, Score
from augkit.evaluation.statistics.intervals import (
    Statistic,
    bootstrap_mean,
    keyed_generator,
    percentile_score,
    resampled_counts,
)

_DRAWS = 9_999
_LEAST_P = 1e-300
"""A p-value that is smaller counts as this one: its logarithm would be infinite."""
_AT_ONCE = 2**22
"""Signs that are drawn together."""
_FEW_SIZES = 8
"""Differences of each size, in the mean, from which on it is faster to count than to draw them."""


def paired_difference(name: str, first: Sequence[float], second: Sequence[float]) -> Score:
    """Mean of ``second - first`` over rows measured twice, with a paired bootstrap interval.

    Both are shares between 0 and 1: right or wrong, changed or not.

    >>> paired_difference("gain", [0, 0, 1, 1], [1, 0, 1, 1]).value
    0.25
    """
    differences = [after - before for before, after in zip(first, second, strict=True)]
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
    pairs = list(zip(first, second, strict=True))
    only_first = sum(right and not also_right for right, also_right in pairs)
    only_second = sum(right and not also_right for also_right, right in pairs)
    return _sign_test(only_first, only_second)


def _sign_test(positive: int, negative: int) -> float:
    """Exact two-sided p-value of so many differences of each sign; 1 where there are none."""
    from scipy.stats import binom

    fewer = min(positive, negative)
    differing = positive + negative
    return min(1.0, 2 * float(binom.cdf(fewer, differing, 0.5))) if differing else 1.0


def fisher_p(ps: Sequence[float]) -> float:
    """The p-value of several independent tests together, by Fisher's method; 1 where none is.

        χ² = -2 Σ ln p_i,  with twice as many degrees of freedom as tests

    >>> round(fisher_p([0.1, 0.1]), 3), fisher_p([])
    (0.056, 1.0)
    """
    from scipy.stats import chi2

    statistic = sum(-2 * log(max(p, _LEAST_P)) for p in ps)
    return float(chi2.sf(statistic, 2 * len(ps))) if ps else 1.0


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
    cells = [(None, 0.0, after - before) for before, after in zip(first, second, strict=True)]
    return Difference(name, score, resampled_difference(name, cells, _mean).p)


def resampled_difference(
    name: str,
    cells: Sequence[tuple[Any, Any, Any]],
    statistic: PairedStatistic,
    bounds: tuple[float, float] = (-1.0, 1.0),
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
    return Difference(name, score, bootstrap_p(drawn))


def _mean(_shared: Sequence[Any], values: Sequence[float]) -> Statistic:
    import numpy as np

    column = np.array(values)
    return lambda counts: counts @ column / counts.sum(axis=1)


def paired_mean(name: str, differences: Sequence[float], level: float, bound: float) -> Score:
    """The mean of paired differences between -bound and bound, with an interval at a level.

        m' ± t · √( v' / (n + 2) ),   m' = Σd / (n + 2),   v' = (Σd² + s²) / (n + 2) - m'²

    s is the largest |d|, ``bound`` where all are 0, and t the quantile of Student's distribution.
    For differences of yes and no (1, 0, -1) this is the interval of Agresti and Min, which adds
    half a pair to each of the four cells, and covers where Wald's does not: few pairs, or few that
    differ.

    Reference: agresti2005simple.

    >>> score = paired_mean("gap", [0.0] * 20, 0.95, 1.0)
    >>> score.value, score.low < 0 < score.high
    (0.0, True)
    """
    import numpy as np
    from scipy.stats import t

    d = np.asarray(differences, dtype=np.float64)
    n = len(d)
    size = float(np.abs(d).max(initial=0.0)) or bound
    centre = d.sum() / (n + 2)
    variance = max(0.0, float((d @ d + size**2) / (n + 2) - centre**2))
    half = float(t.ppf((1 + level) / 2, max(1, n - 1))) * (variance / (n + 2)) ** 0.5
    value = float(d.mean())
    low = max(-bound, min(value, centre - half))
    high = min(bound, max(value, centre + half))
    return Score(name, value, float(low), float(high), n)


def sign_flip_p(name: str, differences: Sequence[float]) -> float:
    """Two-sided p of the hypothesis that each difference is as likely with the other sign.

        p = (1 + #{ |m*| ≥ |m| }) / (1 + draws)

    m* are means with random signs. Where all differences have one size it is McNemar's exact test.
    """
    import numpy as np

    d = np.asarray([difference for difference in differences if difference != 0], np.float64)
    if not len(d):
        return 1.0
    sizes = np.abs(d)
    if np.allclose(sizes, sizes[0], rtol=0, atol=1e-12):
        return _sign_test(int((d > 0).sum()), int((d < 0).sum()))
    rng = keyed_generator(name, str(len(d)))
    least = abs(d.sum())
    extreme = 0
    left = _DRAWS
    values, counts = np.unique(sizes.round(12), return_counts=True)
    if _FEW_SIZES * len(values) <= len(d):  # count the positive signs of each size
        positive = rng.binomial(counts, 0.5, (left, len(counts)))
        extreme = int((np.abs((2 * positive - counts) @ values) >= least * (1 - 1e-9)).sum())
        left = 0
    while left:
        draws = min(left, max(1, _AT_ONCE // len(d)))
        signs = rng.integers(0, 2, (draws, len(d)), dtype=np.int8) * 2 - 1
        extreme += int((np.abs(signs @ d) >= least * (1 - 1e-12)).sum())
        left -= draws
    return (1 + extreme) / (1 + _DRAWS)
