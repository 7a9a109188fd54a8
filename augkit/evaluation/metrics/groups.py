"""Accuracy where it matters who or what a row is: the worst group, and rows against a shortcut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from augkit.core.errors import DataError
from augkit.core.types import PredictedPair, Score
from augkit.evaluation.statistics.intervals import (
    LEVEL,
    difference_of_shares,
    exact_share,
    share_bounds,
)


def worst_group(pairs: Sequence[PredictedPair]) -> list[Score]:
    """Accuracy of the group that fares worst, then that of every group.

        W = min over g of  (1/|D_g|) · Σ_{x∈D_g} [ f(x) = y ]

    A row's group is ``about["group"]``; where no row names one, it is the true label. The least of
    G measured accuracies lies below the least true one more often than not, so its interval goes
    from the least lower to the least upper end of G exact intervals of level 1 - 0.05/G: together
    these hold all G truths, and so the least, at least 95 times in 100.

    Reference: sagawa2020distributionally.

    >>> rows = [PredictedPair("a", gold="a"), PredictedPair("a", gold="b")]
    >>> [(score.name, score.value) for score in worst_group(rows)]
    [('worst_group', 0.0), ('group: a', 1.0), ('group: b', 0.0)]
    """
    labelled = [pair for pair in pairs if pair.gold is not None]
    if not labelled:
        raise DataError("worst group: no row has a true label to hold the predicted one against")
    named = any("group" in pair.about for pair in labelled)
    groups = [_group(pair) if named else str(pair.gold) for pair in labelled]
    rows = Counter(groups)
    hits = Counter(
        group for group, pair in zip(groups, labelled, strict=True) if pair.original == pair.gold
    )
    each = [exact_share(f"group: {group}", hits[group], rows[group]) for group in sorted(rows)]
    worst = min(each, key=lambda score: score.value)
    level = 1 - (1 - LEVEL) / len(rows)
    ends = [share_bounds(hits[group], rows[group], level) for group in rows]
    low, high = min(low for low, _ in ends), min(high for _, high in ends)
    return [Score("worst_group", worst.value, low, high, worst.n), *each]


def _group(pair: PredictedPair) -> str:
    return pair.about.get("group", "(none)")


def counter_examples(pairs: Sequence[PredictedPair]) -> list[Score]:
    """Accuracy where a shortcut leads to the true label, where it misleads, and the gap.

        gap = accuracy(supporting) - accuracy(counter),
        supporting: y = s(x),  counter: y ≠ s(x)

    s(x) is ``about["shortcut"]``, the label that the shortcut in the row suggests; rows without one
    play no part. A classifier that does not use the shortcut has a gap near 0.

    >>> told = {"shortcut": "neg"}
    >>> rows = [PredictedPair("neg", gold=gold, about=told) for gold in ("neg", "neg", "pos")]
    >>> [(score.name, score.value, score.n) for score in counter_examples(rows)]
    [('supporting', 1.0, 2), ('counter', 0.0, 1), ('gap', 1.0, 3)]
    """
    known = [pair for pair in pairs if pair.gold is not None and "shortcut" in pair.about]
    supporting = [pair for pair in known if pair.about["shortcut"] == pair.gold]
    counter = [pair for pair in known if pair.about["shortcut"] != pair.gold]
    if not supporting or not counter:
        raise DataError(
            f"counter-examples: {len(supporting)} rows whose shortcut is right and {len(counter)} "
            "whose shortcut is wrong, and both are needed. A row says in the column 'shortcut' "
            "which label its shortcut suggests"
        )
    with_it, against_it = _accuracy("supporting", supporting), _accuracy("counter", counter)
    return [with_it, against_it, difference_of_shares("gap", against_it, with_it)]


def _accuracy(name: str, pairs: Sequence[PredictedPair]) -> Score:
    return exact_share(name, sum(pair.original == pair.gold for pair in pairs), len(pairs))
