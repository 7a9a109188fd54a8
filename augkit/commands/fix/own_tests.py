"""The user's own test sets: accuracy before and after, by the classifier of the proofs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.commands.fix.endings import per_cent, shown_points
from augkit.commands.fix.pair_views import pair_features
from augkit.commands.fix.reader import (
    Reader,
    balanced_accuracy,
    balanced_difference,
    is_right,
    row_features,
)
from augkit.commands.fix.rows import RowsToFix, read_labelled
from augkit.commands.fix.settings import FixSettings
from augkit.commands.fix.work import WEIGHT, Work
from augkit.core.characters import other_spelling
from augkit.core.errors import DataError
from augkit.core.progress import report_progress
from augkit.core.types import Example
from augkit.datasets.lookup import local_splits, parse_spec


def with_splits_of(settings: FixSettings, *, in_memory: bool) -> FixSettings:
    """The settings, with the test and challenge splits that a named dataset has itself."""
    spec = None if in_memory else parse_spec(settings.data)
    if spec is None or isinstance(spec, Path):
        return settings
    splits = [name for name in local_splits(spec.name, settings.reading) if name not in spec.splits]
    own: dict[str, Any] = {}
    for part in ("test", "challenge"):
        if part in splits and getattr(settings, part) is None:
            own[part] = f"{spec.name}:{part}"
    return settings.model_copy(update=own)


def read_own_tests(settings: FixSettings, rows: RowsToFix) -> dict[str, Sequence[Example]]:
    """Read each test set; raise where its texts or labels are other ones than those of the rows."""
    tests: dict[str, Sequence[Example]] = {}
    for spec in (settings.test, settings.challenge):
        if spec is not None:
            tested = read_labelled(spec, rows.reading.model_copy(update={"limit": None})).examples
            _require_alike(spec, tested, rows)
            tests[spec] = tested
    return tests


def measure_own_tests(
    work: Work, examples: Sequence[Example], tests: Mapping[str, Sequence[Example]]
) -> list[tuple[str, ...]]:
    """A table with a row for each test set; none where there is none."""
    if not tests:
        return []
    report_progress("measuring on the test sets")
    before = _train(work, work.rows.examples)
    after = _train(work, examples)
    table: list[tuple[str, ...]] = [("your test sets, accuracy, %", "as it is", "at the end")]
    for spec, tested in tests.items():
        fields = [row.fields for row in tested]
        labels = [str(row.label) for row in tested]
        rights = [is_right(reader.predict(fields), tested) for reader in (before, after)]
        scores = [balanced_accuracy(right, labels) for right in rights]
        change = shown_points(*balanced_difference(rights[0], rights[1], labels))
        table.append((spec, per_cent(scores[0]), f"{per_cent(scores[1])}  {change}"))
    return table


def _train(work: Work, rows: Sequence[Example]) -> Reader:
    """The classifier of the rows, with the weights that they have."""
    import numpy as np

    weights = None
    if any(WEIGHT in row.columns for row in rows):
        weights = np.array([float(str(row.columns.get(WEIGHT, 1.0))) for row in rows])
    sees = pair_features if work.is_pair else row_features
    return Reader([row.fields for row in rows], [str(row.label) for row in rows], weights, sees)


def _require_alike(spec: str, tested: Sequence[Example], rows: RowsToFix) -> None:
    labels = {str(row.label) for row in tested}
    problem = other_spelling(sorted(labels), list(rows.labels))
    if problem:
        raise DataError(f"{spec}: {problem}")
    if labels.isdisjoint(rows.labels) or tuple(tested[0].fields) != rows.fields:
        raise DataError(
            f"{spec}: its texts or labels are other ones than those of {rows.name}. A test "
            "set has the same columns and labels"
        )
