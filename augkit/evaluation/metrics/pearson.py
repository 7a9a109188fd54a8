"""Pearson's correlation of true and predicted numbers, for labels that are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.evaluation.metrics.label_counts import LabelCountMetric
from augkit.evaluation.statistics.intervals import Statistic


class Pearson(LabelCountMetric):
    """The linear correlation of true and predicted labels, both read as numbers (1 to 5 stars).

        r = Σ (y - ȳ)(ŷ - ŷ̄) / √( Σ (y - ȳ)² · Σ (ŷ - ŷ̄)² )

    0 where either never varies. Bootstrap interval over rows. Labels that are not numbers are an
    error: the order of "entailment" and "neutral" means nothing.

    >>> from augkit.core.results import PredictedPair
    >>> Pearson().score([PredictedPair(label, gold=label) for label in "1234"])[0].value
    1.0
    """

    name = main = "pearson"
    is_share = False

    @staticmethod
    def ordered(kinds: Iterable[Any]) -> list[Any]:
        """The kinds of rows as they come."""
        return list(kinds)

    def statistic(self, gold: Sequence[float], predicted: Sequence[float]) -> Statistic:
        """The correlation in each resample."""
        import numpy as np

        true, found = np.array(gold), np.array(predicted)

        def correlation(counts: Floats) -> Floats:
            n = counts.sum(axis=1)
            x, y = counts @ true / n, counts @ found / n
            both = counts @ (true * found) / n - x * y
            spread = (counts @ true**2 / n - x**2) * (counts @ found**2 / n - y**2)
            below = np.sqrt(np.maximum(spread, 0.0))
            result = np.divide(both, below, out=np.zeros_like(both), where=below > 1e-12)
            return np.asarray(np.clip(result, -1, 1))  # rounding may lead past the ends

        return correlation

    @staticmethod
    def read_label(label: str | None) -> float:
        """The number that a label is."""
        try:
            return float(str(label))
        except ValueError:
            raise DataError(
                f"pearson: the label '{label}' is not a number. Pearson is for labels on a scale "
                "(stars, grades); for classes use accuracy, macro-f1 or matthews"
            ) from None
