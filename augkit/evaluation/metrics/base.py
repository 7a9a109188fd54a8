"""What metrics share: what they are given, and defaults for a metric that is a mean over rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, Literal, TypeVar

from augkit.core.errors import DataError
from augkit.core.results import Difference, Direction, PredictedPair, Score, Skipped
from augkit.evaluation.statistics import Interval
from augkit.evaluation.statistics.intervals import mean_score
from augkit.evaluation.statistics.significance import difference_of_means

Predictions = Sequence[PredictedPair]
InputT = TypeVar("InputT")

MetricInput = Literal[
    "predictions",
    "counterfactuals",
    "perturbed",
    "contrast",
    "ood",
    "variants",
    "choices",
    "training choices",
]
"""What a metric scores: a classifier's predictions on the rows of a test set, on the counterfactual
pairs that it holds (``pair_id``), on rows and their perturbed variants, on rows and their contrast
sets, on rows within and out of its distribution, the variants of a run, a reward model's decisions
of choices, or the choices that it is trained on."""

Scores = Mapping[str, Score]
"""Scores by name."""

NO_LABEL = "no row has a true label to compare the predicted one with"


@dataclass(frozen=True)
class PerturbedPredictions:
    """Predictions on rows and their perturbed variants, and on controls: random edits as large.

    ``unchanged`` rows could not be perturbed: their prediction cannot change, and is not asked for.
    """

    pairs: Predictions
    control: Predictions = ()
    unchanged: int = 0


@dataclass(frozen=True)
class BaseMetric(Generic[InputT]):
    """A metric: what it needs, which way is better, how two classifiers compare, its caveats.

    Entry points of the group ``augkit.metrics`` name classes; they are called with ``interval``. A
    metric that is the mean of a value that each row has defines ``row_values``. Any other metric
    overrides ``score`` and ``compare``.
    """

    name: ClassVar[str]
    main: ClassVar[str]
    """The name of the main score."""
    direction: ClassVar[Direction] = "higher"
    inputs: ClassVar[MetricInput] = "predictions"
    is_share: ClassVar[bool] = True
    """Whether scores are shares, which people read in percent."""
    reads_numbers: ClassVar[bool] = False
    """Whether it reads labels as numbers, so that a regressor can be measured by it."""
    counts: ClassVar[str] = "rows"
    """What the number of a score counts."""
    caveat: ClassVar[str] = ""

    interval: Interval = "exact"

    def row_values(self, data: InputT) -> Mapping[str, float]:
        """Row id → its value between 0 and 1; rows without one are absent.

        Args:
            data: What ``inputs`` says.
        """
        raise NotImplementedError(f"{self.name}: define row_values, or score and compare")

    def score(self, data: InputT) -> Sequence[Score | Skipped]:
        """The mean over rows: exact interval where each row counts 0 or 1, otherwise bootstrap.

        Args:
            data: What ``inputs`` says.
        """
        values = self.row_values(data)
        if not values:
            raise DataError(f"{self.name}: {NO_LABEL}")
        return [mean_score(self.main, list(values.values()), self.interval)]

    def compare(self, first: InputT, second: InputT) -> Sequence[Difference]:
        """The paired difference of the means over the same rows.

        Args:
            first: For the first classifier, what ``inputs`` says.
            second: The same for the second.
        """
        values = [list(self.row_values(data).values()) for data in (first, second)]
        return [difference_of_means(self.main, *values)]

    def caveats(self, scores: Scores) -> Sequence[str]:
        """The known caveat, if any."""
        del scores
        return [self.caveat] if self.caveat else []

    def summary(self, scores: Scores) -> Sequence[str]:
        """Nothing beside the scores themselves."""
        del scores
        return ()


def shares_by_row(
    pairs: Predictions, counts: Callable[[PredictedPair], bool | None]
) -> dict[str, float]:
    """Row → the share of its pairs that count; those without an answer (None) are left out.

    A pair that names no row is a row of its own.
    """
    answers: dict[str, list[bool]] = {}
    for index, pair in enumerate(pairs):
        if (answer := counts(pair)) is not None:
            answers.setdefault(pair.row or f"#{index}", []).append(answer)
    return {row: sum(of_row) / len(of_row) for row, of_row in answers.items()}


def labelled(first: Predictions, second: Predictions) -> list[tuple[PredictedPair, PredictedPair]]:
    """The predictions of two classifiers on the rows that have a true label, side by side."""
    pairs = zip(first, second, strict=True)
    return [(before, after) for before, after in pairs if before.gold is not None]
