"""CSV and TSV, checked row by row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from augkit.core.errors import DataError
from augkit.datasets.readers.blocks import RowBlock, row_blocks
from augkit.datasets.readers.files import check_head, decoded_lines, open_file

Cells = tuple[str, ...]


def read_table(
    path: Path, start: int = 0, *, delimiter: str = ",", quotes: bool = True
) -> Iterator[RowBlock]:
    """Blocks of a plain or gzipped table with column names in the first row."""
    rows = _records(path, delimiter, quotes)
    header = next(rows, ())
    if delimiter == "," and len(header) == 1 and ";" in header[0]:  # as Excel writes in Europe
        rows = _records(path, ";", quotes)
        header = next(rows, ())
    _check_header(path, header)
    yield from row_blocks(path, start, header, rows, lambda cells: sum(map(len, cells)))


def _records(path: Path, delimiter: str, quotes: bool) -> Iterator[Cells]:
    """Header and rows, all of the same length."""
    # The limit is global; the default is 131,072 characters.
    csv.field_size_limit(2**31 - 1)
    width = 0
    with open_file(path) as file:
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
                width = width or len(cells)
                if len(cells) == width:
                    yield tuple(cells)
                elif cells:
                    raise DataError(
                        f"{path}, line {reader.line_num}: expected {width} columns as in the first "
                        f"row, found {len(cells)}. {_QUOTES}"
                    )
        except csv.Error as error:
            raise DataError(
                f"{path}, line {reader.line_num}: this is not a well-formed table: {error}. "
                f"{_QUOTES}"
            ) from None
        except UnicodeDecodeError:
            for _ in decoded_lines(path):  # the error of the line: the text layer does not know it
                pass
            raise DataError(f"{path}: the file changed while it was read. Run it again") from None


def _check_header(path: Path, header: Cells) -> None:
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise DataError(
            f"{path}: the first row must name the columns, each once; "
            f"repeated: {', '.join(repr(name) for name in repeated)}"
        )

    separators = [sign for sign in ";|\t," if len(header) == 1 and sign in header[0]]
    if separators:
        raise DataError(
            f"{path}: there is only one column, called {header[0]!r}: the cells seem to be "
            f"separated by {separators[0]!r}. Write it with commas as .csv, or with tabs as .tsv"
        )


_QUOTES = (
    'Put cells that hold a separator, a quote or a line break in quotes ("" for a quote); '
    "if quotes are plain characters in this file, use --no-quotes"
)
