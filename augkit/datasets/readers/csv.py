"""CSV and TSV, checked row by row."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from augkit.core.errors import DataError, listed
from augkit.datasets.readers.blocks import RowBlock, row_blocks, text_lines
from augkit.datasets.readers.files import MOST_BYTES, too_large

Cells = tuple[str, ...]
_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs"}


def read_table(
    path: Path, start: int = 0, *, tabs: bool = False, quotes: bool = True
) -> Iterator[RowBlock]:
    """Read a plain or gzipped table, with column names in the first row, in blocks.

    Without ``tabs`` the first rows show whether commas, semicolons or tabs separate the cells.
    """
    rows = _records(path, "\t" if tabs else _find_separator(path, quotes), quotes)
    columns = column_names(path, next(rows, ()))
    yield from row_blocks(path, start, columns, rows, lambda cells: sum(map(len, cells)))


def _find_separator(path: Path, quotes: bool) -> str:
    """Find the sign that divides the first row, and the second one like it."""
    of_header = []
    of_both = []
    for sign in ",;\t":  # Excel writes semicolons in Europe
        rows = _records(path, sign, quotes)
        # What is wrong with the file is said when it is read.
        with suppress(DataError):
            if len(next(rows, ())) > 1:
                of_header.append(sign)
                next(rows, None)
                of_both.append(sign)
    fitting = of_both or of_header or [","]
    if len(fitting) == 1:
        return fitting[0]
    raise DataError(
        f"{path}: its first row has {' and '.join(_NAMES[sign] for sign in fitting)}, and both may "
        "separate the cells. Put names that hold such a sign in quotes"
    )


def _records(path: Path, separator: str, quotes: bool) -> Iterator[Cells]:
    """Read header and rows, all of the same length."""
    # The limit is global, of characters, and 131,072 where nobody sets it.
    csv.field_size_limit(MOST_BYTES)
    reader = csv.reader(
        text_lines(path),
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
        strict=True,
    )
    width = 0
    try:
        for cells in reader:
            width = width or len(cells)
            if not cells:
                continue  # an empty line
            if len(cells) != width:
                raise DataError(
                    f"{path}, line {reader.line_num}: expected {width} columns as in the first "
                    f"row, found {len(cells)}. {_QUOTES}"
                )
            yield tuple(cells)
    except csv.Error as error:
        where = f"{path}, line {reader.line_num}"
        if "field limit" in str(error):
            raise too_large(where, "a cell") from None
        raise DataError(f"{where}: this is not a well-formed table: {error}. {_QUOTES}") from None


def column_names(path: Path, header: Cells) -> Cells:
    """Take the names of the columns from the first row, without spaces around them."""
    names = tuple(name.strip() for name in header)
    repeated = sorted(name for name, number in Counter(names).items() if number > 1)
    if repeated:
        raise DataError(
            f"{path}: the first row must name the columns, each once; "
            f"repeated: {listed(map(repr, repeated))}"
        )
    separators = [sign for sign in ";|," if len(names) == 1 and sign in names[0]]
    if separators:
        raise DataError(
            f"{path}: there is only one column, called {names[0][:80]!r}: the cells seem to be "
            f"separated by {separators[0]!r}. Write it with commas as .csv, or with tabs as .tsv"
        )
    return names


_QUOTES = (
    'Put cells that hold a separator, a quote or a line break in quotes ("" for a quote); '
    "if quotes are plain characters in this file, use --set quotes=false"
)
