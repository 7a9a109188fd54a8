"""Rows of a dataset as examples, and the rows that a run writes.

Reading is the hot path of every run. A row that is written has the columns of the input and its
provenance.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from math import isnan

from augkit.core.characters import escaped, look_alikes
from augkit.core.choices import choice_fields, choice_of, winners_label
from augkit.core.errors import DataError
from augkit.core.types import Example, Pair, digest, example_id, new_example
from augkit.datasets.choices.shapes import ChoiceShape
from augkit.datasets.readers.blocks import Block, Row, kind_of
from augkit.datasets.schema import Schema
from augkit.text.printable import counted

Content = tuple[dict[str, str], str | None, str]
"""Fields, label and fault of a row."""


def read_block(
    dataset: str, schema: Schema, block: Block, repeats: Mapping[int, int]
) -> list[Example]:
    """The examples of a block; ``repeats`` (row → occurrence number) comes from the scan."""
    content = content_reader(schema)
    annotated = schema.annotated
    locked = schema.locked
    examples = []
    for number, row in enumerate(block.rows(), block.start):
        fields, label, fault = content(row)
        if schema.id_column is not None:
            key = digest(dataset, "id", row_id(schema, row))
        else:
            key = example_id(fields, label, dataset, repeats.get(number, 0))
            # The text "5" and the number 5 are two rows, and neither is a repeat of the other.
            key = digest(key, fault) if fault else key
        spans = schema.read_spans(row, fields) if annotated and not fault else ()
        if schema.choice is not None:
            locked = schema.locked & fields.keys()  # some rows have a prompt and others none
        examples.append(new_example(fields, label, key, row, fault, spans, locked))
    return examples


def content_reader(schema: Schema) -> Callable[[Row], Content]:
    """A function that takes fields, label and fault out of a row."""
    if schema.choice is not None:
        return partial(_choice_content, schema.choice)
    columns = tuple(schema.fields.items())
    label_column = schema.label
    read_label = schema.read_label

    def content(row: Row) -> Content:
        fault = ""
        fields = {}
        for field, column in columns:
            text = row.get(column)
            if type(text) is not str:
                text, wrong = _as_text(schema, field, text)
                fault = fault or wrong
            fields[field] = text
        label = None if label_column is None else read_label(row.get(label_column))
        return fields, label, fault

    return content


def _choice_content(shape: ChoiceShape, row: Row) -> Content:
    choice = shape.read(row)
    return choice_fields(choice), winners_label(choice.winners), ""


def _as_text(schema: Schema, field: str, value: object) -> tuple[str, str]:
    """The text of a value that is no string, and why it cannot be augmented."""
    shape = schema.shapes.get(field)
    if shape is not None and not is_missing(value):
        text, fault = shape.read(value)
        if not fault:
            return text, ""
    else:
        fault = fault_of_value(field, value)
    text = "" if is_missing(value) else json.dumps(value, ensure_ascii=False, default=str)
    return text, fault


def check_labels(source: str, column: str | None, labels: Mapping[str | None, int]) -> None:
    """Raise where two of the ``labels``, given with their numbers of rows, look the same.

    Args:
        source: The dataset, for the error.
        column: The column that holds the labels, if it is known.
        labels: Each label and the number of its rows; None for rows without one.
    """
    names = look_alikes(sorted(label for label in labels if label is not None))
    if names:
        written = [f"'{escaped(name)}' ({counted(labels[name], 'row')})" for name in names]
        where = "" if column is None else f" in the column '{column}'"
        raise DataError(
            f"{source}: the labels {' and '.join(written)}{where} look the same and are different "
            "texts. Write them alike in all rows"
        )


def row_id(schema: Schema, row: Row) -> str:
    """The value of the id column, as text."""
    value = None if schema.id_column is None else row.get(schema.id_column)
    if value is None or value == "":
        raise DataError(f"the id column '{schema.id_column}' is empty. Every row needs an id")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def fault_of_value(field: str, value: object) -> str:
    """Why a value that is no text cannot be augmented.

    >>> fault_of_value("text", float("nan")), fault_of_value("text", 3)
    ('text is missing', 'text is not text: number')
    """
    return f"{field} is missing" if is_missing(value) else f"{field} is not text: {kind_of(value)}"


def is_missing(value: object) -> bool:
    """Whether a value is None or NaN, the missing values of Python and of data frames."""
    return value is None or (isinstance(value, float) and isnan(value))


def original_row(example: Example) -> Row:
    """An input row as it was read, marked as original."""
    return {
        **example.columns,
        "augkit_id": example.id,
        "augkit_origin": "original",
        "augkit_parent": None,
        "augkit_method": None,
    }


def _choice_row(shape: ChoiceShape, pair: Pair) -> Row:
    row: Row = dict(pair.original.columns)
    if order := pair.provenance.about.get("order"):
        row = shape.reorder(row, [int(number) - 1 for number in order.split()])
    after = choice_of(pair.variant)
    return shape.write(replace(shape.read(row), candidates=after.candidates, winners=after.winners))


def variant_row(pair: Pair, schema: Schema) -> Row:
    """A variant in the columns of its original, with its label encoded as in the input."""
    row: Row = dict(pair.original.columns)
    if schema.choice is not None:
        row = _choice_row(schema.choice, pair)
    elif schema.annotated:
        row |= schema.write_texts(row, pair.variant.fields, pair.variant.spans)
    else:
        for field, text in pair.variant.fields.items():
            row[schema.fields[field]] = text
    if schema.label is not None and pair.variant.label != pair.original.label:
        row[schema.label] = schema.encode_label(pair.variant.label)
    row["augkit_id"] = pair.variant.id
    row["augkit_origin"] = "variant"
    row["augkit_parent"] = pair.provenance.parents[0]
    row["augkit_method"] = pair.provenance.method
    return row
