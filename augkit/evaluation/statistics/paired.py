"""Means of paired differences: an interval at any level, and a test, for few rows and for many."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.core.results import Score
from augkit.evaluation.statistics.intervals import keyed_generator

_DRAWS = 9_999
_AT_ONCE = 2**22
"""Signs that are drawn together."""
_FEW_SIZES = 8
"""Differences of each size, in the mean, from which on it is faster to count than to draw them."""


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
    n, size = len(d), float(np.abs(d).max(initial=0.0)) or bound
    centre = d.sum() / (n + 2)
    variance = max(0.0, float((d @ d + size**2) / (n + 2) - centre**2))
    half = float(t.ppf((1 + level) / 2, max(1, n - 1))) * (variance / (n + 2)) ** 0.5
    value = float(d.mean())
    low, high = max(-bound, min(value, centre - half)), min(bound, max(value, centre + half))
    return Score(name, value, float(low), float(high), n)


def sign_flip_p(name: str, differences: Sequence[float]) -> float:
    """Two-sided p of the hypothesis that each difference is as likely with the other sign.

        p = (1 + #{ |m*| ≥ |m| }) / (1 + draws)

    m* are means with random signs. Where all differences have one size it is McNemar's exact test.
    """
    import numpy as np
    from scipy.stats import binom

    d = np.asarray([one for one in differences if one != 0], dtype=np.float64)
    if not len(d):
        return 1.0
    sizes = np.abs(d)
    if np.allclose(sizes, sizes[0], rtol=0, atol=1e-12):
        fewer = int(min((d > 0).sum(), (d < 0).sum()))
        return min(1.0, 2 * float(binom.cdf(fewer, len(d), 0.5)))
    rng, least, extreme, left = keyed_generator(name, str(len(d))), abs(d.sum()), 0, _DRAWS
    values, counts = np.unique(sizes.round(12), return_counts=True)
    if _FEW_SIZES * len(values) <= len(d):  # count the positive signs of each size
        positive = rng.binomial(counts, 0.5, (left, len(counts)))
        extreme = int((np.abs((2 * positive - counts) @ values) >= least * (1 - 1e-9)).sum())
        left = 0
    while left:
        some = min(left, max(1, _AT_ONCE // len(d)))
        signs = rng.integers(0, 2, (some, len(d)), dtype=np.int8) * 2 - 1
        extreme += int((np.abs(signs @ d) >= least * (1 - 1e-12)).sum())
        left -= some
    return (1 + extreme) / (1 + _DRAWS)
