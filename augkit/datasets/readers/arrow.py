"""Arrow tables, of parquet files or ``datasets``, as blocks of plain values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError, MissingExtra
from augkit.datasets.readers.blocks import RowBlock

BATCH_ROWS = 1024
"""Rows to read at a time."""


def read_parquet(path: Path, start: int = 0) -> Iterator[RowBlock]:
    """Blocks of a parquet file."""
    with _opened(path) as file:
        yield from table_blocks(str(path), start, file.iter_batches(BATCH_ROWS))


def parquet_label_names(path: Path) -> dict[str, tuple[str, ...]]:
    """Column → label names, which ``datasets`` stores in a parquet file's metadata."""
    with _opened(path) as file:
        metadata = file.schema_arrow.metadata or {}
    features = json.loads(metadata.get(b"huggingface", b"{}")).get("info", {}).get("features", {})
    label_names = {column: _class_label(feature) for column, feature in features.items()}
    return {column: names for column, names in label_names.items() if names}


def _class_label(feature: Any) -> tuple[str, ...]:
    """The names of a label, or of the labels of a list."""
    if isinstance(feature, dict) and feature.get("_type") != "ClassLabel":
        feature = feature.get("feature")
    named = isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
    return tuple(feature["names"]) if named else ()


def table_blocks(source: str, start: int, tables: Iterable[Any]) -> Iterator[RowBlock]:
    """A block for each Arrow table or batch, with plain values."""
    first = 1
    for table in tables:
        columns = [_values(column) for column in table.columns]
        cells = list(zip(*columns, strict=True))
        if cells:
            yield RowBlock(source, start, first, tuple(table.schema.names), cells)
        start, first = start + len(cells), first + len(cells)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        import pyarrow as pa
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise MissingExtra("data", f"{path}: reading parquet") from error
    try:
        with ParquetFile(path) as file:
            yield file
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise DataError(
            f"{path}: this is not a complete parquet file: {reason}. Write or download it again"
        ) from error


def _values(column: Any) -> list[Any]:
    from pyarrow import types

    values: list[Any] = column.to_pylist()
    kind = column.type
    simple = types.is_string(kind) or types.is_large_string(kind) or types.is_boolean(kind)
    if simple or types.is_integer(kind) or types.is_floating(kind):
        return values
    return [plain_value(value) for value in values]


def plain_value(value: Any) -> Any:
    """Dates, decimals, bytes and the like become text, as JSON has no such types."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, dict):
        return {str(key): plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(item) for item in value]
    if (items := as_list(value)) is not value:
        return plain_value(items)
    return value.hex() if isinstance(value, bytes) else str(value)


def as_list(value: Any) -> Any:
    """The list that pandas, where it read a parquet file, holds as an array; others unchanged."""
    return value.tolist() if type(value).__name__ == "ndarray" else value
