"""The family of tasks that a dataset belongs to, which chooses the worked examples of prompts."""

from __future__ import annotations

from collections.abc import Iterable

from augkit.augmenters.relations import relation_of
from augkit.lexicons.load import word_group
from augkit.prompts.prompt import Family

_SENTIMENT = frozenset({"neutral", "mixed"}).union(
    *(word_group("polarity_contexts", f"{side}_labels") for side in ("positive", "negative"))
)
_FACT_CHECKING = frozenset(
    "supports supported support refutes refuted refute nei not_enough_info".split()
) | {"not enough info"}
_NO_TOPIC = frozenset("yes no true false other none unknown label".split())


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
