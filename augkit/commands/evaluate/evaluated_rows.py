"""The single rows of a test set: what was predicted for each, and which were trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from augkit.commands.evaluate.classifiers import NamedClassifier
from augkit.commands.evaluate.inputs import EvaluationSet
from augkit.core.errors import UserError
from augkit.text.same_text import content_digest


def prediction_lines(
    tests: Sequence[EvaluationSet], predicted: Mapping[str, Mapping[str, str]]
) -> Iterator[dict[str, Any]]:
    """Lines of ``predictions.jsonl``, for rows that a metric needed a prediction of.

    ``predicted``: name of a classifier → id of a row → label.
    """
    for test in tests:
        for row in test.rows:
            found = {name: own[row.id] for name, own in predicted.items() if row.id in own}
            if found:
                named = {"row_id": row.columns.get(test.id_column)} if test.id_column else {}
                yield {
                    "test": test.name,
                    "row": test.numbers[row.id],
                    **named,
                    "label": row.label,
                    "predicted": found,
                }


def with_trained_rows(
    tests: Sequence[EvaluationSet], classifiers: Sequence[NamedClassifier]
) -> list[EvaluationSet]:
    """The test sets with how many of their rows have a text that a classifier was trained on.

    That is None for a saved classifier whose training rows cannot be read any more.
    """
    keys = [[content_digest(row.fields.values()) for row in test.rows] for test in tests]
    counts: list[dict[str, int | None]] = [{} for _ in tests]
    for one in classifiers:
        if not one.rows:
            continue  # it was not trained here
        trained = _trained_texts(one)
        for own, found in zip(keys, counts, strict=True):
            found[one.name] = None if trained is None else sum(key in trained for key in own)
    return [replace(test, in_train=found) for test, found in zip(tests, counts, strict=True)]


def _trained_texts(one: NamedClassifier) -> set[str] | None:
    """Digests of the texts that a classifier was trained on; None where its rows are not there."""
    try:
        rows = one.corpus()
    except UserError:
        return None
    same = len(rows) == one.rows  # else the file of a saved classifier has changed
    return {content_digest(row.fields.values()) for row in rows} if same else None
