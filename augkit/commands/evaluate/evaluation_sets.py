"""The test sets of an evaluation: read as the run's dataset, matched to what classifiers read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from augkit.commands.evaluate.settings import BALANCED, EvaluateSettings
from augkit.commands.evaluate.training_sets import load_rows, usable
from augkit.core.characters import other_spelling
from augkit.core.errors import DataError
from augkit.core.types import Example, NoItems
from augkit.datasets.load import open_dataset
from augkit.datasets.scan import scan_dataset
from augkit.datasets.settings import ReadOptions
from augkit.evaluation.metrics.base import BaseMetric
from augkit.runs.settings import RunSettings, recorded_settings
from augkit.text.screen import show_error

_COLUMNS = ("text_columns", "edit_columns", "edit_roles", "label_column", "subset", "quotes")
_SHOWN_LABELS = 6
_SKEWED = 1.2
"""How many times as many rows as with even labels have the commonest label of a skewed set."""


@dataclass(frozen=True)
class EvaluationSet:
    """The rows of a test set that have a label and a text; ``left_out`` counts the others."""

    name: str
    rows: Sequence[Example]
    left_out: int
    labels: frozenset[str] = frozenset()
    """All labels of the dataset, whatever rows are selected."""
    numbers: Mapping[str, int] = field(default_factory=NoItems)
    """Id of a row → its number in the dataset, from 1."""
    id_column: str | None = None
    in_train: Mapping[str, int | None] = field(default_factory=NoItems)
    """Name of a classifier → how many of the rows have a text that it was trained on; None: not
    known."""


def load_evaluation_set(spec: str, settings: EvaluateSettings) -> EvaluationSet:
    """The labelled rows of a dataset."""
    all_rows = _load_test_rows(spec, settings, settings.id_column)
    rows = settings.of(all_rows)
    labelled = usable(rows)
    if not labelled:
        raise DataError(
            f"{spec}: none of its {len(rows)} rows has a label to compare a prediction with. "
            "Choose another split, or name the column with --label-column"
        )
    id_column = settings.id_column
    if id_column is None and settings.run is not None:
        # That of the run's dataset, where all rows of the test set have one of that name.
        name = recorded_settings(settings.run).id_column
        id_column = name if name and all(name in row.columns for row in rows) else None
    return EvaluationSet(
        name=spec,
        rows=labelled,
        left_out=len(rows) - len(labelled),
        labels=frozenset(str(row.label) for row in usable(all_rows)),
        numbers={row.id: number for number, row in enumerate(all_rows, 1)},
        id_column=id_column,
    )


def tests_of(
    metric: BaseMetric[Any], tests: Sequence[EvaluationSet], settings: EvaluateSettings
) -> list[EvaluationSet]:
    """The test sets that a metric measures.

    Where datasets are compared and nobody chose a metric, skewed labels are measured by balanced
    accuracy, and others by accuracy: of rows of which nine in ten have one label, a classifier that
    always gives it is right in 90 %.
    """
    if not settings.chooses_by_skew:
        return list(tests)
    wants_skewed = metric.name == BALANCED
    return [test for test in tests if bool(_skew(test)) == wants_skewed]


def note_skew(tests: Sequence[EvaluationSet]) -> None:
    """Say of which test sets balanced accuracy is shown, and why."""
    for test in tests:
        if label := _skew(test):
            share = sum(row.label == label for row in test.rows) / len(test.rows)
            show_error(
                f"Note: {test.name}: '{label}' is the label of {share:.0%} of the rows, so "
                "balanced accuracy is shown (--metric accuracy: the plain one)"
            )


def _skew(test: EvaluationSet) -> str:
    """The label that many more rows have than would if labels were even; "" where they are."""
    counts = Counter(str(row.label) for row in test.rows)
    label, most = counts.most_common(1)[0]
    return label if most * len(counts) > _SKEWED * len(test.rows) else ""


def load_ood_rows(spec: str, settings: EvaluateSettings, fields: Sequence[str]) -> list[Example]:
    """Rows out of distribution: they need no label, but the fields that the classifier reads."""
    rows = settings.of(_load_test_rows(spec, settings))
    return with_fields([row for row in rows if not row.fault], fields, "the classifier", spec)


def _load_test_rows(
    spec: str, settings: EvaluateSettings, id_column: str | None = None
) -> list[Example]:
    reading = settings.reading
    if settings.run is not None:
        reading = reading_for(spec, reading, recorded_settings(settings.run))
    if id_column is not None:
        reading = reading.model_copy(update={"id_column": id_column})
    return load_rows(spec, reading)


def reading_for(spec: str, options: ReadOptions, of_run: RunSettings) -> ReadOptions:
    """How a test set is read: as given, otherwise as the dataset of the run, where that fits it."""
    unset = set(_COLUMNS) - options.model_fields_set
    as_run = ReadOptions(**options.model_dump() | of_run.model_dump(include=unset))
    try:
        open_dataset(spec, as_run)
    except DataError:  # its columns have other names: they are found, or the error says how
        return options
    return as_run


def check_test_set(
    spec: str, reading: ReadOptions, labels: Collection[str | None], name: str
) -> None:
    """Read every row of a test set, so that a faulty one is told before anything is computed.

    Its labels may not be other spellings of ``labels``, which the dataset ``name`` has.
    """
    scan = scan_dataset(open_dataset(spec, reading))
    known = sorted(label for label in labels if label is not None)
    same = other_spelling(sorted(label for label in scan.labels if label is not None), known)
    if same:
        raise DataError(f"{name} and {spec} have different labels: {same}")


def match_test(
    name: str, labels: set[str], fields: Sequence[str], test: EvaluationSet
) -> EvaluationSet:
    """The test set with the fields of the training rows; its labels must be among theirs."""
    test_labels = {str(row.label) for row in test.rows}
    if same := other_spelling(sorted(test_labels), labels):
        raise DataError(f"{name} and {test.name} have different labels: {same}")
    if test_labels - labels:
        raise DataError(
            f"{name} and {test.name} have different labels: {named_labels(labels)} against "
            f"{named_labels(test_labels)}. A classifier can only be evaluated on labels it was "
            "trained on"
        )
    return replace(test, rows=with_fields(test.rows, fields, name, test.name))


def named_labels(labels: Collection[str]) -> str:
    """The first labels, in order.

    >>> named_labels({"no", "yes"})
    'no, yes'
    """
    more = " ..." if len(labels) > _SHOWN_LABELS else ""
    return ", ".join(sorted(labels)[:_SHOWN_LABELS]) + more


def with_fields(
    rows: Sequence[Example], fields: Sequence[str], name: str, spec: str
) -> list[Example]:
    """The rows with the fields of the training rows; those with other names are taken in turn.

    An error where there are more or fewer of them, or where one is at another place.
    """
    row_fields = tuple(rows[0].fields) if rows else ()
    if set(row_fields) == set(fields):
        return list(rows)
    shared = {field for field in fields if field in row_fields}
    if len(row_fields) != len(fields) or any(
        {field, row_field} & shared and field != row_field
        for field, row_field in zip(fields, row_fields, strict=True)
    ):
        raise DataError(
            f"{name} and {spec} have different text fields: {', '.join(fields)} against "
            f"{', '.join(row_fields) or 'none'}. Rename the columns, or use --text-column"
        )
    line = f"Note: {spec}: {', '.join(row_fields)} are taken for {', '.join(fields)}, in this order"
    show_error(line)
    names = dict(zip(row_fields, fields, strict=True))
    return [
        replace(
            row,
            fields={names[field]: text for field, text in row.fields.items()},
            spans=tuple(replace(span, field=names[span.field]) for span in row.spans),
            locked=frozenset(names[field] for field in row.locked),
        )
        for row in rows
    ]
