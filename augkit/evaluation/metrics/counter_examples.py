"""Accuracy on counter-examples of a shortcut: rows whose shortcut suggests a wrong label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.results import Difference, Direction, PredictedPair, Score
from augkit.evaluation.metrics.base import BaseMetric, Predictions, labelled
from augkit.evaluation.statistics.intervals import Statistic, difference_of_shares, exact_share
from augkit.evaluation.statistics.significance import difference_of_means, resampled_difference


class CounterExamples(BaseMetric[Predictions]):
    """Accuracy where a shortcut suggests the true label, where it misleads, and the gap.

        gap = accuracy(supporting) - accuracy(counter),
        supporting: y = s(x),  counter: y ≠ s(x)

    s(x) is ``about["shortcut"]``, the label that the shortcut in the row suggests; rows without one
    play no part. A classifier that does not use the shortcut has a gap near 0; one that takes it
    for a sign of another label has a negative one.

    >>> from augkit.core.results import PredictedPair
    >>> about = {"shortcut": "neg"}
    >>> rows = [PredictedPair("neg", gold=gold, about=about) for gold in ("neg", "neg", "pos")]
    >>> [(score.name, score.value, score.n) for score in CounterExamples().score(rows)]
    [('supporting', 1.0, 2), ('counter', 0.0, 1), ('gap', 1.0, 3)]
    """

    name = "counter-examples"

    def score(self, data: Predictions) -> list[Score]:
        """Accuracy on both kinds of rows, and the gap."""
        pairs = [pair for pair in data if pair.gold is not None and "shortcut" in pair.about]
        supporting = [pair for pair in pairs if not _misled(pair)]
        counter = [pair for pair in pairs if _misled(pair)]
        if not supporting or not counter:
            raise DataError(
                f"{self.name}: {len(supporting)} rows whose shortcut suggests the true label and "
                f"{len(counter)} whose shortcut suggests another, and both are needed. The column "
                "'shortcut' of a row names the label that its shortcut suggests"
            )
        supported = _accuracy("supporting", supporting)
        misled = _accuracy("counter", counter)
        return [supported, misled, difference_of_shares("gap", misled, supported)]

    def compare(self, first: Predictions, second: Predictions) -> list[Difference]:
        """The differences of the accuracy on counter-examples and of the gap."""
        cells = [
            (
                _misled(before),
                float(before.original == before.gold),
                float(after.original == after.gold),
            )
            for before, after in labelled(first, second)
            if "shortcut" in before.about
        ]
        rights = [[cell[side] for cell in cells if cell[0]] for side in (1, 2)]
        gap = resampled_difference("gap", cells, _gap)
        # Those gaps are better that are nearer to 0; neither where it is unclear which those are.
        distance = resampled_difference("gap", cells, _distance).score
        direction: Direction = "neither"
        if distance.excludes_zero:
            direction = "lower" if (gap.score.value > 0) == (distance.value > 0) else "higher"
        return [difference_of_means("counter", *rights), replace(gap, direction=direction)]


def _misled(pair: PredictedPair) -> bool:
    return bool(pair.about["shortcut"] != pair.gold)


def _accuracy(name: str, pairs: Predictions) -> Score:
    return exact_share(name, sum(pair.original == pair.gold for pair in pairs), len(pairs))


def _distance(misled: Sequence[bool], right: Sequence[float]) -> Statistic:
    gap = _gap(misled, right)
    return lambda counts: abs(gap(counts))


def _gap(misled: Sequence[bool], right: Sequence[float]) -> Statistic:
    import numpy as np

    counter = np.array(misled)
    values = np.array(right)

    def gap(counts: Floats) -> Floats:
        supporting, misleading = (
            (counts @ (values * where)) / np.maximum(counts @ where.astype(float), 1)
            for where in (~counter, counter)
        )
        return np.asarray(supporting - misleading)

    return gap
