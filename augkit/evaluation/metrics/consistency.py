"""Consistency: a pair that differs in what decides the label is understood when both are right."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.core.errors import DataError
from augkit.core.types import PredictedPair, Score
from augkit.evaluation.metrics.accuracy import both_sides
from augkit.evaluation.statistics.intervals import bootstrap_mean, exact_share


def pair_consistency(pairs: Sequence[PredictedPair]) -> list[Score]:
    """Share of counterfactual pairs of which both members are right, and each side's accuracy.

        C = (1/|P|) · Σ_{(x, x̃)∈P} [ f(x) = y ] · [ f(x̃) = ỹ ]

    P is the pairs whose two true labels are known. It is never above the accuracy of either side.
    A row with several variants counts with the share of its pairs that are right; the interval is
    then the bootstrap's over rows, otherwise the exact one.

    Reference: gardner2020evaluating.

    >>> told = PredictedPair("pos", "pos", gold="pos", variant_gold="neg")
    >>> [(score.name, score.value) for score in pair_consistency([told])]
    [('consistency', 0.0), ('original', 1.0), ('perturbed', 0.0)]
    """
    right: dict[str, list[bool]] = {}
    known = [pair for pair in pairs if None not in {pair.variant, pair.gold, pair.variant_gold}]
    for place, pair in enumerate(known):
        both = pair.original == pair.gold and pair.variant == pair.variant_gold
        right.setdefault(pair.row or f"#{place}", []).append(both)
    if not right:
        raise DataError(
            "pair consistency: no row has a counterfactual with a true label. Rows of one pair "
            "share their 'pair_id': test on both sides, as --test imdb_cad:original_dev+revised_dev"
        )
    return [_share(list(right.values())), *both_sides(known)]


def _share(right: Sequence[Sequence[bool]]) -> Score:
    if all(len(several) == 1 for several in right):
        return exact_share("consistency", sum(several[0] for several in right), len(right))
    return bootstrap_mean("consistency", [sum(several) / len(several) for several in right])
