"""Metrics of the confusion matrix: counts of true and predicted labels."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from typing import Any, ClassVar

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.types import Difference, Score
from augkit.evaluation.metrics.base import NO_LABEL, BaseMetric, Predictions, labelled
from augkit.evaluation.statistics.comparison import Contrast, resampled_difference
from augkit.evaluation.statistics.intervals import bootstrap_counts


class ConfusionMetric(BaseMetric[Predictions]):
    """A statistic of the confusion matrix, with a bootstrap interval over rows."""

    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    @staticmethod
    @abstractmethod
    def statistic(right: Floats, true: Floats, predicted: Floats) -> Floats:
        """float[resamples] from counts by label, each float[resamples, labels]."""

    def score(self, data: Predictions) -> list[Score]:
        """The statistic of all labelled rows."""
        cells = Counter((str(pair.gold), pair.original) for pair in data if pair.gold is not None)
        if not cells:
            raise DataError(f"{self.name}: {NO_LABEL}")
        kinds = sorted(cells)
        true, predicted = _one_hot(kinds)
        return [
            bootstrap_counts(
                self.main,
                [cells[kind] for kind in kinds],
                lambda counts: self.statistic(
                    counts @ (true * predicted), counts @ true, counts @ predicted
                ),
                self.bounds,
            )
        ]

    def compare(self, first: Predictions, second: Predictions) -> list[Difference]:
        """The difference of the statistics over the same resamples."""
        cells = [
            (str(one.gold), one.original, two.original) for one, two in labelled(first, second)
        ]
        return [resampled_difference(self.main, cells, self._contrast, (-2.0, 2.0))]

    def _contrast(self, kinds: list[Any]) -> Contrast:
        gold, first, second = _one_hot(kinds)

        def of(predicted: Floats, counts: Floats) -> Floats:
            # Labels that neither occur nor are predicted play no part.
            return self.statistic(counts @ (gold * predicted), counts @ gold, counts @ predicted)

        return lambda counts: of(second, counts) - of(first, counts)


def _one_hot(kinds: list[Any]) -> list[Floats]:
    """For each column of the kinds of row, which label it holds: float[kinds, labels]."""
    import numpy as np

    labels = sorted({label for kind in kinds for label in kind})
    return [
        np.array([[value == label for label in labels] for value in column], dtype=np.float64)
        for column in zip(*kinds, strict=True)
    ]
