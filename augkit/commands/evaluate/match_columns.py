"""The columns of test sets: those of the run where it has them, and fields paired by position."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from augkit.core.errors import DataError
from augkit.core.types import Example
from augkit.datasets.load import open_dataset
from augkit.datasets.settings import ReadOptions

_COLUMNS = ("text_columns", "edit_columns", "edit_roles", "label_column", "subset", "quotes")


def reading_for(spec: str, given: ReadOptions, of_run: Mapping[str, Any]) -> ReadOptions:
    """How a test set is read: as given, otherwise as the dataset of the run, where that fits it."""
    unset = [name for name in _COLUMNS if name in of_run and name not in given.model_fields_set]
    as_run = ReadOptions(**given.model_dump() | {name: of_run[name] for name in unset})
    try:
        open_dataset(spec, as_run)
    except DataError:  # its columns have other names: they are found, or the error says how
        return given
    return as_run


def with_fields(
    rows: Sequence[Example], fields: Sequence[str], name: str, spec: str
) -> list[Example]:
    """The rows with the fields of the training rows; those with other names are taken in turn.

    An error where there are more or fewer of them, or where one is at another place.
    """
    theirs = tuple(rows[0].fields) if rows else ()
    if set(theirs) == set(fields):
        return list(rows)
    known = {mine for mine in fields if mine in theirs}
    if len(theirs) != len(fields) or any(
        {one, other} & known and one != other for one, other in zip(fields, theirs, strict=True)
    ):
        raise DataError(
            f"{name} and {spec} have different text fields: {', '.join(fields)} against "
            f"{', '.join(theirs) or 'none'}. Rename the columns, or use --text-column"
        )
    line = f"Note: {spec}: {', '.join(theirs)} are taken for {', '.join(fields)}, in this order"
    print(line, file=sys.stderr, flush=True)  # noqa: T201
    return [_renamed(row, dict(zip(theirs, fields, strict=True))) for row in rows]


def _renamed(row: Example, names: Mapping[str, str]) -> Example:
    return replace(
        row,
        fields={names[field]: text for field, text in row.fields.items()},
        spans=tuple(replace(span, field=names[span.field]) for span in row.spans),
        locked=frozenset(names[field] for field in row.locked),
    )
