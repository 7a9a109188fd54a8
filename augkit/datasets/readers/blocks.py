"""Blocks of a few thousand rows, which can be sent to another process and parsed there."""

from __future__ import annotations

import codecs
import io
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any, TypeVar

from augkit.core.characters import find_surrogate, half_a_character
from augkit.core.errors import DataError
from augkit.core.json_files import (
    MOST_DEPTH,
    Refused,
    is_deep,
    may_repeat_keys,
    refuse_halves,
    unique_keys,
)
from augkit.datasets.readers.files import (
    MOST_AT_ONCE,
    MOST_BYTES,
    check_head,
    not_utf8,
    open_file,
    too_large,
)

Row = dict[str, Any]
"""A row as it was read: column → plain value."""

Cells = TypeVar("Cells", bound=tuple[Any, ...])

BLOCK_BYTES = 1 << 18
"""About this much text goes into a block: some 2,000 short rows, or a few long ones."""
ROWS_AT_ONCE = 1024
"""Rows of a block where the length of their text is not looked at."""

_DIGITS_ALONE = bytes(48 if chr(byte) in "0123456789" else 32 for byte in range(256))
_LONG_NUMBER = b"0" * 16
_DECODER = json.JSONDecoder(object_pairs_hook=unique_keys)
_TOO_DEEP = (
    f"values inside values are nested more than {MOST_DEPTH} deep. Write such a value as text, or "
    "leave it out"
)
_HOW_TO_WRITE = (
    'Write an array of objects, or one object per line, as {"text": "...", "label": "..."}'
)
_OBJECT_FIRST = re.compile(rb"\s*\[\s*(?:[{\]]|$)")
"""How an array begins that can be one of objects; others are not parsed."""
_NOT_ASCII = bytes(range(128, 256))
_LONGEST_HALF = len("-Infinit")
_NO_ARRAY = "it begins as a JSON array, and is none of objects"
_CUT_OFF = (
    "the file ends within its JSON array: it is cut off here. Write or download it again, or end "
    "it with ] after the last whole object"
)
_BETWEEN = 0
"""Separates lines when a block is parsed at once, to check that no line ran into another."""


@dataclass(frozen=True, slots=True)
class LineBlock:
    """Lines of a JSON Lines file as raw bytes: cheap to make, parsed where they are needed."""

    source: str
    start: int
    """Number of the block's first row in the dataset, from 0."""
    count: int
    """Rows in the block."""
    first_line: int
    """Line number of the first line in the file, from 1."""
    offset: int
    """Bytes of (uncompressed) text before the block in the file."""
    payload: bytes

    def rows(self) -> list[Row]:
        """The parsed rows; raises ``DataError`` with the line for what is not a JSON object."""
        rows = _parse_at_once(self.payload)
        if rows is not None and not any_deep(self.payload, rows):
            self._refuse_repeated_keys(rows)
            return rows
        rows = []
        for line, text in self._lines():
            try:
                row = _DECODER.decode(text)
            except Refused as error:
                raise DataError(f"{self.source}, line {line}: {error}") from None
            except (ValueError, RecursionError) as error:
                raise DataError(_not_json(self.source, line, text, error)) from None
            if is_deep(row):
                raise DataError(f"{self.source}, line {line}: {_TOO_DEEP}")
            if type(row) is not dict:
                raise DataError(
                    f"{self.source}, line {line}: expected a JSON object, found {kind_of(row)}. "
                    'Each line must be one object, as {"text": "...", "label": "..."}'
                )
            rows.append(row)
        refuse_half_characters(rows, self.location)
        return rows

    def _refuse_repeated_keys(self, rows: list[Row]) -> None:
        """Raise for the first row with a key that its line gives twice; ``rows`` are parsed."""
        if not may_repeat_keys(self.payload, rows):
            return
        for row, (number, line) in zip(rows, self._lines(), strict=True):
            if may_repeat_keys(line.encode(), row):
                try:
                    _DECODER.decode(line)
                except Refused as error:
                    raise DataError(f"{self.source}, line {number}: {error}") from None

    def location(self, index: int) -> str:
        """Where the row with this index in the block is, for messages."""
        lines = [line for line, _ in self._lines()]
        return f"{self.source}, line {lines[index]}"

    def _lines(self) -> Iterator[tuple[int, str]]:
        text = decode(self.source, self.first_line, self.offset, self.payload)
        lines = text.replace("\r\n", "\n").split("\n")
        return (
            (number, line)
            for number, line in enumerate(lines, self.first_line)
            if line.strip(" \t\r\v\f")  # as ``bytes.isspace`` counted, no other spaces
        )


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Rows that were parsed while reading: CSV, parquet, the hub."""

    source: str
    start: int
    first_row: int
    """Number of the first row within its file, from 1."""
    columns: tuple[str, ...]
    cells: Sequence[tuple[Any, ...]]

    @property
    def count(self) -> int:
        """Rows in the block."""
        return len(self.cells)

    def rows(self) -> list[Row]:
        """The rows by column name; ``DataError`` where a text has half of a character."""
        rows = [dict(zip(self.columns, cells, strict=True)) for cells in self.cells]
        refuse_half_characters(rows, self.location)
        return rows

    def location(self, index: int) -> str:
        """Where the row with this index in the block is, for messages."""
        return f"{self.source}, row {self.first_row + index}"


Block = LineBlock | RowBlock


def read_lines(path: Path, start: int = 0) -> Iterator[Block]:
    """Read a plain or gzipped JSON Lines file, or a JSON array of objects, in blocks.

    ``start`` numbers the first row.
    """
    with open_file(path) as file:
        is_array = file.read(64).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")
    if is_array:
        yield from _read_array(path, start)
        return
    for line, offset, content in _text_blocks(path):
        lines = content.split(b"\n")
        filled = len(lines) - lines.count(b"") - sum(map(bytes.isspace, lines))
        if filled:
            yield LineBlock(str(path), start, filled, line, offset, content)
        start += filled


def _text_blocks(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Read whole lines: the number of the first line, the bytes before it, and the bytes."""
    line = 1
    offset = 0
    with open_file(path) as file:
        while content := file.read(BLOCK_BYTES) + file.readline(MOST_BYTES):
            ends = content.count(b"\n")
            if not content.endswith(b"\n") and len(content) - content.rfind(b"\n") > MOST_BYTES:
                raise too_large(f"{path}, line {line + ends}", "a line")
            if line == 1:
                check_head(path, content)
                text = content.removeprefix(codecs.BOM_UTF8)
                offset = len(content) - len(text)
                content = text
            yield line, offset, content
            line += ends
            offset += len(content)


def text_lines(path: Path) -> Iterator[str]:
    """Read the lines of a text file with their ends, which are those of any system."""
    texts = (decode(str(path), *block) for block in _text_blocks(path))
    return chain.from_iterable(io.StringIO(text, newline="") for text in texts)


def decode(source: str, line: int, offset: int, content: bytes) -> str:
    """Decode the ``content`` that begins at this line and offset; an error names the place."""
    try:
        # Lone surrogates are not valid UTF-8, but occur: they have an error of their own.
        return content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        line += content[: error.start].count(b"\n")
        raise not_utf8(source, f"{source}, line {line}", offset + error.start, content) from None


def _read_array(path: Path, start: int) -> Iterator[RowBlock]:
    """Read a JSON array of objects as a whole; what one object lacks is null in it."""
    with open_file(path) as file:
        content = file.read(MOST_AT_ONCE + 1)
    if len(content) > MOST_AT_ONCE:
        raise DataError(
            f"{path}: a JSON array of over {MOST_AT_ONCE >> 20} MB is too large, as it is read as "
            f"a whole. Write one object per line: jq -c '.[]' {path} > NEW.jsonl"
        )
    rows = _parse_array(path, content.removeprefix(codecs.BOM_UTF8))
    columns = tuple(dict.fromkeys(chain.from_iterable(rows)))
    for first in range(0, len(rows), ROWS_AT_ONCE):
        cells = [tuple(map(row.get, columns)) for row in rows[first : first + ROWS_AT_ONCE]]
        yield RowBlock(str(path), start + first, first + 1, columns, cells)


def _parse_array(path: Path, content: bytes) -> list[Row]:
    """Parse a JSON array; ``DataError`` where it is none, or not one of objects."""
    if not _OBJECT_FIRST.match(content):
        raise DataError(f"{path}: {_NO_ARRAY}. {_HOW_TO_WRITE}")
    rows = _parse_fast(content)
    if rows is None:
        # No array ends with other characters than those of ASCII: it is cut off within them.
        text = decode(str(path), 1, 0, content.rstrip(_NOT_ASCII))
        try:
            rows = json.loads(text)
        except json.JSONDecodeError as error:
            raise DataError(_no_array(path, text, error)) from None
        except (ValueError, RecursionError):
            problem = "nested too deeply, or a number too long"
            raise DataError(f"{path}: this is not JSON: {problem}. {_HOW_TO_WRITE}") from None
    for number, row in enumerate(rows, 1):
        if type(row) is not dict:
            raise DataError(
                f"{path}, row {number}: expected a JSON object, found {kind_of(row)}. "
                f"{_HOW_TO_WRITE}"
            )
    if any_deep(content, rows):
        number = next(number for number, row in enumerate(rows, 1) if is_deep(row))
        raise DataError(f"{path}, row {number}: {_TOO_DEEP}")
    if may_repeat_keys(content, rows):
        _refuse_repeated_keys_of_array(path, decode(str(path), 1, 0, content))
    return rows


def _refuse_repeated_keys_of_array(path: Path, text: str) -> None:
    """Raise for the first object with a key given twice; the text is an array of objects."""
    place = 0
    # Between two objects there are commas and spaces alone.
    for number in count(1):
        place = text.find("{", place)
        if place < 0:
            return
        try:
            _, place = _DECODER.raw_decode(text, place)
        except Refused as error:
            raise DataError(f"{path}, row {number}: {error}") from None


def _no_array(path: Path, text: str, error: json.JSONDecodeError) -> str:
    """Say what is wrong with the text of an array: it ends too soon, or is no JSON somewhere."""
    text = text.rstrip()
    # Half a value or half an escape at the end is no JSON from where it begins.
    at_end = error.pos + _LONGEST_HALF >= len(text) and not text.endswith("]")
    is_open = error.pos >= len(text) or error.msg.startswith("Unterminated string")
    if (at_end or is_open) and error.msg != "Extra data":
        line = text.count("\n") + 1
        return f"{path}, line {line}: {_CUT_OFF}"
    near = text[error.pos : error.pos + 40]
    return (
        f"{path}, line {error.lineno}, column {error.colno}: this is not JSON: {error.msg}, near "
        f"{near!r}. {_HOW_TO_WRITE}"
    )


def refuse_half_characters(rows: Sequence[Row], location: Callable[[int], str]) -> None:
    """Raise for the first of the ``rows`` with half of a character in a text or a column's name.

    ``location`` gives the place of the row with a number, for the error.
    """
    try:
        refuse_halves(rows)
    except Refused:
        for number, row in enumerate(rows):
            if found := find_surrogate(row):
                raise DataError(f"{location(number)}: {half_a_character(*found)}") from None


def any_deep(text: bytes, rows: Sequence[Any]) -> bool:
    """Whether the text of these rows has brackets enough, and one is nested too deeply."""
    brackets = text.count(b"[") + text.count(b"{")
    return brackets >= len(rows) + MOST_DEPTH and any(map(is_deep, rows))


def places(block: Block, numbers: Sequence[int]) -> list[int]:
    """The places in a block of the rows with these numbers, which are in order."""
    ends = block.start, block.start + block.count
    first, last = (bisect_left(numbers, end) for end in ends)
    return [number - block.start for number in numbers[first:last]]


def row_blocks(
    path: Path,
    start: int,
    columns: tuple[str, ...],
    rows: Iterable[Cells],
    length: Callable[[Cells], int],
) -> Iterator[RowBlock]:
    """Blocks of rows that are parsed while reading; ``length`` is how much text a row has."""
    cells: list[Cells] = []
    size = 0
    first = 1
    for row in rows:
        cells.append(row)
        of_row = length(row)
        if of_row > MOST_BYTES:
            raise too_large(f"{path}, row {first + len(cells) - 1}", "a row")
        size += of_row
        if size >= BLOCK_BYTES:
            yield RowBlock(str(path), start, first, columns, cells)
            start += len(cells)
            first += len(cells)
            cells = []
            size = 0
    if cells:
        yield RowBlock(str(path), start, first, columns, cells)


def _parse_at_once(payload: bytes) -> list[Row] | None:
    """Parse all lines in one go, five times as fast; None where one by one could differ."""
    lines = [line for line in payload.split(b"\n") if not line.isspace() and line]
    values = _parse_fast(b"[%b]" % (b",%d," % _BETWEEN).join(lines))
    if values is None:
        return None
    rows = values[::2]
    between = values[1::2]
    whole = len(rows) == len(lines) and all(value is _BETWEEN for value in between)
    return rows if whole and all(type(row) is dict for row in rows) else None


def _parse_fast(array: bytes) -> list[Any] | None:
    """Parse a JSON array with orjson; None where it is none, or where json could differ.

    orjson turns integers over 64 bits into floats, and rejects NaN and lone surrogates.
    """
    import orjson

    if _LONG_NUMBER in array.translate(_DIGITS_ALONE):  # thirty times as fast as a pattern
        return None
    try:
        values: list[Any] = orjson.loads(array)
    except orjson.JSONDecodeError:
        return None
    return values


def _not_json(source: str, line: int, text: str, error: Exception) -> str:
    column = getattr(error, "colno", None)
    where = f"{source}, line {line}" + (f", column {column}" if column else "")
    problem = getattr(error, "msg", None) or "nested too deeply, or a number too long"
    return (
        f"{where}: this is not JSON: {problem}, near {text[:40]!r}. "
        'Each line must be one whole object, as {"text": "...", "label": "..."}'
    )


def kind_of(value: object) -> str:
    """What JSON calls a value: null, true or false, number, text, list or object.

    >>> kind_of(3), kind_of([1]), kind_of(None)
    ('number', 'list', 'null')
    """
    for types, kind in _KINDS:
        if isinstance(value, types):
            return kind
    return type(value).__name__


_KINDS: list[tuple[tuple[type, ...], str]] = [
    ((bool,), "true or false"),
    ((int, float), "number"),
    ((str,), "text"),
    ((list, tuple), "list"),
    ((dict,), "object"),
    ((type(None),), "null"),
]
