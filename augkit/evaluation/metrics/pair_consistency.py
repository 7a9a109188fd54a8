"""Pair consistency: the share of counterfactual pairs whose two labels are both right."""

from __future__ import annotations

from collections.abc import Mapping

from augkit.core.errors import DataError
from augkit.core.results import Score
from augkit.evaluation.metrics.accuracy import accuracy_on_both_sides
from augkit.evaluation.metrics.base import BaseMetric, Predictions, shares_by_row
from augkit.evaluation.statistics.intervals import mean_score


class PairConsistency(BaseMetric[Predictions]):
    """Share of counterfactual pairs of which both members are right, and each side's accuracy.

        C = (1/|P|) · Σ_{(x, x̃)∈P} [ f(x) = y ] · [ f(x̃) = ỹ ]

    P are the pairs whose two true labels are known. It is never above the accuracy of either side.
    A row with several variants counts with the share of its pairs that are right; the interval is
    then the bootstrap's over rows, otherwise the exact one.

    Reference: gardner2020evaluating.

    >>> from augkit.core.results import PredictedPair
    >>> pair = PredictedPair("pos", "pos", gold="pos", variant_gold="neg")
    >>> [(score.name, score.value) for score in PairConsistency().score([pair])]
    [('consistency', 0.0), ('accuracy, original', 1.0), ('accuracy, perturbed', 0.0)]
    """

    name = "pair-consistency"
    main = "consistency"
    inputs = "counterfactuals"

    def row_values(self, data: Predictions) -> Mapping[str, float]:
        """The share of a row's pairs of which both members are right."""
        return shares_by_row(
            _known(data),
            lambda pair: pair.original == pair.gold and pair.variant == pair.variant_gold,
        )

    def score(self, data: Predictions) -> list[Score]:
        """Consistency, then the accuracy of each side."""
        values = self.row_values(data)
        if not values:
            raise DataError(
                f"{self.name}: no row has a counterfactual with a true label. Rows of one pair "
                "share their 'pair_id': test on both sides, as in --test "
                "imdb_cad:original_dev+revised_dev"
            )
        main = mean_score(self.main, list(values.values()), self.interval)
        return [main, *accuracy_on_both_sides(_known(data))]


def _known(pairs: Predictions) -> Predictions:
    return [pair for pair in pairs if None not in {pair.variant, pair.gold, pair.variant_gold}]
