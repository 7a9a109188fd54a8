"""Steps on the tables of other libraries: ``as_map`` for ``datasets``, ``augment_frame``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from augkit.augmenters.base import pairs_by_original
from augkit.augmenters.create import create
from augkit.core.config import validate
from augkit.core.errors import ConfigError, DataError
from augkit.core.protocols import Step
from augkit.core.types import Example, digest, example_id
from augkit.datasets.columns import ColumnHints, find_schema
from augkit.datasets.readers.arrow import as_list
from augkit.datasets.readers.frames import DataFrame, frame_columns, is_frame
from augkit.datasets.rows import content_reader, original_row, variant_row
from augkit.datasets.schema import Schema
from augkit.datasets.settings import ReadOptions
from augkit.datasets.shapes.find import undeclared_columns


class UndeclaredColumn(UserWarning):
    """A column refers to texts that change, and was not declared."""


Frame = TypeVar("Frame", bound=DataFrame)
Batch = Mapping[str, Sequence[Any]]
"""Column → values, as ``map(..., batched=True)`` hands them over."""


def as_map(
    step: Step,
    text_column: str | Sequence[str] | None = None,
    label_column: str | None = None,
    *,
    keep_originals: bool = True,
    **columns: Any,
) -> Callable[[Batch], dict[str, list[Any]]]:
    """A function for ``Dataset.map(..., batched=True)``: one row in, itself and its variants out.

    Every column is repeated; ``augkit_id``, ``augkit_origin`` ("original" or "variant"),
    ``augkit_parent`` and ``augkit_method`` (empty for an original) are added. Equal rows get equal
    variants, whichever batches they fall into.

    Args:
        step: A method of ``create``, or a composition.
        text_column: Column or columns of the texts; found by their names unless given.
        label_column: Column of the label; found by its name unless given.
        keep_originals: Whether the original rows come out too.
        **columns: ``edit_columns``, ``edit_roles``, ``span_columns``, ``answer_columns`` and
            ``tag_names`` of ``load_dataset``.

    >>> from augkit import create
    >>> double = as_map(create("swap", pairs=[["film", "movie"]]))
    >>> double({"text": ["A film."], "label": [1]})["text"]
    ['A film.', 'A movie.']
    """
    texts = (text_column,) if isinstance(text_column, str) else tuple(text_column or ())
    named = {"text_columns": texts, "label_column": label_column, **columns}
    options = validate(ReadOptions, named, "options of as_map")

    def rows_of(batch: Batch) -> dict[str, list[Any]]:
        if any(isinstance(values, str) for values in batch.values()):
            raise ConfigError("as_map adds rows: call map(..., batched=True)")
        lists = [list(map(as_list, values)) for values in batch.values()]
        rows = [dict(zip(batch, cells, strict=True)) for cells in zip(*lists, strict=True)]
        schema = find_schema(
            "the dataset", rows or [dict.fromkeys(batch)], options, ColumnHints(), {}
        )
        for message in undeclared_columns(rows, schema):
            warnings.warn(message.removeprefix("Warning: "), UndeclaredColumn, stacklevel=2)
        augmented = _augmented(step, schema, rows, keep_originals)
        return {name: [row[name] for row in augmented] for name in (*batch, *_ADDED)}

    return rows_of


def augment_frame(
    frame: Frame,
    step: Step | str,
    text_column: str | Sequence[str] | None = None,
    label_column: str | None = None,
    *,
    keep_originals: bool = True,
    **columns: Any,
) -> Frame:
    """A data frame of pandas or polars with the variants of its rows, as ``as_map`` makes them.

    A row whose text is missing stays and has no variant.

    Args:
        frame: A data frame of pandas or polars.
        step: The name of a method, or any step that is ready for use.
        text_column: Column or columns of the texts; found by their names unless given.
        label_column: Column of the label; found by its name unless given.
        keep_originals: Whether the original rows come out too.
        **columns: As in ``as_map``.
    """
    if not is_frame(frame):
        raise ConfigError(f"augment_frame takes a data frame, and was given {type(frame).__name__}")
    ready = create(step) if isinstance(step, str) else step
    rows_of = as_map(ready, text_column, label_column, keep_originals=keep_originals, **columns)
    return type(frame)(rows_of(frame_columns(frame)))  # type: ignore[call-arg] # of both libraries


_ADDED = ("augkit_id", "augkit_origin", "augkit_parent", "augkit_method")


def _augmented(
    step: Step, schema: Schema, rows: list[dict[str, Any]], keep_originals: bool
) -> list[dict[str, Any]]:
    originals = _examples(schema, rows)
    pairs = pairs_by_original(step, originals)
    result = []
    read = {*schema.fields.values(), schema.label, *(spans.column for spans in schema.span_columns)}
    for original in originals:
        if keep_originals:
            # Empty strings, not None: a column without a single text has no type in Arrow.
            result.append(original_row(original) | {"augkit_parent": "", "augkit_method": ""})
        # Columns other than text and label come from this row, not from an equal one.
        unread = {name: value for name, value in original.columns.items() if name not in read}
        result += [variant_row(pair, schema) | unread for pair in pairs[original.id]]
    return result


def _examples(schema: Schema, rows: list[dict[str, Any]]) -> list[Example]:
    content = content_reader(schema)
    referring = [spans.column for spans in schema.span_columns]
    referring += [schema.fields[field] for field in schema.shapes]
    originals = []
    for number, row in enumerate(rows, start=1):
        fields, label, fault = content(row)
        try:
            spans = schema.read_spans(row, fields) if schema.annotated and not fault else ()
        except DataError as error:
            raise DataError(f"the dataset, row {number}: {error}") from None
        key = example_id(fields, label, "", 0)
        if fault or referring:
            key = digest(key, fault, *(repr(row[column]) for column in referring))
        originals.append(Example(fields, label, key, row, fault, spans, schema.locked))
    return originals
