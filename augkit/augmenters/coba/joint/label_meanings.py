"""What a label means, in plain words for a language model."""

from __future__ import annotations

from collections.abc import Mapping

from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.relations import Relation, relation_of
from augkit.lexicons.label_order import LabelOrder
from augkit.lexicons.load import word_group

_RELATIONS: Mapping[Relation, str] = {
    "entailment": "true by the first text; say only what it says",
    "contradiction": "false by the first text; say what it rules out",
    "neutral": "open; say something more, which the first text leaves open",
}
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


def label_meaning(label: str, descriptions: Mapping[str, str], *, is_pair: bool) -> str:
    """A label and what it means: by the user's description, or where its name says it.

    >>> label_meaning("neg", {}, is_pair=False)
    'neg: it is bad'
    >>> label_meaning("REFUTES", {}, is_pair=True)
    'REFUTES: false by the first text; say what it rules out'
    >>> label_meaning("Sports", {}, is_pair=False)
    'Sports'
    """
    known = descriptions.get(label) or (_relation(label) if is_pair else _sentiment(label))
    return f"{label}: {known}" if known else label


def _relation(label: str) -> str | None:
    relation = relation_of(label)
    return None if relation is None else _RELATIONS[relation]


def _sentiment(label: str) -> str | None:
    name = label.strip().casefold()
    for side in ("positive", "negative"):
        if name in word_group("polarity_contexts", f"{side}_labels"):
            return _SENTIMENT[side]
    return _SENTIMENT.get(name)
