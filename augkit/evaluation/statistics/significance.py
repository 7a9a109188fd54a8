"""Significance of the difference of two measurements on the same rows."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.core.arrays import Floats
from augkit.core.types import Score
from augkit.evaluation.statistics.intervals import bootstrap_mean


def paired_difference(
    name: str, first: Sequence[float], second: Sequence[float], seed: int = 0
) -> Score:
    """Mean of ``second - first`` over rows measured twice, with a paired bootstrap interval.

    Both are shares between 0 and 1: right or wrong, changed or not.

    >>> paired_difference("gain", [0, 0, 1, 1], [1, 0, 1, 1]).value
    0.25
    """
    differences = [two - one for one, two in zip(first, second, strict=True)]
    return bootstrap_mean(name, differences, (-1.0, 1.0), seed)


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
