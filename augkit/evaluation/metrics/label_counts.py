"""Metrics of how often each true label is predicted as each label, with bootstrap intervals.

Balanced accuracy, macro-F1 and Matthews' coefficient read the confusion matrix, Pearson's labels
that are numbers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from augkit.core.arrays import Floats, Ints
from augkit.core.errors import DataError
from augkit.core.results import Difference, Score
from augkit.evaluation.metrics.base import NO_LABEL, BaseMetric, Predictions, labelled
from augkit.evaluation.statistics.intervals import Statistic, bootstrap_counts, correlations
from augkit.evaluation.statistics.significance import PairedStatistic, resampled_difference


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
        pairs = [pair for pair in data if pair.gold is not None]
        cells = Counter((read(pair.gold), read(pair.original)) for pair in pairs)
        if not cells:
            raise DataError(f"{self.name}: {NO_LABEL}")
        kinds = self.ordered(cells)
        counts = [cells[kind] for kind in kinds]
        gold, predicted = zip(*kinds, strict=True)
        return [
            bootstrap_counts(name, counts, statistic(gold, predicted), self.bounds)
            for name, statistic in self.statistics().items()
        ]

    def statistics(self) -> dict[str, PairedStatistic]:
        """All statistics by their names, the main one first."""
        return {self.main: self.statistic}

    def compare(self, first: Predictions, second: Predictions) -> list[Difference]:
        """The difference of the statistics over the same resamples."""
        read = self.read_label
        cells = [
            (read(before.gold), read(before.original), read(after.original))
            for before, after in labelled(first, second)
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
        true, chosen = (
            np.array([[value == label for label in labels] for value in column], dtype=np.float64)
            for column in (gold, predicted)
        )
        return lambda counts: self.measure(counts @ (true * chosen), counts @ true, counts @ chosen)


class BalancedAccuracy(ConfusionMetric):
    """The mean over labels of the share of their rows that is right, so that all count alike.

        B = (1/|C|) Σ_{c∈C} TP_c / true_c

    C are the labels that occur as true. A constant answer has 1/|C|, however skewed the labels
    are. Bootstrap interval over rows.

    >>> from augkit.core.results import PredictedPair
    >>> rows = [PredictedPair("a", gold=label) for label in "aaab"]
    >>> BalancedAccuracy().score(rows)[0].value
    0.5
    """

    name = "balanced-accuracy"
    main = "balanced_accuracy"
    bounds = (0.0, 1.0)

    @staticmethod
    def measure(right: Floats, true: Floats, predicted: Floats) -> Floats:
        """Balanced accuracy of each resample, over the true labels that occur in it."""
        import numpy as np

        del predicted
        recall = right / np.maximum(true, 1)
        return np.asarray(recall.sum(axis=1) / (true > 0).sum(axis=1))


class MacroF1(ConfusionMetric):
    """The mean over labels of F1, so that a rare label counts as much as a common one.

        F1_c = 2 · TP_c / (true_c + predicted_c),   macro-F1 = (1/|C|) Σ_{c∈C} F1_c

    C are the labels that occur as true or as predicted. Bootstrap interval over rows.

    >>> from augkit.core.results import PredictedPair
    >>> rows = [PredictedPair("a", gold="a"), PredictedPair("a", gold="b")]
    >>> round(MacroF1().score(rows)[0].value, 4)
    0.3333
    """

    name = "macro-f1"
    main = "macro_f1"
    bounds = (0.0, 1.0)

    @staticmethod
    def measure(right: Floats, true: Floats, predicted: Floats) -> Floats:
        """Macro-F1 of each resample, over the labels that occur in it."""
        import numpy as np

        total = true + predicted
        f1 = 2 * right / np.maximum(total, 1)
        return np.asarray(f1.sum(axis=1) / (total > 0).sum(axis=1))


class Matthews(ConfusionMetric):
    """Matthews' correlation of true and predicted labels, of two labels or more.

        R = (s · Σ TP_c - Σ true_c · predicted_c) / √( (s² - Σ predicted_c²) (s² - Σ true_c²) )

    s is the number of rows; 1 is always right, 0 no better than a constant answer (which makes the
    root 0, and R by convention too). Bootstrap interval over rows.

    References: matthews1975comparison, gorodkin2004comparing.

    >>> from augkit.core.results import PredictedPair
    >>> Matthews().score([PredictedPair(label, gold=label) for label in "abab"])[0].value
    1.0
    """

    name = main = "matthews"
    is_share = False

    @staticmethod
    def measure(right: Floats, true: Floats, predicted: Floats) -> Floats:
        """Matthews' coefficient of each resample."""
        import numpy as np

        rows = true.sum(axis=1)
        above = rows * right.sum(axis=1) - (true * predicted).sum(axis=1)
        spread = [rows**2 - (counts**2).sum(axis=1) for counts in (true, predicted)]
        below = np.sqrt(spread[0] * spread[1])
        correlation = np.divide(above, below, out=np.zeros_like(below), where=below > 0)
        return np.asarray(np.clip(correlation, -1, 1))  # rounding may lead past the ends


class Pearson(LabelCountMetric):
    """The linear correlation of true and predicted labels, both read as numbers (1 to 5 stars).

        r = Σ (y - ȳ)(ŷ - ŷ̄) / √( Σ (y - ȳ)² · Σ (ŷ - ŷ̄)² )

    0 where either never varies. Spearman's correlation beside it is that of the ranks, equal
    numbers sharing their mean rank. Bootstrap interval over rows. Labels that are not numbers are
    an error: the order of "entailment" and "neutral" means nothing.

    >>> from augkit.core.results import PredictedPair
    >>> Pearson().score([PredictedPair(label, gold=label) for label in "1234"])[0].value
    1.0
    """

    name = main = "pearson"
    is_share = False
    reads_numbers = True

    def statistics(self) -> dict[str, PairedStatistic]:
        """Pearson's and Spearman's correlation."""
        return {self.main: self.statistic, "spearman": self.rank_statistic}

    @staticmethod
    def rank_statistic(gold: Sequence[float], predicted: Sequence[float]) -> Statistic:
        """The correlation of the ranks in each resample."""
        import numpy as np

        true, chosen = (np.unique(column, return_inverse=True)[1] for column in (gold, predicted))

        def ranks(numbers: Ints, counts: Floats) -> Any:
            """Up to a constant; ``numbers`` are those of the values of each kind of row."""
            repeated = np.bincount(numbers, counts)
            return (np.cumsum(repeated) - repeated / 2)[numbers]

        def correlation(resamples: Floats) -> Floats:
            each = [
                correlations(ranks(true, counts), ranks(chosen, counts), counts[None])
                for counts in resamples
            ]
            return np.concatenate(each)

        return correlation

    @staticmethod
    def ordered(kinds: Iterable[Any]) -> list[Any]:
        """The kinds of rows as they come."""
        return list(kinds)

    def statistic(self, gold: Sequence[float], predicted: Sequence[float]) -> Statistic:
        """The correlation in each resample."""
        import numpy as np

        true = np.array(gold)
        chosen = np.array(predicted)
        return lambda counts: correlations(true, chosen, counts)

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
