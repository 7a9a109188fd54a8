"""Arrow tables, of parquet files or ``datasets``, as blocks of plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError, MissingExtra, listed
from augkit.core.json_files import MOST_DEPTH, parse_json
from augkit.datasets.readers.blocks import ROWS_AT_ONCE, RowBlock
from augkit.datasets.readers.files import MOST_BYTES, too_large

BYTES = "bytes"
"""What messages call binary values."""


def read_parquet(path: Path, start: int = 0) -> Iterator[RowBlock]:
    """Read a parquet file in blocks."""
    with _open(path) as file:
        _check_types(path, file.schema_arrow)
        yield from table_blocks(str(path), start, file.iter_batches(ROWS_AT_ONCE))


def parquet_types(path: Path) -> dict[str, str]:
    """Say what the columns of a parquet file hold, as ``other_types`` does."""
    with _open(path) as file:
        return other_types(file.schema_arrow)


def other_types(schema: Any) -> dict[str, str]:
    """Say what each column of an Arrow ``schema`` holds, if its values have no type in JSON.

    They become texts: bytes their hexadecimal digits, and dates, times and decimals what Python
    prints. Numbers, lists and objects are not among them: they stay what they are.
    """
    said = {field.name: _other_type(field.type) for field in schema}
    return {name: what for name, what in said.items() if what}


def _other_type(kind: Any) -> str:
    from pyarrow import types

    if types.is_temporal(kind):
        return f"dates or times ({kind})"
    if types.is_decimal(kind):
        return f"decimals ({kind})"
    return f"{BYTES} ({kind})" if _holds_bytes(kind) else ""


def _holds_bytes(kind: Any) -> bool:
    """Whether a type is bytes, or lists or objects of some."""
    from pyarrow import types

    if types.is_dictionary(kind):
        return _holds_bytes(kind.value_type)
    if types.is_fixed_size_binary(kind) or types.is_binary_view(kind):
        return True
    if types.is_binary(kind) or types.is_large_binary(kind):
        return True
    return any(_holds_bytes(kind.field(place).type) for place in range(kind.num_fields))


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


def parquet_label_names(path: Path) -> dict[str, tuple[str, ...]]:
    """Column → label names, which ``datasets`` stores in a parquet file's metadata."""
    with _open(path) as file:
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


def table_blocks(source: str, start: int, tables: Iterable[Any]) -> Iterator[RowBlock]:
    """Make a block, with plain values, of each Arrow table or batch."""
    first = 1
    for table in tables:
        columns = []
        for name, column in zip(table.schema.names, table.columns, strict=True):
            where = f"{source}, from row {first} on, column '{name}'"
            if _longest(column) > MOST_BYTES:
                raise too_large(where, "a cell")
            columns.append(_values(column, where))
        cells = list(zip(*columns, strict=True))
        if cells:
            yield RowBlock(source, start, first, tuple(table.schema.names), cells)
        start += len(cells)
        first += len(cells)


def _longest(column: Any) -> int:
    """Bytes of the longest text of a column of texts; 0 for others, and without much text."""
    from pyarrow import compute, types

    kind = column.type
    if column.nbytes <= MOST_BYTES or not (types.is_string(kind) or types.is_large_string(kind)):
        return 0
    return compute.max(compute.binary_length(column)).as_py() or 0


@contextmanager
def _open(path: Path) -> Iterator[Any]:
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
