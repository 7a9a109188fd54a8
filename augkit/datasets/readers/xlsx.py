"""The first sheet of an Excel workbook, as the rows of a table."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, time
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from augkit.core.errors import DataError, MissingExtra
from augkit.datasets.readers.blocks import RowBlock, row_blocks
from augkit.datasets.readers.csv import Cells, column_names
from augkit.datasets.readers.files import MOST_AT_ONCE, too_large

_SAVE_AS = "Or save the sheet as CSV UTF-8"
_MOST_ROWS = 1 << 20
"""Rows that a sheet of Excel can have."""


def read_workbook(path: Path, start: int = 0) -> Iterator[RowBlock]:
    """Read the first sheet, with column names in its first row, in blocks."""
    try:
        import openpyxl  # noqa: F401 - so that only its absence is told as such
    except ImportError as error:
        raise MissingExtra("xlsx", f"{path}: reading a workbook", _SAVE_AS) from error
    state = path.stat()
    filled = _filled_rows(path, state.st_mtime_ns, state.st_size)
    if not filled:
        return
    columns = column_names(path, filled[0][1])
    rows = filled[1:]
    for number, cells in rows:
        if len(cells) > len(columns):
            raise DataError(
                f"{path}, row {number} of the sheet: expected {len(columns)} columns as in the "
                f"first row, found {len(cells)}. The first row must name every column"
            )
    padded = (cells + ("",) * (len(columns) - len(cells)) for _, cells in rows)
    yield from row_blocks(path, start, columns, padded, lambda cells: sum(map(len, cells)))


@lru_cache(maxsize=1)  # parsing is slow, and commands read a dataset several times
def _filled_rows(path: Path, changed: int, size: int) -> list[tuple[int, Cells]]:
    """Read the rows that are not empty, each with its number, without empty cells at the end.

    ``changed`` and ``size`` are those of the file: it is read again when they are others.
    """
    del changed, size
    from openpyxl import load_workbook

    rows = []
    try:
        # Warnings are of charts, formats and the like, which no row needs.
        with warnings.catch_warnings(), path.open("rb") as file:
            warnings.simplefilter("ignore")
            _check_size(path, file)
            with closing(load_workbook(file, read_only=True, data_only=True)) as workbook:
                sheet = workbook.worksheets[0]
                _tell_which(path, sheet.title, len(workbook.worksheets))
                # A size that the file gives wrongly would add empty cells or hide rows.
                sheet.reset_dimensions()
                # Rows that are left out come as empty ones, and a wrong number leaves out many.
                possible = islice(sheet.iter_rows(values_only=True), _MOST_ROWS)
                for number, values in enumerate(possible, 1):
                    cells = _cells(values)
                    if cells:
                        rows.append((number, cells))
    except DataError:
        raise
    except Exception as error:
        # Damaged workbooks fail in many ways, each of its own kind.
        raise DataError(
            f"{path}: this workbook cannot be read: {error or type(error).__name__}. Save it again "
            "as .xlsx, without a password, or as CSV UTF-8"
        ) from error
    return rows


def _check_size(path: Path, file: Any) -> None:
    """Raise where the parts of a workbook are too large when they are unpacked."""
    with ZipFile(file) as archive:
        size = sum(part.file_size for part in archive.infolist())
    if size > MOST_AT_ONCE:
        raise too_large(str(path), "an unpacked workbook", MOST_AT_ONCE)


def _tell_which(path: Path, sheet: str, count: int) -> None:
    """Say which of several sheets is read."""
    if count > 1:
        logging.getLogger(__name__).warning(
            "%s: of its %d sheets only the first, '%s', is read. Save another one as a file of its "
            "own to read that",
            path,
            count,
            sheet,
        )


def _cells(values: tuple[Any, ...]) -> Cells:
    """Write the values of a row as texts, without those that are empty at its end."""
    texts = [_write(value) for value in values]
    while texts and not texts[-1]:
        texts.pop()
    return tuple(texts)


def _write(value: Any) -> str:
    """Write a value as Excel writes it to a CSV file, and dates as ISO 8601 has them.

    >>> [_write(value) for value in (None, 3, 3.0, 0.1 + 0.2, True, "3 ")]
    ['', '3', '3', '0.3', 'TRUE', '3 ']
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value:.15g}"  # the digits that Excel keeps
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return str(value)
