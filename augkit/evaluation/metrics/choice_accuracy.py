"""Accuracy on choices, by difficulty: does a reward model know the better answer or the longer?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.results import Difference, Direction, Score, Skipped
from augkit.core.types import value
from augkit.evaluation.choices import LEVELS
from augkit.evaluation.metrics.base import BaseMetric, Scores
from augkit.evaluation.statistics.intervals import mean_score
from augkit.evaluation.statistics.significance import difference_of_means
from augkit.evaluation.statistics.units import resampled_units, unit_table

GAP = "gap (easy - hard)"
PICKED = "picks the longest"
WON = "the longest wins"


@value
class JudgedChoice:
    """How a reward model decides a choice.

    Attributes:
        unit: Choices with the same name here are one unit of the bootstrap.
        right: The share of its best candidates that won: 1 or 0 where there is one.
        level: easy, normal or hard.
        group: The means of the groups are averaged.
        ratio: How many times as long as the shortest candidate the longest is.
        picked: The share of its best candidates that are the longest; None where all are as long.
        won: The same of the winners.
    """

    unit: str
    right: float
    level: str
    group: str = ""
    ratio: float = 1.0
    picked: float | None = None
    won: float | None = None


JudgedChoices = Sequence[JudgedChoice]
Value = Callable[[JudgedChoice], float | None]


def _level_value(level: str) -> Value:
    return lambda judged: judged.right if judged.level == level else None


_VALUES: dict[str, Value] = {
    "accuracy": lambda judged: judged.right,
    **{level: _level_value(level) for level in LEVELS},
    PICKED: lambda judged: judged.picked,
    WON: lambda judged: judged.won,
}
_COMPARED: dict[str, Direction] = {
    "accuracy": "higher",
    "normal": "higher",
    GAP: "lower",
    PICKED: "neither",
}


class ChoiceAccuracy(BaseMetric[JudgedChoices]):
    """How often the winner of a choice has the highest score, over all and by difficulty.

        A = (1/|G|) · Σ_g (1/n_g) · Σ_{i in g} |B_i ∩ W_i| / |B_i|

    B are the candidates of an item with the highest score, W its winners; g are the groups of
    items whose means are averaged (one, unless a column is named). The gap is A(easy) - A(hard);
    of two models, the sizes of their gaps are compared, so that a gap of the other sign is no
    success. Units are resampled, which may hold several items; where each holds one, intervals of
    shares are exact.

    >>> judged = [JudgedChoice("a", 1.0, "easy"), JudgedChoice("b", 0.0, "hard")]
    >>> [score.value for score in ChoiceAccuracy().score(judged) if score.name == GAP]
    [1.0]
    """

    name = "choice-accuracy"
    main = "accuracy"
    inputs = "choices"
    counts = "items"

    def score(self, data: JudgedChoices) -> Sequence[Score | Skipped]:
        """All that can be measured."""
        if not data:
            raise DataError(f"{self.name}: no choice is decided")
        scores: list[Score | Skipped] = []
        for name, measured in _VALUES.items():
            part = [judged for judged in data if measured(judged) is not None]
            if not part:
                if name in LEVELS:
                    scores.append(Skipped(name, "no item is of this difficulty"))
            elif _are_single(part):
                values = [measured(judged) or 0.0 for judged in part]
                scores.append(mean_score(name, values, self.interval))
            else:
                scores.append(
                    resampled_units(name, [_table(part, measured)], lambda share: share)[0]
                )
        if _has_gap(data):
            tables = _gap_tables(data)
            score, _ = resampled_units(GAP, tables, lambda easy, hard: easy - hard, (-1.0, 1.0))
            scores.insert(1 + len(LEVELS), score)
        return scores

    def compare(self, first: JudgedChoices, second: JudgedChoices) -> Sequence[Difference]:
        """Second minus first: accuracy, that of normal items, the sizes of the gaps, the picks."""
        differences = []
        for name, direction in _COMPARED.items():
            difference = self._difference(name, first, second)
            if difference is not None:
                differences.append(replace(difference, direction=direction))
        return differences

    def _difference(
        self, name: str, first: JudgedChoices, second: JudgedChoices
    ) -> Difference | None:
        title = f"{name} difference"
        if name == GAP:
            if not _has_gap(first):
                return None
            tables = [*_gap_tables(first), *_gap_tables(second)]
            return Difference(name, *resampled_units(title, tables, _change_of_size, (-1.0, 1.0)))
        measured = _VALUES[name]
        sides = [[j for j in data if measured(j) is not None] for data in (first, second)]
        if not sides[0]:
            return None
        if _are_single(sides[0]):
            values = [[measured(judged) or 0.0 for judged in side] for side in sides]
            return difference_of_means(name, *values)
        tables = [_table(side, measured) for side in sides]
        return Difference(
            name, *resampled_units(title, tables, lambda before, after: after - before, (-1.0, 1.0))
        )

    def caveats(self, scores: Scores) -> Sequence[str]:
        """A ruler that is as good as a model."""
        accuracy = scores.get("accuracy")
        won = scores.get(WON)
        if accuracy is None or won is None or won.value < accuracy.value:
            return []
        caveat = (
            f"a rule that takes the longest candidate is right in {100 * won.value:.1f} % of the "
            "items whose lengths differ, as often as a reward model or more often"
        )
        return [caveat]


def _change_of_size(easy: Floats, hard: Floats, easy_after: Floats, hard_after: Floats) -> Floats:
    return abs(easy_after - hard_after) - abs(easy - hard)


def _are_single(data: JudgedChoices) -> bool:
    """Whether every unit has one item, and all are in one group: then rows are independent."""
    return (
        len({judged.unit for judged in data}) == len(data)
        and len({judged.group for judged in data}) == 1
    )


def _has_gap(data: JudgedChoices) -> bool:
    return {"easy", "hard"} <= {judged.level for judged in data}


def _table(data: JudgedChoices, measured: Value) -> Floats:
    return unit_table([(judged.unit, judged.group, measured(judged)) for judged in data])


def _gap_tables(data: JudgedChoices) -> list[Floats]:
    return [_table(data, _VALUES[level]) for level in ("easy", "hard")]
