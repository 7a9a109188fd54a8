"""The sizes of the pages of a parquet file, from its footer and their headers.

Nothing is decompressed. Both are structs of Thrift's compact protocol. pyarrow can read the footer,
and ends the whole process where some footers are damaged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from augkit.core.errors import DataError

_SMALL = 1 << 20
_HEADER_BYTES = 1 << 16
"""No header is longer, though it may hold the smallest and the largest value of its page."""
_BYTE_ARRAY = 6
_END = b"PAR1"


@dataclass(frozen=True, slots=True)
class TextColumn:
    """A column of texts or bytes, in one group of rows."""

    group: int
    """The number of the group, from 1."""
    name: str
    largest_page: int
    """Bytes of its largest page, or more; no cell has more."""


def text_columns(path: Path) -> Iterator[TextColumn]:
    """Every column of texts; ``DataError`` where footer or headers are damaged."""
    with path.open("rb") as file:
        try:
            for group, columns in enumerate(_footer(file)[4], 1):
                for chunk in columns[1]:
                    column = chunk[3]
                    if column[1] == _BYTE_ARRAY:
                        name = b".".join(column[3]).decode(errors="replace")
                        yield TextColumn(group, name, _largest_page(file, column))
        except (LookupError, TypeError, AttributeError, RecursionError, ValueError) as error:
            raise DataError(
                f"{path}: this is not a complete parquet file: its footer or the header of a page "
                f"is damaged ({error!r}). Write or download it again"
            ) from None


def _footer(file: BinaryIO) -> dict[int, Any]:
    size = file.seek(0, 2)
    file.seek(max(0, size - 8))
    tail = file.read()
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != _END:
        raise ValueError("the last bytes are not PAR1")
    file.seek(max(0, size - 8 - length))
    return _Compact(file.read(length)).struct()


def _largest_page(file: BinaryIO, column: dict[int, Any]) -> int:
    """In a small column the headers are not looked at: no page is larger than the column."""
    uncompressed, compressed = column[6], column[7]
    if uncompressed <= _SMALL:
        return max(0, int(uncompressed))
    place = min(column[9], column.get(11) or column[9])
    end, largest = place + compressed, 0
    while 0 <= place < end:
        file.seek(place)
        header = _Compact(file.read(_HEADER_BYTES))
        fields = header.struct()
        if fields[2] < 0 or fields[3] < 0:
            raise ValueError(f"a page of {fields[2]} bytes")
        largest = max(largest, fields[2])
        place += header.place + fields[3]
    return largest


class _Compact:
    """Reads Thrift's compact protocol: a struct is a mapping from the numbers of its fields."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.place = 0
        """Bytes that were read."""

    def struct(self) -> dict[int, Any]:
        """A struct with all that it holds."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            kind, step = head & 15, head >> 4
            number = number + step if step else self._integer()
            # The type of a field that is true or false is its value.
            fields[number] = kind == 1 if kind <= 2 else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (4, 5, 6):
            return self._integer()
        if kind == 8:
            return self._bytes(self._varint())
        if kind in (9, 10):
            head = self._byte()
            size = self._varint() if head >> 4 == 15 else head >> 4
            return [self._value(head & 15) for _ in range(size)]
        if kind == 11:
            size = self._varint()
            kinds = self._byte() if size else 0
            return [(self._value(kinds >> 4), self._value(kinds & 15)) for _ in range(size)]
        if kind == 12:
            return self.struct()
        return self._bytes(8 if kind == 7 else 1)

    def _bytes(self, count: int) -> bytes:
        start = self.place
        self.place += count
        if self.place > len(self._data):
            raise ValueError("it is cut off")
        return self._data[start : self.place]

    def _byte(self) -> int:
        self.place += 1
        return self._data[self.place - 1]

    def _integer(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)

    def _varint(self) -> int:
        number = shift = 0
        while (byte := self._byte()) >= 128:
            number |= (byte & 127) << shift
            shift += 7
        return number | byte << shift
