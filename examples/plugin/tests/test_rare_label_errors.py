"""The metric of the plug-in: its score, its comparison, its place in an evaluation."""

from __future__ import annotations

from augkit_rare_label_errors import RareLabelErrors

from augkit.core.results import PredictedPair

GOLD = ["rare"] * 4 + ["common"] * 16
ALWAYS_COMMON = [PredictedPair("common", gold=gold) for gold in GOLD]
ALWAYS_RIGHT = [PredictedPair(gold, gold=gold) for gold in GOLD]


def test_errors_on_the_rarest_label_are_counted() -> None:
    """A classifier that never predicts the rare label is always wrong on it."""
    (score,) = RareLabelErrors().score(ALWAYS_COMMON)
    assert (score.name, score.value, score.n) == ("rare_label_errors", 1.0, 4)
    assert RareLabelErrors().score(ALWAYS_RIGHT)[0].value == 0.0


def test_two_classifiers_are_compared() -> None:
    """The difference comes with an interval and McNemar's p, without code of its own."""
    (difference,) = RareLabelErrors().compare(ALWAYS_COMMON, ALWAYS_RIGHT)
    assert (difference.score.value, difference.p) == (-1.0, 0.125)
    assert RareLabelErrors.direction == "lower"
