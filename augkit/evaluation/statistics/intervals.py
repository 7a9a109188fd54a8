"""Intervals of scores: exact for shares, bootstrap for means and other statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from augkit.core.arrays import Floats
from augkit.core.results import Score
from augkit.core.types import digest
from augkit.evaluation.statistics import Interval

if TYPE_CHECKING:
    import numpy as np

LEVEL = 0.95
"""Every interval of augkit is a 95 % interval."""
ALPHA = 0.05
"""A p-value up to this is significant."""
_RESAMPLES = 2_000

Statistic = Callable[[Floats], Floats]
"""From counts of each kind of row, float[resamples, kinds], to float[resamples]."""


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
    if not 0 <= hits <= n or n == 0:
        raise ValueError(f"{name}: {hits} of {n} is not a share")
    return Score(name, hits / n, *share_bounds(hits, n), n)


def share_bounds(hits: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """The ends of the interval of Clopper and Pearson at a level."""
    from scipy.stats import beta

    tail = (1 - level) / 2
    low = float(beta.ppf(tail, hits, n - hits + 1)) if hits else 0.0
    high = float(beta.ppf(1 - tail, hits + 1, n - hits)) if hits < n else 1.0
    return low, high


def difference_of_shares(name: str, first: Score, second: Score) -> Score:
    """``second - first``, two shares of different rows, by Newcombe's hybrid of their intervals.

        low  = d - √( (p₂ - l₂)² + (u₁ - p₁)² )
        high = d + √( (u₂ - p₂)² + (p₁ - l₁)² )

    d is p₂ - p₁; l and u are the ends of each share's own interval. Newcombe takes Wilson's; with
    exact ones it is a little wider.

    Reference: newcombe1998interval.

    >>> score = difference_of_shares("gap", exact_share("a", 5, 10), exact_share("b", 9, 10))
    >>> round(score.value, 2), score.low < 0.4 < score.high, score.n
    (0.4, True, 20)
    """
    value = second.value - first.value
    below = ((second.value - second.low) ** 2 + (first.high - first.value) ** 2) ** 0.5
    above = ((second.high - second.value) ** 2 + (first.value - first.low) ** 2) ** 0.5
    low = max(-1.0, value - below)
    high = min(1.0, value + above)
    return Score(name, value, low, high, first.n + second.n)


def bootstrap_mean(
    name: str, values: Sequence[float], bounds: tuple[float, float] = (0.0, 1.0)
) -> Score:
    """The mean of values that stand for independent rows, with a percentile bootstrap interval.

    The resamples are keyed by the name and the number of values: the same values give
    the same interval, whatever was computed before. Where all values are equal, resampling shows
    no spread; the interval then allows for other values, within ``bounds``, that so many rows
    could have missed.

    >>> score = bootstrap_mean("mean", [0.0, 1.0] * 50)
    >>> score.value, score.low < 0.5 < score.high
    (0.5, True)
    """
    import numpy as np

    if not values:
        raise ValueError(f"{name}: there is no value")
    distinct, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    score = bootstrap_counts(
        name, counts.tolist(), lambda drawn: drawn @ distinct / len(values), bounds
    )
    return replace(score, value=float(np.mean(values)))


def mean_score(name: str, values: Sequence[float], interval: Interval = "exact") -> Score:
    """The mean of values between 0 and 1; the exact interval needs rows that count 0 or 1."""
    if interval == "exact" and all(value in {0.0, 1.0} for value in values):
        return exact_share(name, round(sum(values)), len(values))
    return bootstrap_mean(name, values)


def bootstrap_counts(
    name: str,
    counts: Sequence[int],
    statistic: Statistic,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Score:
    """A statistic of the counts of each kind of row, with a percentile bootstrap interval.

    A resample of n rows is a multinomial sample of the counts. As for means, a statistic that is
    the same in all resamples still has an interval.
    """
    import numpy as np

    seen = np.asarray(counts, dtype=np.float64)
    n = int(sum(counts))
    drawn = statistic(resampled_counts(name, counts))
    return percentile_score(name, float(statistic(seen[None])[0]), drawn, n, bounds)


def resampled_counts(name: str, counts: Sequence[int]) -> Floats:
    """Counts of each kind of row in resamples of as many rows: float[resamples, kinds]."""
    import numpy as np

    seen = np.asarray(counts, dtype=np.float64)
    n = int(sum(counts))
    drawn = keyed_generator(name, str(n)).multinomial(n, seen / n, size=_RESAMPLES)
    return np.asarray(drawn, dtype=np.float64)


def percentile_score(
    name: str, value: float, drawn: Floats, n: int, bounds: tuple[float, float]
) -> Score:
    """A value with the percentile interval of its resamples: float[resamples]."""
    low, high = percentiles(drawn)
    if low == high:  # no spread: what rows that the sample missed could change
        missed = 1 - ((1 - LEVEL) / 2) ** (1 / n)
        low, high = (value + missed * (bound - value) for bound in bounds)
    return Score(name, value, low, high, n)


def percentiles(drawn: Floats | Sequence[float]) -> tuple[float, float]:
    """The ends of the percentile interval of resamples."""
    import numpy as np

    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def correlations(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r of two columns, for each row of weights: float[resamples].

        r = Σ (x - x̄)(y - ȳ) / √( Σ (x - x̄)² · Σ (y - ȳ)² )

    0 where one of them does not vary.
    """
    import numpy as np

    total = weights.sum(axis=1)
    x_mean, y_mean, product, x_square, y_square = (
        weights @ column / total for column in (x, y, x * y, x**2, y**2)
    )
    covariance = product - x_mean * y_mean
    spread = (x_square - x_mean**2) * (y_square - y_mean**2)
    below = np.sqrt(np.maximum(spread, 0.0))
    r = np.divide(covariance, below, out=np.zeros_like(covariance), where=below > 1e-12)
    return np.asarray(np.clip(r, -1, 1))  # rounding may lead past the ends


def keyed_generator(*names: str) -> np.random.Generator:
    """A generator that depends on the names alone, never on earlier calls."""
    import numpy as np

    return np.random.default_rng(int(digest("0", *names), 16))
