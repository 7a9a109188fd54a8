"""Datasets to evaluate on, and whether they are of the task that a classifier was trained for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.core.errors import DataError
from augkit.core.types import Example
from augkit.datasets.columns import ReadOptions
from augkit.runs.evaluation.training_sets import load_rows, usable


@dataclass(frozen=True)
class EvaluationSet:
    """The rows of a test set that have a label and a text; ``left_out`` counts the others."""

    name: str
    rows: Sequence[Example]
    left_out: int


def load_evaluation_set(spec: str, reading: ReadOptions, limit: int | None) -> EvaluationSet:
    """The labelled rows of a dataset."""
    rows = load_rows(spec, reading)[:limit]
    kept = usable(rows)
    if not kept:
        raise DataError(
            f"{spec}: none of its {len(rows)} rows has a label to compare a prediction with. "
            "Choose another split, or name the column with --label-column"
        )
    return EvaluationSet(spec, kept, len(rows) - len(kept))


def load_ood_rows(spec: str, reading: ReadOptions, fields: Sequence[str]) -> list[Example]:
    """Rows out of distribution: they need no label, but the fields that the classifier reads."""
    kept = [row for row in load_rows(spec, reading) if not row.fault]
    _check_fields("the classifier", fields, spec, tuple(kept[0].fields) if kept else ())
    return kept


def check_same_task(name: str, known: set[str], fields: Sequence[str], test: EvaluationSet) -> None:
    """Labels and fields of the test set must be those of the training rows."""
    labels = {str(row.label) for row in test.rows}
    if labels - known:
        raise DataError(
            f"{name} and {test.name} have different labels: {_listed(known)} against "
            f"{_listed(labels)}. A classifier can only be evaluated on labels it was trained on"
        )
    _check_fields(name, fields, test.name, tuple(test.rows[0].fields))


def _check_fields(name: str, ours: Sequence[str], other: str, theirs: Sequence[str]) -> None:
    if set(ours) != set(theirs):
        raise DataError(
            f"{name} and {other} have different text fields: {', '.join(ours)} against "
            f"{', '.join(theirs) or 'none'}. Rename the columns, or use --text-column"
        )


def _listed(labels: set[str]) -> str:
    shown = sorted(labels)
    return ", ".join(shown[:6]) + (" ..." if len(shown) > 6 else "")
