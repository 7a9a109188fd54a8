"""How the two texts of a pair relate, and which label of a dataset says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

Relation = Literal["entailment", "neutral", "contradiction"]

_NAMES: Mapping[str, Relation] = {
    **dict.fromkeys(
        ("entailment", "entails", "entailed", "supports", "supported", "support"), "entailment"
    ),
    **dict.fromkeys(
        ("contradiction", "contradicts", "refutes", "refuted", "refute"), "contradiction"
    ),
    **dict.fromkeys(("neutral", "not enough info", "not_enough_info", "nei"), "neutral"),
}
"""Lower-case labels whose meaning is clear from their name; "0" and "not_entailment" are not."""


def relation_of(label: str | None) -> Relation | None:
    """The relation that a label names.

    >>> relation_of("SUPPORTS"), relation_of("2")
    ('entailment', None)
    """
    return _NAMES.get((label or "").strip().casefold())


def labels_of(labels: Sequence[str]) -> dict[Relation, str]:
    """The label of each relation that a dataset has.

    >>> labels_of(["REFUTES", "SUPPORTS"])
    {'contradiction': 'REFUTES', 'entailment': 'SUPPORTS'}
    """
    found: dict[Relation, str] = {}
    for label in labels:
        if relation := relation_of(label):
            found.setdefault(relation, label)
    return found
