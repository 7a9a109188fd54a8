"""Metrics of how often each true label is predicted as each label, with bootstrap intervals."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.results import Difference, Score
from augkit.evaluation.metrics.base import NO_LABEL, BaseMetric, Predictions, labelled
from augkit.evaluation.statistics.intervals import Statistic, bootstrap_counts
from augkit.evaluation.statistics.significance import resampled_difference


class LabelCountMetric(BaseMetric[Predictions]):
    """A statistic of the counts of (true, predicted) labels."""

    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    @abstractmethod
    def statistic(self, gold: Sequence[Any], predicted: Sequence[Any]) -> Statistic:
        """The statistic of the counts of kinds of rows, given the labels of each kind."""

    @staticmethod
    def read_label(label: str | None) -> Any:
        """A label as the statistic needs it."""
        return str(label)

    @staticmethod
    def ordered(kinds: Iterable[Any]) -> list[Any]:
        """The order of the kinds of rows, on which the resamples depend."""
        return sorted(kinds)

    def score(self, data: Predictions) -> list[Score]:
        """The statistic of all labelled rows."""
        read = self.read_label
        known = [pair for pair in data if pair.gold is not None]
        cells = Counter((read(pair.gold), read(pair.original)) for pair in known)
        if not cells:
            raise DataError(f"{self.name}: {NO_LABEL}")
        kinds = self.ordered(cells)
        counts = [cells[kind] for kind in kinds]
        statistic = self.statistic(*zip(*kinds, strict=True))
        return [bootstrap_counts(self.main, counts, statistic, self.bounds)]

    def compare(self, first: Predictions, second: Predictions) -> list[Difference]:
        """The difference of the statistics over the same resamples."""
        read = self.read_label
        cells = [
            (read(one.gold), read(one.original), read(two.original))
            for one, two in labelled(first, second)
        ]
        return [resampled_difference(self.main, cells, self.statistic, (-2.0, 2.0))]


class ConfusionMetric(LabelCountMetric):
    """A measure of the confusion matrix."""

    @staticmethod
    @abstractmethod
    def measure(right: Floats, true: Floats, predicted: Floats) -> Floats:
        """float[resamples] from counts by label, each float[resamples, labels]."""

    def statistic(self, gold: Sequence[Any], predicted: Sequence[Any]) -> Statistic:
        """The measure of the counts by label."""
        import numpy as np

        labels = sorted({*gold, *predicted})
        true, found = (
            np.array([[value == label for label in labels] for value in column], dtype=np.float64)
            for column in (gold, predicted)
        )
        return lambda counts: self.measure(counts @ (true * found), counts @ true, counts @ found)
