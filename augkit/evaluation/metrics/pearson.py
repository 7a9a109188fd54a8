"""Pearson's correlation of true and predicted numbers, for labels that are numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.types import Difference, Score
from augkit.evaluation.metrics.base import NO_LABEL, BaseMetric, Predictions, labelled
from augkit.evaluation.statistics.comparison import Contrast, resampled_difference
from augkit.evaluation.statistics.intervals import bootstrap_counts


class Pearson(BaseMetric[Predictions]):
    """The linear correlation of true and predicted labels, both read as numbers (1 to 5 stars).

        r = Σ (y - ȳ)(ŷ - ŷ̄) / √( Σ (y - ȳ)² · Σ (ŷ - ŷ̄)² )

    0 where either never varies. Bootstrap interval over rows. Labels that are not numbers are an
    error: the order of "entailment" and "neutral" means nothing.

    >>> from augkit.core.types import PredictedPair
    >>> Pearson().score([PredictedPair(label, gold=label) for label in "1234"])[0].value
    1.0
    """

    name = main = "pearson"
    is_share = False

    def score(self, data: Predictions) -> list[Score]:
        """The correlation over all labelled rows."""
        import numpy as np

        cells = Counter(
            (_number(pair.gold), _number(pair.original)) for pair in data if pair.gold is not None
        )
        if not cells:
            raise DataError(f"{self.name}: {NO_LABEL}")
        gold, predicted = (np.array(column) for column in zip(*cells, strict=True))
        return [
            bootstrap_counts(
                self.main,
                list(cells.values()),
                lambda counts: correlation(counts, gold, predicted),
                (-1.0, 1.0),
            )
        ]

    def compare(self, first: Predictions, second: Predictions) -> list[Difference]:
        """The difference of the correlations over the same resamples."""
        cells = [
            (_number(one.gold), _number(one.original), _number(two.original))
            for one, two in labelled(first, second)
        ]
        return [resampled_difference(self.main, cells, _contrast, (-2.0, 2.0))]


def correlation(counts: Floats, gold: Floats, predicted: Floats) -> Floats:
    """The correlation in each resample; ``counts`` are float[resamples, kinds of row]."""
    import numpy as np

    n = counts.sum(axis=1)
    x, y = counts @ gold / n, counts @ predicted / n
    both = counts @ (gold * predicted) / n - x * y
    spread = (counts @ gold**2 / n - x**2) * (counts @ predicted**2 / n - y**2)
    below = np.sqrt(np.maximum(spread, 0.0))
    found = np.divide(both, below, out=np.zeros_like(both), where=below > 1e-12)
    return np.asarray(np.clip(found, -1, 1))  # rounding may lead past the ends


def _contrast(kinds: list[Any]) -> Contrast:
    import numpy as np

    gold, first, second = (np.array(column) for column in zip(*kinds, strict=True))
    return lambda counts: correlation(counts, gold, second) - correlation(counts, gold, first)


def _number(label: str | None) -> float:
    try:
        return float(str(label))
    except ValueError:
        raise DataError(
            f"pearson: the label '{label}' is not a number. Pearson is for labels on a scale "
            "(stars, grades); for classes use accuracy, macro-f1 or matthews"
        ) from None
