"""Accuracy: how often the predicted label is the true one."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.core.errors import DataError
from augkit.core.types import PredictedPair, Score
from augkit.evaluation.statistics.intervals import exact_share


def accuracy(pairs: Sequence[PredictedPair]) -> list[Score]:
    """Share of the labelled rows whose predicted label is the true one.

        A = (1/|D|) · Σ_{x∈D} [ f(x) = y ]

    f(x) is ``pair.original``, y ``pair.gold``; the variants play no part.

    >>> accuracy([PredictedPair("pos", gold="pos"), PredictedPair("pos", gold="neg")])[0].value
    0.5
    """
    return [_share("accuracy", [(pair.original, pair.gold) for pair in pairs])]


def both_sides(pairs: Sequence[PredictedPair]) -> list[Score]:
    """Accuracy on the originals and on the variants of the rows that have a variant.

    Both are over the same rows, so that one can be held against the other. Nothing is returned
    where no such row is labelled.
    """
    changed = [pair for pair in pairs if pair.variant is not None and pair.gold is not None]
    if not changed:
        return []
    return [
        _share("original", [(pair.original, pair.gold) for pair in changed]),
        _share("perturbed", [(pair.variant, pair.variant_gold) for pair in changed]),
    ]


def _share(name: str, answers: Sequence[tuple[str | None, str | None]]) -> Score:
    labelled = [answer == gold for answer, gold in answers if gold is not None]
    if not labelled:
        raise DataError(f"{name}: no row has a true label to hold the predicted one against")
    return exact_share(name, sum(labelled), len(labelled))
