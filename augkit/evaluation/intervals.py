"""Intervals that belong to scores: exact for shares, bootstrap for means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from augkit.data import Score, digest

if TYPE_CHECKING:
    import numpy as np

LEVEL = 0.95
"""Every interval of augkit is a 95 % interval."""
_DRAWS = 2_000

Interval = Literal["exact", "bootstrap"]
"""How the interval of a share is found."""


def exact_share(name: str, hits: int, n: int) -> Score:
    """The share ``hits / n`` with the interval of Clopper and Pearson.

        low  = B(0.025; k,     n - k + 1)
        high = B(0.975; k + 1, n - k)

    k is ``hits``, B(q; a, b) the q-quantile of the beta distribution. It covers the true share
    at least 95 times in 100, for any n; the bootstrap does not where k is near 0 or n.

    Reference: clopper1934use.

    >>> score = exact_share("heads", 0, 10)
    >>> score.value, score.low, round(score.high, 4)
    (0.0, 0.0, 0.3085)
    """
    from scipy.stats import beta

    if not 0 <= hits <= n or n == 0:
        raise ValueError(f"{name}: {hits} of {n} is no share")
    tail = (1 - LEVEL) / 2
    low = float(beta.ppf(tail, hits, n - hits + 1)) if hits else 0.0
    high = float(beta.ppf(1 - tail, hits + 1, n - hits)) if hits < n else 1.0
    return Score(name, hits / n, low, high, n)


def bootstrap_mean(
    name: str, values: Sequence[float], bounds: tuple[float, float] = (0.0, 1.0), seed: int = 0
) -> Score:
    """The mean of values that stand for independent rows, with a percentile bootstrap interval.

    The draws are keyed by the name, the seed and the number of values: the same values give the
    same interval, whatever was computed before. Where all values are one, resampling shows no
    spread; the interval then allows for the share of other values, as far off as ``bounds``
    permit, that so many rows could have missed.

    >>> score = bootstrap_mean("mean", [0.0, 1.0] * 50)
    >>> score.value, score.low < 0.5 < score.high
    (0.5, True)
    """
    import numpy as np

    if not values:
        raise ValueError(f"{name}: no value to take the mean of")
    distinct, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    n, mean, tail = len(values), float(np.mean(values)), (1 - LEVEL) / 2
    if len(distinct) == 1:
        missed = 1 - tail ** (1 / n)
        low, high = (mean + missed * (bound - mean) for bound in bounds)
        return Score(name, mean, low, high, n)
    # A resample of n rows is a multinomial draw of how often each distinct value comes up.
    drawn = keyed_generator(seed, name, str(n)).multinomial(n, counts / n, size=_DRAWS)
    low, high = np.quantile(drawn @ distinct / n, [tail, 1 - tail])
    return Score(name, mean, float(low), float(high), n)


def keyed_generator(seed: int, *names: str) -> np.random.Generator:
    """A generator that depends on what it is for, never on when it is asked."""
    import numpy as np

    return np.random.default_rng(int(digest(str(seed), *names), 16))
