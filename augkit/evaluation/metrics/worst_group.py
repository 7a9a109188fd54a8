"""Worst-group accuracy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.results import Difference, Score
from augkit.evaluation.metrics.base import NO_LABEL, BaseMetric, Predictions, labelled
from augkit.evaluation.statistics.intervals import LEVEL, Statistic, exact_share, share_bounds
from augkit.evaluation.statistics.significance import resampled_difference


class WorstGroup(BaseMetric[Predictions]):
    """Accuracy of the group with the lowest accuracy, then that of every group.

        W = min over g of  (1/|D_g|) · Σ_{x∈D_g} [ f(x) = y ]

    A row's group is ``about["group"]``; where no row names one, it is the true label. The least of
    G measured accuracies lies below the least true one more often than not, so its interval goes
    from the least lower to the least upper end of G exact intervals of level 1 - 0.05/G: together
    these hold all G truths, and so the least, at least 95 times in 100.

    Reference: sagawa2020distributionally.

    >>> from augkit.core.results import PredictedPair
    >>> rows = [PredictedPair("a", gold="a"), PredictedPair("a", gold="b")]
    >>> [(score.name, score.value) for score in WorstGroup().score(rows)]
    [('worst_group', 0.0), ('group: a', 1.0), ('group: b', 0.0)]
    """

    name = "worst-group"
    main = "worst_group"
    caveat = "the worst group is picked after the fact, so its score is biased low"

    def score(self, data: Predictions) -> list[Score]:
        """The lowest accuracy, then each group's."""
        pairs = [pair for pair in data if pair.gold is not None]
        if not pairs:
            raise DataError(f"{self.name}: {NO_LABEL}")
        groups = _groups(pairs)
        rows = Counter(groups)
        hits = Counter(
            group for group, pair in zip(groups, pairs, strict=True) if pair.original == pair.gold
        )
        scores = [
            exact_share(f"group: {group}", hits[group], rows[group]) for group in sorted(rows)
        ]
        worst = min(scores, key=lambda score: score.value)
        level = 1 - (1 - LEVEL) / len(rows)
        ends = [share_bounds(hits[group], rows[group], level) for group in rows]
        low = min(low for low, _ in ends)
        high = min(high for _, high in ends)
        return [Score(self.main, worst.value, low, high, worst.n), *scores]

    def compare(self, first: Predictions, second: Predictions) -> list[Difference]:
        """The difference of the lowest accuracies over the same resamples."""
        pairs = labelled(first, second)
        groups = _groups([before for before, _ in pairs])
        cells = [
            (group, float(before.original == before.gold), float(after.original == after.gold))
            for group, (before, after) in zip(groups, pairs, strict=True)
        ]
        return [resampled_difference(self.main, cells, _lowest_accuracy)]


def _groups(pairs: Predictions) -> list[str]:
    named = any("group" in pair.about for pair in pairs)
    return [str(pair.about.get("group", "(none)") if named else pair.gold) for pair in pairs]


def _lowest_accuracy(groups: Sequence[str], right: Sequence[float]) -> Statistic:
    import numpy as np

    names = sorted(set(groups))
    inside = np.array([[group == name for name in names] for group in groups], float)

    def lowest(counts: Floats) -> Floats:
        rows = counts @ inside
        hits = counts @ (inside * np.array(right)[:, None])
        share = np.divide(hits, rows, out=np.ones_like(hits), where=rows > 0)
        return np.asarray(share.min(axis=1))

    return lowest
