"""Steps on the tables of other libraries: ``as_map`` for ``datasets``, ``augment_frame``."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from augkit.augmenters.mix import Mix
from augkit.augmenters.training_set import augmented_rows
from augkit.core import registry
from augkit.core.config import validate
from augkit.core.errors import ConfigError, DataError
from augkit.core.protocols import Step
from augkit.core.python_messages import argument_names, naming_arguments
from augkit.core.types import Example, Pair, digest, example_id
from augkit.datasets.columns import ColumnHints, find_schema
from augkit.datasets.load import FRAME
from augkit.datasets.readers.arrow import as_list
from augkit.datasets.readers.blocks import refuse_half_characters
from augkit.datasets.readers.frames import DataFrame, frame_columns, is_frame
from augkit.datasets.rows import check_labels, content_reader, original_row, variant_row
from augkit.datasets.schema import Schema
from augkit.datasets.settings import RUN_ROLES, ReadOptions
from augkit.datasets.shapes.find import guarded_schema
from augkit.datasets.shapes.texts import EVERY_ROLE


class UndeclaredColumn(UserWarning):
    """A column quotes texts that change, and was not declared."""


Frame = TypeVar("Frame", bound=DataFrame)
Batch = Mapping[str, Sequence[Any]]
"""Column → values, as ``map(..., batched=True)`` hands them over."""


@naming_arguments
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
    variants, whichever batches they fall into. Originals stay, whatever the method's own mix is:
    ``augment_frame`` and a run see all rows at once, and can replace and balance them.

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
    options = _read_options(step, text_column, label_column, columns)

    def rows_of(batch: Batch) -> dict[str, list[Any]]:
        if any(isinstance(values, str) for values in batch.values()):
            raise ConfigError("as_map adds rows: call map(..., batched=True)")
        schema, rows = _table(batch, options, "the dataset")
        originals = _examples(schema, rows, numbered=False)
        joined = augmented_rows(step, originals, "append")
        return _columns(batch, schema, joined, keep_originals)

    return naming_arguments(rows_of, as_map)


@naming_arguments
def augment_frame(  # noqa: PLR0913 - each is a choice of the user
    frame: Frame,
    step: Step | str,
    text_column: str | Sequence[str] | None = None,
    label_column: str | None = None,
    *,
    mix: Mix | None = None,
    keep_originals: bool = True,
    settings: Mapping[str, Any] | None = None,
    **columns: Any,
) -> Frame:
    """The rows that ``augkit run`` writes for a file, for a data frame of pandas or polars.

    Rows and their order are those of the run's ``dataset.jsonl``, with the columns that ``as_map``
    adds. A row whose text is missing stays and has no variant.

    Args:
        frame: A data frame of pandas or polars.
        step: The name of a method, or any step; it is fitted to the frame unless it is already.
        text_column: Column or columns of the texts; found by their names unless given.
        label_column: Column of the label; found by its name unless given.
        mix: How variants join the originals: append, replace or balance; the method's own way
            unless given.
        keep_originals: False: the variants alone.
        settings: Settings of the method, where ``step`` is a name.
        **columns: As in ``as_map``.
    """
    if not is_frame(frame):
        raise ConfigError(f"augment_frame takes a data frame, and was given {type(frame).__name__}")
    options = _read_options(step, text_column, label_column, columns)
    batch = frame_columns(frame)
    schema, rows = _table(batch, options, FRAME)
    joined = augmented_rows(step, _examples(schema, rows, numbered=True), mix, settings)
    table = _columns(batch, schema, joined, keep_originals)
    return type(frame)(table)  # type: ignore[call-arg] # of both libraries


def _read_options(
    step: Step | str,
    text_column: str | Sequence[str] | None,
    label_column: str | None,
    columns: Mapping[str, Any],
) -> ReadOptions:
    method: Any = registry.find("augmenters", step) if isinstance(step, str) else step
    is_whole = getattr(getattr(method, "traits", None), "whole_chats", False)
    columns = {"edit_roles": (EVERY_ROLE,) if is_whole else RUN_ROLES, **columns}
    texts = (text_column,) if isinstance(text_column, str) else tuple(text_column or ())
    named = {"text_columns": texts, "label_column": label_column, **columns}
    return validate(ReadOptions, named, "options of as_map and augment_frame")


def _table(batch: Batch, options: ReadOptions, name: str) -> tuple[Schema, list[dict[str, Any]]]:
    """The schema and the rows of columns; a warning for columns that would become untrue."""
    lists = [list(map(as_list, values)) for values in batch.values()]
    rows = [dict(zip(batch, cells, strict=True)) for cells in zip(*lists, strict=True)]
    schema = find_schema(name, rows or [dict.fromkeys(batch)], options, ColumnHints(), {})
    refuse_half_characters(rows, lambda index: f"{name}, row {index + 1}")
    schema, messages = guarded_schema(name, rows, schema)
    for message in messages:
        text = argument_names(message.removeprefix("Warning: "))
        warnings.warn(text, UndeclaredColumn, stacklevel=4)
    return schema, rows


_ADDED = ("augkit_id", "augkit_origin", "augkit_parent", "augkit_method")


def _columns(
    batch: Batch,
    schema: Schema,
    joined: Sequence[tuple[Example, Pair | None]],
    keep_originals: bool,
) -> dict[str, list[Any]]:
    """Column → the values of the originals and variants."""
    rows = []
    read = {*schema.fields.values(), schema.label, *(spans.column for spans in schema.span_columns)}
    for original, pair in joined:
        if pair is not None:
            # Columns other than text and label come from this row, not from an equal one.
            unread = {name: value for name, value in original.columns.items() if name not in read}
            rows.append(variant_row(pair, schema) | unread)
        elif keep_originals:
            # Empty strings, not None: a column without a single text has no type in Arrow.
            rows.append(original_row(original) | {"augkit_parent": "", "augkit_method": ""})
    return {name: [row[name] for row in rows] for name in (*batch, *_ADDED)}


def _examples(schema: Schema, rows: list[dict[str, Any]], *, numbered: bool) -> list[Example]:
    """The rows; where ``numbered``, equal ones have ids of their own, as in a run."""
    repeats: Counter[str] = Counter()
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
        if numbered:
            repeat = repeats[digest(key, fault)]
            repeats[digest(key, fault)] += 1
            key = example_id(fields, label, "", repeat)
            key = digest(key, fault) if fault else key
        elif fault or referring:
            key = digest(key, fault, *(repr(row[column]) for column in referring))
        originals.append(Example(fields, label, key, row, fault, spans, schema.locked))
    check_labels("the dataset", schema.label, Counter(row.label for row in originals))
    return originals
