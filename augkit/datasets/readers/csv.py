"""CSV and TSV, checked row by row."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from augkit.core.errors import DataError, listed
from augkit.datasets.readers.blocks import RowBlock, row_blocks
from augkit.datasets.readers.files import (
    MAX_CELL,
    BoundedLines,
    check_head,
    decoded_lines,
    open_file,
    too_long,
)

Cells = tuple[str, ...]


def read_table(
    path: Path,
    start: int = 0,
    *,
    delimiter: str = ",",
    quotes: bool = True,
    max_cell: int = MAX_CELL,
) -> Iterator[RowBlock]:
    """Blocks of a plain or gzipped table with column names in the first row."""
    rows = _records(path, delimiter, quotes, max_cell)
    header = next(rows, ())
    if delimiter == "," and len(header) == 1 and ";" in header[0]:  # as Excel writes in Europe
        rows = _records(path, ";", quotes, max_cell)
        header = next(rows, ())
    _check_header(path, header)
    yield from row_blocks(path, start, header, rows, lambda cells: sum(map(len, cells)))


def _records(path: Path, delimiter: str, quotes: bool, max_cell: int) -> Iterator[Cells]:
    """Header and rows, all of the same length."""
    # The limit is global, of characters, and 131,072 where nobody sets it.
    csv.field_size_limit(max_cell << 20)
    width = 0
    with open_file(path, max_cell) as file:
        bounded = cast("BoundedLines", file.raw)
        bounded.row = 0
        check_head(path, file.read(64))
        file.seek(0)
        text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogatepass", newline="")
        reader = csv.reader(
            text,
            delimiter=delimiter,
            quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
            strict=True,
        )
        try:
            for cells in reader:
                bounded.row = 0
                width = width or len(cells)
                if not cells:
                    continue  # an empty line
                if len(cells) == width:
                    yield tuple(cells)
                else:
                    raise DataError(
                        f"{path}, line {reader.line_num}: expected {width} columns as in the first "
                        f"row, found {len(cells)}. {_QUOTES}"
                    )
        except csv.Error as error:
            if "field limit" in str(error):
                raise too_long(f"{path}, line {reader.line_num}", "a cell", max_cell) from None
            raise DataError(
                f"{path}, line {reader.line_num}: this is not a well-formed table: {error}. "
                f"{_QUOTES}"
            ) from None
        except UnicodeDecodeError:
            for _ in decoded_lines(path, max_cell):
                pass  # to the error of the line, which the text layer does not know
            raise DataError(f"{path}: the file changed while it was read. Run it again") from None


def _check_header(path: Path, header: Cells) -> None:
    repeated = sorted(name for name, count in Counter(header).items() if count > 1)
    if repeated:
        raise DataError(
            f"{path}: the first row must name the columns, each once; "
            f"repeated: {listed(map(repr, repeated))}"
        )

    separators = [sign for sign in ";|\t," if len(header) == 1 and sign in header[0]]
    if separators:
        raise DataError(
            f"{path}: there is only one column, called {header[0][:80]!r}: the cells seem to be "
            f"separated by {separators[0]!r}. Write it with commas as .csv, or with tabs as .tsv"
        )


_QUOTES = (
    'Put cells that hold a separator, a quote or a line break in quotes ("" for a quote); '
    "if quotes are plain characters in this file, use --no-quotes"
)
