"""Accuracy: how often the predicted label is the true one."""

from __future__ import annotations

from collections.abc import Mapping

from augkit.core.results import Score
from augkit.evaluation.metrics.base import BaseMetric, Predictions
from augkit.evaluation.statistics.intervals import exact_share


class Accuracy(BaseMetric[Predictions]):
    """Share of the labelled rows whose predicted label is the true one.

        A = (1/|D|) · Σ_{x∈D} [ f(x) = y ]

    f(x) is ``pair.original``, y ``pair.gold``; variants play no part.

    >>> from augkit.core.results import PredictedPair
    >>> rows = [PredictedPair("pos", gold="pos"), PredictedPair("pos", gold="neg")]
    >>> Accuracy().score(rows)[0].value
    0.5
    """

    name = main = "accuracy"

    def row_values(self, data: Predictions) -> Mapping[str, float]:
        """1 where the prediction is right."""
        return {
            str(index): float(pair.original == pair.gold)
            for index, pair in enumerate(data)
            if pair.gold is not None
        }


def accuracy_on_both_sides(pairs: Predictions) -> list[Score]:
    """Accuracy on originals and on variants, over the same rows: those that have a variant.

    Empty where no such row is labelled.
    """
    changed = [pair for pair in pairs if pair.variant is not None and pair.gold is not None]
    if not changed:
        return []
    labelled = [pair for pair in changed if pair.variant_gold is not None]
    right = sum(pair.original == pair.gold for pair in changed)
    scores = [exact_share("accuracy, original", right, len(changed))]
    if labelled:
        right = sum(pair.variant == pair.variant_gold for pair in labelled)
        scores.append(exact_share("accuracy, perturbed", right, len(labelled)))
    return scores
