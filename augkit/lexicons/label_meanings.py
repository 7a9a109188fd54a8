"""What labels say: how the two texts of a pair relate, and which family of tasks a dataset is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from augkit.lexicons.load import word_group

if TYPE_CHECKING:
    from augkit.lexicons.evaluative import Polarity

Family = Literal["sentiment", "nli", "fact checking", "topics", "other"]
"""Kinds of tasks that prompts have worked examples for."""
Relation = Literal["entailment", "neutral", "contradiction"]

RELATION_NAMES: Mapping[str, Relation] = {
    **dict.fromkeys(
        ("entailment", "entails", "entailed", "supports", "supported", "support"), "entailment"
    ),
    **dict.fromkeys(
        ("contradiction", "contradicts", "refutes", "refuted", "refute"), "contradiction"
    ),
    **dict.fromkeys(("neutral", "not enough info", "not_enough_info", "nei"), "neutral"),
}
"""Lower-case labels whose meaning is clear from their name; "0" and "not_entailment" are not."""

_POLARITY_NAMES: Mapping[str, Polarity] = {
    **dict.fromkeys(word_group("polarity_contexts", "positive_labels"), "positive"),
    **dict.fromkeys(word_group("polarity_contexts", "negative_labels"), "negative"),
}
_SENTIMENT = frozenset({"neutral", "mixed", *_POLARITY_NAMES})
_FACT_CHECKING = frozenset(
    "supports supported support refutes refuted refute nei not_enough_info".split()
) | {"not enough info"}
_NO_TOPIC = frozenset("yes no true false other none unknown label".split())


def relation_of(label: str | None) -> Relation | None:
    """The relation that a label names.

    >>> relation_of("SUPPORTS"), relation_of("2")
    ('entailment', None)
    """
    return RELATION_NAMES.get((label or "").strip().casefold())


def polarity_of_name(label: str) -> Polarity | None:
    """The polarity that the name of a label states.

    >>> polarity_of_name("Positive"), polarity_of_name("neg"), polarity_of_name("1")
    ('positive', 'negative', None)
    """
    return _POLARITY_NAMES.get(label.strip().casefold())


def labels_of(labels: Sequence[str]) -> dict[Relation, str]:
    """The label of each relation that a dataset has.

    >>> labels_of(["REFUTES", "SUPPORTS"])
    {'contradiction': 'REFUTES', 'entailment': 'SUPPORTS'}
    """
    by_relation: dict[Relation, str] = {}
    for label in labels:
        if relation := relation_of(label):
            by_relation.setdefault(relation, label)
    return by_relation


def unnamed_relations(method: str, labels: Sequence[str], remedy: str = "") -> str:
    """What to say where no labels mean true and false of a pair; "" where two do."""
    is_known = {"entailment", "contradiction"} <= labels_of(labels).keys()
    return "" if is_known else names_no_relation(method, labels, remedy)


def names_no_relation(method: str, labels: Sequence[str], remedy: str = "") -> str:
    """That a method cannot tell what the labels mean, and what to do about it.

    >>> names_no_relation("contrast", ["0", "1"])[:59]
    "'contrast' must know what the labels mean, and 0, 1 name no"
    """
    named = f", or say what they mean: {remedy}" if remedy else ""
    return (
        f"'{method}' must know what the labels mean, and {', '.join(labels[:6])} name no relation "
        "of two texts. Write names into the label column (as entailment, neutral, contradiction, "
        f"or SUPPORTS, REFUTES){named}"
    )


def is_possibly_open(label: str | None, fields: Iterable[str], labels: Iterable[str]) -> bool:
    """Whether a contradiction may be an open claim, which a dataset without neutral cannot say.

    >>> is_possibly_open("REFUTES", ["evidence", "claim"], ["REFUTES", "SUPPORTS"])
    True
    """
    refuted = relation_of(label) == "contradiction" and len(list(fields)) > 1
    return refuted and "neutral" not in map(relation_of, labels)


def task_family(labels: Iterable[str | None], fields: Iterable[str]) -> Family:
    """The family of rows with these fields, by the names of some or all of their labels.

    >>> task_family(["very positive"], ["text"]), task_family(["SUPPORTS"], ["evidence", "claim"])
    ('sentiment', 'fact checking')
    >>> task_family(["neutral"], ["premise", "hypothesis"]), task_family(["Sports"], ["text"])
    ('nli', 'topics')
    """
    names = {label.strip().casefold() for label in labels if label is not None}
    if not names:
        return "other"
    if len(list(fields)) > 1:
        if names & _FACT_CHECKING:
            return "fact checking"
        return "nli" if any(map(relation_of, names)) else "other"
    if all(_SENTIMENT.intersection(name.replace("_", " ").split()) for name in names):
        return "sentiment"
    return "topics" if all(map(_names_topic, names)) else "other"


def _names_topic(label: str) -> bool:
    """Whether a label is made of words that say what a text is about."""
    letters = sum(map(str.isalpha, label))
    return label not in _NO_TOPIC and letters > 2 and letters >= 0.7 * len(label)
