"""AUROC of the confidence of a classifier: can it tell rows out of its distribution?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.results import Difference, Score
from augkit.evaluation.metrics.base import BaseMetric
from augkit.evaluation.statistics.intervals import keyed_generator, percentile_score
from augkit.evaluation.statistics.significance import bootstrap_p

_RESAMPLES = 2_000
_CELLS = 2_000_000
"""Counts held at once; the resamples come in blocks of this many."""


@dataclass(frozen=True)
class Confidences:
    """The greatest probability of each row, in distribution and out of it: float[rows] each."""

    inside: Floats
    outside: Floats


class OodAuroc(BaseMetric[Confidences]):
    """How well the greatest probability separates rows in distribution from others: AUROC.

    1: always more confident in distribution, 0.5: no difference. See ``auroc``.

    Reference: hendrycks2017baseline.
    """

    name = "ood-auroc"
    main = "ood_auroc"
    inputs = "ood"
    caveat = "ood-auroc depends on how confident a classifier is, not on how often it is right"

    def score(self, data: Confidences) -> list[Score]:
        """The area under the ROC curve."""
        return [auroc(self.main, data.inside.tolist(), data.outside.tolist())]

    def compare(self, first: Confidences, second: Confidences) -> list[Difference]:
        """The difference of the areas; both kinds of rows are resampled, alike for both."""
        import numpy as np

        sides = [(data.inside, data.outside) for data in (first, second)]
        rows = [len(side) for side in sides[0]]
        if not all(rows):
            raise DataError(f"{self.main}: rows of both kinds are needed")
        whole = [np.ones((1, count)) for count in rows]
        value = float((_weighted(sides[1], *whole) - _weighted(sides[0], *whole))[0])
        name = f"{self.main} difference"
        drawn = np.concatenate(
            [
                _weighted(sides[1], *weights) - _weighted(sides[0], *weights)
                for weights in _resampled([ones[0] for ones in whole], name)
            ]
        )
        score = percentile_score(name, value, drawn, sum(rows), (-1.0, 1.0))
        return [Difference(self.main, score, bootstrap_p(drawn))]


def _weighted(sides: Sequence[Floats], inside: Floats, outside: Floats) -> Floats:
    """The area for each resample, given as counts of rows: float[resamples, rows] on each side."""
    import numpy as np

    values, index = np.unique(np.concatenate(sides), return_inverse=True)
    cut = len(sides[0])
    counted = []
    for weights, indices in ((inside, index[:cut]), (outside, index[cut:])):
        sums = np.zeros((len(weights), len(values)))
        np.add.at(sums.T, indices, weights.T)
        counted.append(sums)
    return _areas(*counted)


def auroc(name: str, positive: Sequence[float], negative: Sequence[float]) -> Score:
    """The area under the ROC curve: the chance that a positive scores above a negative.

        A = (1/nm) · Σ_i Σ_j ( [p_i > q_j] + ½ [p_i = q_j] )

    The interval is a bootstrap that resamples both sides.

    >>> auroc("a", [0.9, 0.8, 0.5], [0.5, 0.1]).value
    0.9166666666666666
    """
    import numpy as np

    if not positive or not negative:
        raise DataError(f"{name}: rows of both kinds are needed")
    values = np.unique([*positive, *negative])
    sides = [
        np.bincount(np.searchsorted(values, side), minlength=len(values)).astype(np.float64)
        for side in (positive, negative)
    ]
    value = float(_areas(sides[0][None], sides[1][None])[0])
    n = len(positive) + len(negative)
    drawn = np.concatenate([_areas(*counts) for counts in _resampled(sides, name)])
    fewer = min(len(positive), len(negative))
    return replace(percentile_score(name, value, drawn, fewer, (0.0, 1.0)), n=n)


def _areas(positive: Floats, negative: Floats) -> Floats:
    """The area for each resample of counts by rising value: float[resamples, values] each."""
    import numpy as np

    below = np.cumsum(negative, axis=1) - negative / 2
    pairs = positive.sum(axis=1) * negative.sum(axis=1)
    return np.asarray((positive * below).sum(axis=1) / pairs)


def _resampled(sides: Sequence[Floats], name: str) -> Iterator[tuple[Floats, Floats]]:
    """Counts of resampled rows of both sides, in blocks."""
    generator = keyed_generator(name, *(str(side.sum()) for side in sides))
    block = max(1, min(_RESAMPLES, _CELLS // len(sides[0])))
    for start in range(0, _RESAMPLES, block):
        size = min(block, _RESAMPLES - start)
        first, second = (
            generator.multinomial(int(side.sum()), side / side.sum(), size=size).astype(float)
            for side in sides
        )
        yield first, second
