"""Read the published files of benchmarks, plain or compressed; errors name the line."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError
from augkit.core.json_files import parse_json

_MOST_BYTES = 1 << 28


def existing_path(path: Path) -> Path:
    """The path itself or its compressed form, whichever is there."""
    for candidate in (path, path.with_name(path.name + ".gz")):
        if candidate.is_file():
            return candidate
    raise DataError(f"{path}: no such file (nor {path.name}.gz)")


def read_text(path: Path) -> str:
    """The whole text of a file, compressed or not."""
    there = existing_path(path)
    try:
        with gzip.open(there) if there.suffix == ".gz" else there.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataError(f"{there}: damaged: {error}") from error
    if len(data) > _MOST_BYTES:
        raise DataError(f"{there}: over {_MOST_BYTES >> 20} MB are too much for a benchmark")
    return text


def read_csv(path: Path, columns: Sequence[str], delimiter: str = ",") -> list[dict[str, str]]:
    """The rows of a file with a header that has these columns."""
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""), delimiter=delimiter)
    missing = [name for name in columns if name not in (reader.fieldnames or ())]
    if missing:
        raise DataError(
            f"{path}: no column {', '.join(missing)}; there are: "
            f"{', '.join(reader.fieldnames or ())}"
        )
    try:
        return list(reader)
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: not a table: {error}") from None


def read_jsonl(path: Path, keys: Sequence[str]) -> list[dict[str, Any]]:
    """The objects of a file, one per line, each with these keys."""
    rows = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip():
            rows.append(_object(line, keys, f"{path}:{number}"))
    return rows


def read_json(path: Path) -> Any:
    """The JSON value of a file."""
    return parse_json(read_text(path), str(path))


def _object(line: str, keys: Sequence[str], where: str) -> dict[str, Any]:
    row = parse_json(line, where)
    missing = [key for key in keys if not isinstance(row, dict) or key not in row]
    if missing:
        raise DataError(f"{where}: no {', '.join(missing)}")
    return dict(row)
