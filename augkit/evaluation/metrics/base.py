"""What metrics share: what they are given, and defaults for a metric that is a mean over rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic

from augkit.core.errors import DataError
from augkit.core.protocols import InputT_contra, MetricInput, Scores
from augkit.core.types import Difference, Direction, PredictedPair, Score, Skipped
from augkit.evaluation.statistics.comparison import difference_of_means
from augkit.evaluation.statistics.intervals import Interval, mean_score

Predictions = Sequence[PredictedPair]
NO_LABEL = "no row has a true label to compare the predicted one with"


@dataclass(frozen=True)
class PerturbedPredictions:
    """Predictions on rows and their perturbed variants, and on controls: random edits as large."""

    pairs: Predictions
    control: Predictions = ()


@dataclass(frozen=True)
class BaseMetric(Generic[InputT_contra]):
    """The mean of a value that each row has: define ``row_values``.

    Any other metric overrides ``score`` and ``compare``.
    """

    name: ClassVar[str]
    main: ClassVar[str]
    """The name of the main score."""
    direction: ClassVar[Direction] = "higher"
    inputs: ClassVar[MetricInput] = "predictions"
    is_share: ClassVar[bool] = True
    caveat: ClassVar[str] = ""

    interval: Interval = "exact"

    def row_values(self, data: InputT_contra) -> Mapping[str, float]:
        """Row id → its value between 0 and 1; rows without one are absent."""
        raise NotImplementedError(f"{self.name}: define row_values, or score and compare")

    def score(self, data: InputT_contra) -> Sequence[Score | Skipped]:
        """The mean over rows: exact interval where each row counts 0 or 1, otherwise bootstrap."""
        values = self.row_values(data)
        if not values:
            raise DataError(f"{self.name}: {NO_LABEL}")
        return [mean_score(self.main, list(values.values()), self.interval)]

    def compare(self, first: InputT_contra, second: InputT_contra) -> Sequence[Difference]:
        """The paired difference of the means over the same rows."""
        both = [list(self.row_values(data).values()) for data in (first, second)]
        return [difference_of_means(self.main, *both)]

    def caveats(self, scores: Scores) -> Sequence[str]:
        """The known caveat, if any."""
        del scores
        return [self.caveat] if self.caveat else []

    def summary(self, scores: Scores) -> Sequence[str]:
        """Nothing beside the scores themselves."""
        del scores
        return ()


def row_key(index: int, pair: PredictedPair) -> str:
    """The row of a pair; a pair that names none is a row of its own."""
    return pair.row or f"#{index}"


def labelled(first: Predictions, second: Predictions) -> list[tuple[PredictedPair, PredictedPair]]:
    """The predictions of two classifiers on the rows that have a true label, side by side."""
    both = zip(first, second, strict=True)
    return [(one, two) for one, two in both if one.gold is not None]
