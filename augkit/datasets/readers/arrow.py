"""Arrow tables, of parquet files or ``datasets``, as blocks of plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError, MissingExtra, listed
from augkit.core.json_files import MOST_DEPTH, parse_json
from augkit.datasets.readers.blocks import RowBlock
from augkit.datasets.readers.files import MAX_CELL, too_long
from augkit.datasets.readers.parquet_pages import text_columns

BATCH_ROWS = 1024
"""Rows to read at a time."""
_BATCH_BYTES = 1 << 28
"""What so many rows may take, were all texts as long as the longest could be."""
_MOST_PAGE = 256
"""MB of a page, which is in memory as a whole."""


def read_parquet(path: Path, start: int = 0, max_cell: int = MAX_CELL) -> Iterator[RowBlock]:
    """Blocks of a parquet file."""
    with _opened(path) as file:
        _check_types(path, file.schema_arrow)
        batches = file.iter_batches(_batch_rows(path, max_cell))
        yield from table_blocks(str(path), start, batches, max_cell)


def _check_types(path: Path, schema: Any) -> None:
    """Raise for two columns of one name, and for a column of lists of lists of lists ..."""
    if repeated := [name for name, number in Counter(schema.names).items() if number > 1]:
        raise DataError(
            f"{path}: each column must have a name of its own; repeated: {listed(repeated)}"
        )
    kinds = [field.type for field in schema]
    for _ in range(MOST_DEPTH):
        kinds = [kind.field(n).type for kind in kinds for n in range(kind.num_fields)]
    if kinds:
        raise DataError(f"{path}: a column is nested more than {MOST_DEPTH} deep")


def _batch_rows(path: Path, max_cell: int) -> int:
    """How many rows are read at a time: with cells as large as the pages, they fit into memory."""
    largest = 1
    most = max(_MOST_PAGE, max_cell)
    for column in text_columns(path):
        if column.largest_page > most << 20:
            where = f"{path}, row group {column.group}, column '{column.name}'"
            raise too_long(where, "a page, and perhaps a cell,", max_cell, most)
        largest = max(largest, column.largest_page)
    return max(1, min(BATCH_ROWS, _BATCH_BYTES // largest))


def parquet_label_names(path: Path) -> dict[str, tuple[str, ...]]:
    """Column → label names, which ``datasets`` stores in a parquet file's metadata."""
    with _opened(path) as file:
        stored = (file.schema_arrow.metadata or {}).get(b"huggingface", b"{}")
    try:
        features = parse_json(stored.decode("utf-8"), "it")
        for key in ("info", "features"):
            features = features.get(key) or {}
        names = {column: _class_label(feature) for column, feature in features.items()}
    except (DataError, UnicodeDecodeError, AttributeError, TypeError) as error:
        raise DataError(
            f"{path}: what 'datasets' keeps in its metadata, under 'huggingface', cannot be read: "
            f"{error}. Write the file again with 'datasets', or without that metadata"
        ) from None
    return {column: of_column for column, of_column in names.items() if of_column}


def _class_label(feature: Any) -> tuple[str, ...]:
    """The names of a label, or of the labels of a list."""
    if isinstance(feature, dict) and feature.get("_type") != "ClassLabel":
        feature = feature.get("feature")
    if not isinstance(feature, dict) or feature.get("_type") != "ClassLabel":
        return ()
    names = feature.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise DataError("a label has no list of names")
    return tuple(names)


def table_blocks(
    source: str, start: int, tables: Iterable[Any], max_cell: int | None = None
) -> Iterator[RowBlock]:
    """A block for each Arrow table or batch, with plain values; a cell has ``max_cell`` MB."""
    first = 1
    for table in tables:
        columns = []
        for name, column in zip(table.schema.names, table.columns, strict=True):
            where = f"{source}, from row {first} on, column '{name}'"
            if max_cell is not None and _longest(column) > max_cell << 20:
                raise too_long(where, "a cell", max_cell)
            columns.append(_values(column, where))
        cells = list(zip(*columns, strict=True))
        if cells:
            yield RowBlock(source, start, first, tuple(table.schema.names), cells)
        start, first = start + len(cells), first + len(cells)


def _longest(column: Any) -> int:
    """Bytes of the longest text of a column of texts; 0 for others, and without much text."""
    from pyarrow import compute, types

    kind = column.type
    if column.nbytes < 1 << 20 or not (types.is_string(kind) or types.is_large_string(kind)):
        return 0
    return compute.max(compute.binary_length(column)).as_py() or 0


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
    except (pa.ArrowException, OSError, UnicodeDecodeError, MemoryError, RecursionError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise DataError(
            f"{path}: this is not a complete parquet file: {reason}. Write or download it again"
        ) from error


def _values(column: Any, where: str) -> list[Any]:
    from pyarrow import types

    try:
        values: list[Any] = column.to_pylist()
    except (ValueError, OverflowError, LookupError) as error:
        what = "is no UTF-8 text" if isinstance(error, UnicodeDecodeError) else "cannot be read"
        raise DataError(
            f"{where}: a value of type {column.type} {what}: {error}. Correct it, or write the "
            "column as texts"
        ) from None
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
