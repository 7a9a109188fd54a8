"""Error of contrast sets: how often small edits bring out the label that a shortcut suggests."""

from __future__ import annotations

from collections.abc import Mapping

from augkit.core.errors import DataError
from augkit.core.results import Difference, Score
from augkit.evaluation.metrics.base import BaseMetric, Predictions
from augkit.evaluation.statistics.intervals import exact_share, mean_score
from augkit.evaluation.statistics.significance import difference_of_means

Sets = Mapping[tuple[str, str], bool]
"""Kind of edit and row → whether any variant got the label that the shortcut suggests."""
_CONTROL = "control"


class ContrastError(BaseMetric[Predictions]):
    """Share of contrast sets in which any variant gets the label that the shortcut suggests.

        E = |{ S_i : f(x_i) = y_i, ∃ x* ∈ S_i: f(x*) = s(x*) }| / |{ S_i : f(x_i) = y_i }|

    S_i are the variants of a row by one kind of edit, and s(x*), in ``about["suggests"]``, is the
    label that the edit's shortcut suggests. Rows that the classifier gets wrong do not count. After
    all sets come those of each kind of edit.

    Reference: friedman2022finding, section 4.

    >>> from augkit.core.results import PredictedPair
    >>> about = {"edit": "antonym", "suggests": "no"}
    >>> rows = [PredictedPair("yes", said, "yes", row="1", about=about) for said in ("yes", "no")]
    >>> [(score.name, score.value, score.n) for score in ContrastError().score(rows)]
    [('error', 1.0, 1), ('error, antonym', 1.0, 1)]
    """

    name = "contrast-error"
    main = "error"
    direction = "lower"
    inputs = "contrast"
    counts = "contrast sets"
    caveat = (
        "a classifier that gets few originals right has few contrast sets: read the error beside "
        "the accuracy"
    )

    def score(self, data: Predictions) -> list[Score]:
        """The error of all sets, then by kind of edit."""
        sets = misled_sets(data)
        if not sets:
            raise DataError(f"{self.name}: no row with a contrast set is classified correctly")
        scores = [mean_score(self.main, list(map(float, sets.values())), self.interval)]
        for edit in sorted({edit for edit, _ in sets}):
            of_edit = [misled for (kind, _), misled in sets.items() if kind == edit]
            scores.append(exact_share(f"{self.main}, {edit}", sum(of_edit), len(of_edit)))
        return scores

    def compare(self, first: Predictions, second: Predictions) -> list[Difference]:
        """The difference over the sets whose original both classifiers get right."""
        before = misled_sets(first)
        after = misled_sets(second)
        common = [key for key in before if key in after]
        if not common:
            raise DataError(f"{self.name}: there is no set whose original both get right")
        values = [[float(sets[key]) for key in common] for sets in (before, after)]
        return [difference_of_means(self.main, *values)]


def misled_sets(data: Predictions) -> Sets:
    """Every set whose original is right: does any of its variants get the shortcut's label?"""
    sets: dict[tuple[str, str], bool] = {}
    for pair in data:
        edit = pair.about.get("edit", "")
        if pair.original != pair.gold or edit == _CONTROL:
            continue
        misled = pair.variant == pair.about.get("suggests")
        sets[edit, pair.row] = sets.get((edit, pair.row), False) or misled
    return sets
