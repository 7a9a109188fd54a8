"""Rows of the dataset that a run writes: the input's columns and the provenance."""

from __future__ import annotations

from augkit.core.types import Example, Pair
from augkit.datasets.readers.blocks import Row
from augkit.datasets.schema import Schema


def original_row(example: Example) -> Row:
    """An input row as it was read, marked as original."""
    return {
        **example.columns,
        "augkit_id": example.id,
        "augkit_origin": "original",
        "augkit_parent": None,
        "augkit_method": None,
    }


def variant_row(pair: Pair, schema: Schema) -> Row:
    """A variant in the columns of its original, with its label encoded as in the input."""
    row: Row = dict(pair.original.columns)
    if schema.annotated:
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
