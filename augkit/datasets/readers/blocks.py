"""Blocks of a few thousand rows, which can be sent to another process and parsed there."""

from __future__ import annotations

import codecs
import io
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, TypeVar, cast

from augkit.core.errors import DataError
from augkit.core.json_files import MOST_DEPTH, is_deep
from augkit.datasets.readers.files import MAX_CELL, check_head, not_utf8, open_file, too_long

Row = dict[str, Any]
"""A row as it was read: column → plain value."""

Cells = TypeVar("Cells", bound=tuple[Any, ...])

BLOCK_BYTES = 1 << 18
"""About this much text goes into a block: some 2,000 short rows, or a few long ones."""

_DIGITS_ALONE = bytes(48 if chr(byte) in "0123456789" else 32 for byte in range(256))
_LONG_NUMBER = b"0" * 16
_DECODER = json.JSONDecoder()
_SPACES = re.compile(r"[ \t\r\n]*")
_TOO_DEEP = (
    f"values inside values are nested more than {MOST_DEPTH} deep. Write such a value as text, or "
    "leave it out"
)
_LONGEST_ESCAPE = len(r"\u00e9")
_HOW_TO_WRITE = (
    'Write an array of objects, or one object per line, as {"text": "...", "label": "..."}'
)
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
        rows = _parsed_at_once(self.payload)
        if rows is not None and not any_deep(self.payload, rows):
            return rows
        rows = []
        for line, text in self._lines():
            try:
                row = json.loads(text)
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
        return rows

    def location(self, index: int) -> str:
        """Where the row with this index in the block is, for messages."""
        lines = [line for line, _ in self._lines()]
        return f"{self.source}, line {lines[index]}"

    def _lines(self) -> Iterator[tuple[int, str]]:
        try:
            # Lone surrogates are not valid UTF-8, but occur, and do no harm.
            text = self.payload.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            before = self.payload[: error.start].count(b"\n")
            where = f"{self.source}, line {self.first_line + before}"
            raise not_utf8(self.source, where, self.offset + error.start, self.payload) from None
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
        """The rows by column name."""
        return [dict(zip(self.columns, cells, strict=True)) for cells in self.cells]

    def location(self, index: int) -> str:
        """Where the row with this index in the block is, for messages."""
        return f"{self.source}, row {self.first_row + index}"


Block = LineBlock | RowBlock


def read_lines(path: Path, start: int = 0, max_cell: int = MAX_CELL) -> Iterator[Block]:
    """Blocks of a plain or gzipped JSON Lines file, or of a JSON array of objects.

    ``start`` numbers the first row.
    """
    with open_file(path, max_cell) as file:
        is_array = file.read(64).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")
    if is_array:
        yield from _read_array(path, start, max_cell)
        return
    line = 1
    with open_file(path, max_cell) as file:
        head = file.read(len(codecs.BOM_UTF8))
        check_head(path, head)
        offset = len(head) if head == codecs.BOM_UTF8 else 0
        file.seek(offset)
        while lines := file.readlines(BLOCK_BYTES):
            payload = b"".join(lines)
            filled = len(lines) - sum(map(bytes.isspace, lines))
            if line == 1:
                check_head(path, payload)
            if filled:
                yield LineBlock(str(path), start, filled, line, offset, payload)
            start, line, offset = start + filled, line + len(lines), offset + len(payload)


def _read_array(path: Path, start: int, max_cell: int) -> Iterator[RowBlock]:
    """Blocks of a JSON array of objects; what one object lacks is null in it.

    The array is read twice, an object at a time: once for the names of all columns.
    """
    columns = tuple(dict.fromkeys(name for row in _objects(path, max_cell) for name in row))
    cells = (tuple(map(row.get, columns)) for row in _objects(path, max_cell))
    yield from row_blocks(path, start, columns, cells, lambda row: sum(map(len, map(str, row))))


def _objects(path: Path, max_cell: int) -> Iterator[Row]:
    """The objects of an array."""
    with open_file(path, None) as file:
        array = _ArrayText(path, file, max_cell)
        try:
            array.sign()
            after = array.sign()
            for number in count(1):
                if after == "]":
                    array.expect(array.sign(), "", "the array ended before this")
                    return
                if number == 1 and after not in {"{", ""}:
                    raise DataError(f"{path}: {_NO_ARRAY}. {_HOW_TO_WRITE}")
                if number > 1:
                    array.expect(after, ",", "a comma or ] is missing")
                    after = array.sign()
                array.expect(after, "{", "an object must begin here")
                yield array.row(f"{path}, row {number}")
                after = array.sign()
        except UnicodeDecodeError:
            raise _undecodable(path) from None


def _undecodable(path: Path) -> DataError:
    """The error for the first line that is not UTF-8, or is cut within a character."""
    offset, number = 0, 0
    with open_file(path, None) as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode("utf-8", "surrogatepass")
            except UnicodeDecodeError as error:
                where = f"{path}, line {number}"
                if error.reason == "unexpected end of data" and not file.peek(1):
                    return DataError(f"{where}: {_CUT_OFF}")
                return not_utf8(str(path), where, offset + error.start, line)
            offset += len(line)
    return DataError(f"{path}, line {number}: {_CUT_OFF}")


class _ArrayText:
    """The text of a JSON array, of which one object is in memory at a time."""

    def __init__(self, path: Path, file: io.BufferedReader, max_cell: int) -> None:
        self._file = io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogatepass")
        self._path, self._max_cell = path, max_cell
        self._text, self._place = "", 0
        self._lines, self._columns = 0, 0  # of the text that was used and is not held any more

    def sign(self) -> str:
        """The next character that is no space; "" at the end."""
        skipped = 0
        while True:
            end = _SPACES.match(self._text, self._place).end()  # type: ignore[union-attr]
            skipped += end - self._place
            self._place = end + 1
            if end < len(self._text):
                return self._text[end]
            if skipped > self._max_cell << 20:
                raise too_long(str(self._path), "empty space", self._max_cell)
            self._place = end
            if not self._read():
                return ""

    def expect(self, sign: str, wanted: str, problem: str) -> None:
        """Raise where the sign that was read last is another one; "" is the end of the file."""
        if sign == wanted:
            return
        if not sign:
            raise DataError(f"{self._where(len(self._text))}: {_CUT_OFF}")
        raise self._no_json(self._place - 1, problem)

    def row(self, where: str) -> Row:
        """The object whose bracket was the last sign."""
        self._place -= 1
        while True:
            try:
                row, end = _DECODER.raw_decode(self._text, self._place)
            except json.JSONDecodeError as error:
                if len(self._text) - self._place > self._max_cell << 20:
                    raise too_long(where, "an object", self._max_cell) from None
                ahead = error.pos - self._place
                if not self._read():
                    raise self._broken(ahead, error.msg) from None
                continue
            except (ValueError, RecursionError):
                problem = "nested too deeply, or a number too long"
                raise self._no_json(self._place, problem) from None
            if any_deep(self._text[self._place : end].encode(errors="replace"), [row]):
                raise DataError(f"{where}: {_TOO_DEEP}")
            self._place = end
            return cast("Row", row)

    def _broken(self, place: int, problem: str) -> DataError:
        """The error for the object that the held text begins with, and that is not whole."""
        rest = self._text[place:].rstrip()
        is_word = any(word.startswith(rest) for word in ("true", "false", "null", "-"))
        is_escape = "escape" in problem and len(rest) < _LONGEST_ESCAPE
        if problem.startswith("Unterminated string") or is_word or is_escape:
            return DataError(f"{self._where(place)}: {_CUT_OFF}")
        return self._no_json(place, problem)

    def _no_json(self, place: int, problem: str) -> DataError:
        near = self._text[place : place + 40]
        return DataError(
            f"{self._where(place)}: this is not JSON: {problem}, near {near!r}. {_HOW_TO_WRITE}"
        )

    def _where(self, place: int) -> str:
        """The line and the column of a place in the text that is held."""
        last = self._text.rfind("\n", 0, place)
        line = self._lines + self._text.count("\n", 0, place) + 1
        column = place - last if last >= 0 else self._columns + place + 1
        return f"{self._path}, line {line}, column {column}"

    def _read(self) -> bool:
        """Read on, as much again as is not used yet; whether there was more."""
        ahead, used = self._text[self._place :], self._text[: self._place]
        last = used.rfind("\n")
        self._lines += used.count("\n")
        self._columns = len(used) - last - 1 if last >= 0 else self._columns + len(used)
        more = self._file.read(max(BLOCK_BYTES, len(ahead)))
        self._text, self._place = ahead + more, 0
        return bool(more)


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
    size, first = 0, 1
    for row in rows:
        cells.append(row)
        size += length(row)
        if size >= BLOCK_BYTES:
            yield RowBlock(str(path), start, first, columns, cells)
            start, first, size = start + len(cells), first + len(cells), 0
            cells = []
    if cells:
        yield RowBlock(str(path), start, first, columns, cells)


def _parsed_at_once(payload: bytes) -> list[Row] | None:
    """All lines in one go, five times as fast; None where that could differ from one by one.

    orjson turns integers over 64 bits into floats, and rejects NaN and lone surrogates.
    """
    import orjson

    if _LONG_NUMBER in payload.translate(_DIGITS_ALONE):  # thirty times as fast as a pattern
        return None
    lines = [line for line in payload.split(b"\n") if not line.isspace() and line]
    try:
        values = orjson.loads(b"[%b]" % (b",%d," % _BETWEEN).join(lines))
    except orjson.JSONDecodeError:
        return None
    rows, between = values[::2], values[1::2]
    whole = len(rows) == len(lines) and all(value is _BETWEEN for value in between)
    return rows if whole and all(type(row) is dict for row in rows) else None


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
