"""What a label means, in plain words for a language model."""

from __future__ import annotations

from collections.abc import Mapping

from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.lexicons.label_order import LabelOrder
from augkit.lexicons.load import word_group

_SENTIMENT = {
    "positive": "it is good",
    "negative": "it is bad",
    "neutral": "it is neither good nor bad",
}


def order_meanings(order: LabelOrder | None, fitted: TextsArtifact | None) -> dict[str, str]:
    """What the labels of an order mean: their place in it and, where it is known, a polarity.

    >>> from augkit.lexicons.label_order import named_order
    >>> order_meanings(named_order(["low", "medium", "high"]), None)["low"]
    'number 1 of 3, from lowest to highest: low, medium, high'
    """
    if order is None:
        return {}
    polarity, ranked = {} if fitted is None else fitted.polarity, order.ranked
    found = {}
    for number, label in enumerate(ranked, 1):
        place = f"number {number} of {len(ranked)}, from lowest to highest: {', '.join(ranked)}"
        side = polarity.get(label)
        found[label] = place if side is None else f"{_SENTIMENT[side]}; {place}"
    return found


def label_meaning(label: str, descriptions: Mapping[str, str]) -> str:
    """A label, with a description where there is one.

    >>> label_meaning("neg", {"neg": "a complaint"}), label_meaning("Sports", {})
    ('neg: a complaint', 'Sports')
    """
    known = descriptions.get(label)
    return f"{label}: {known}" if known else label


def polarity_of(label: str) -> str | None:
    """The side of a label of sentiment whose name says it: positive, negative or neutral.

    >>> polarity_of("neg"), polarity_of("Sports")
    ('negative', None)
    """
    name = label.strip().casefold()
    for side in ("positive", "negative"):
        if name in word_group("polarity_contexts", f"{side}_labels"):
            return side
    return name if name in _SENTIMENT else None
