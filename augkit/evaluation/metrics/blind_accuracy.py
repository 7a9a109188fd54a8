"""Blind accuracy of training items: how often their winner is found without the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.results import Difference, Score, Skipped
from augkit.evaluation.metrics.base import BaseMetric
from augkit.evaluation.statistics.units import resampled_units, unit_table

BlindItems = Sequence[tuple[str, float, float]]
"""The unit of each training item, how far a ranker of other units finds its winner (0 to 1), and
what the item counts."""


class TrainingBlindAccuracy(BaseMetric[BlindItems]):
    """Share of the training items whose winner a ranker finds that never sees the prompt.

    The ranker is that of `augkit check`: words and word pairs of the candidates, trained on the
    items of other units, by five folds. What is above chance is there to be learnt without the
    prompt. Items that a run has weighed count by their weight, in training and in the share. Two
    training sets may differ in their items: units are resampled, with what each of the two sets
    has of them.

    >>> TrainingBlindAccuracy().score([("a", 1.0, 3.0), ("b", 0.0, 1.0)])[0].value
    0.75
    """

    name = main = "blind-accuracy"
    direction = "lower"
    inputs = "training choices"
    counts = "units"

    def score(self, data: BlindItems) -> Sequence[Score | Skipped]:
        """The mean over items; units are resampled."""
        if not data:
            raise DataError(f"{self.name}: no choice is decided")
        table = _table(data)
        return [resampled_units(self.main, [table], lambda mean: mean)[0]]

    def compare(self, first: BlindItems, second: BlindItems) -> Sequence[Difference]:
        """Second minus first, over the units of either."""
        units = {unit for data in (first, second) for unit, _, _ in data}
        tables = [_table(data, units) for data in (first, second)]
        score, p = resampled_units(
            f"{self.main} difference",
            tables,
            lambda before, after: after - before,
            (-1.0, 1.0),
        )
        return [Difference(self.main, score, p)]


def _table(data: BlindItems, units: Iterable[str] = ()) -> Floats:
    items = [(unit, "", share) for unit, share, _ in data]
    return unit_table(items, units, [weight for _, _, weight in data])
