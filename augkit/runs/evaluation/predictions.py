"""Between classifiers and metrics: probabilities to labels, scores to plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from augkit.core.protocols import Classifier
from augkit.core.types import Example, PredictedPair, Score

_PAIR = "pair_id"
"""The column that an original and its counterfactuals share."""
_TOLD = ("group", "shortcut")
"""Columns of a test row that metrics break scores down by."""


def answered(classifier: Classifier, examples: Sequence[Example]) -> list[str]:
    """The most probable label of each example; among equals the first of the classifier's."""
    chosen = classifier.predict(examples).argmax(axis=1)
    return [classifier.labels[number] for number in chosen.tolist()]


def row_answers(classifier: Classifier, rows: Sequence[Example]) -> list[PredictedPair]:
    """The answer to every row, with its group and what its shortcut suggests, if it says so."""
    return [
        PredictedPair(answer, gold=row.label, row=row.id, about=_about(row))
        for answer, row in zip(answered(classifier, rows), rows, strict=True)
    ]


def counterfactual_answers(classifier: Classifier, rows: Sequence[Example]) -> list[PredictedPair]:
    """The answers to both members of every counterfactual pair.

    Rows with the same ``pair_id`` belong together: the first is the original, the others are its
    counterfactuals.
    """
    paired = [row for row in rows if row.columns.get(_PAIR)]
    originals: dict[str, PredictedPair] = {}
    found = []
    for row, told in zip(paired, row_answers(classifier, paired), strict=True):
        original = originals.setdefault(str(row.columns[_PAIR]), told)
        if original is not told:
            found.append(replace(original, variant=told.original, variant_gold=told.gold))
    return found


def _about(row: Example) -> dict[str, str]:
    return {name: str(row.columns[name]) for name in _TOLD if row.columns.get(name) is not None}


def plain(score: Score) -> dict[str, Any]:
    """A score for JSON."""
    return {"value": score.value, "low": score.low, "high": score.high, "n": score.n}
