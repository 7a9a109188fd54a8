"""Files of rows: their format by extension, and opening them with clear errors."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

from augkit.core.errors import DataError, nearest

MAX_CELL = 16
"""MB that a cell may have, unless the user says otherwise."""
_BUFFER = 1 << 16
_CELLS_OF_A_ROW = 4
"""So many of the largest cells may be in a row of a table."""
Format = Literal["jsonl", "csv", "tsv", "parquet", "conll", "spacy"]

_FORMATS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".conll": "conll",
    ".bio": "conll",
    ".iob": "conll",
    ".iob2": "conll",
    ".spacy": "spacy",
}

_MAGIC = [
    (b"\x1f\x8b", "gzip-compressed data: give its name the extension .gz"),
    (b"PAR1", "a parquet file: give its name the extension .parquet"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook: unpack it, or save it as CSV (UTF-8)"),
]


def format_of(path: Path) -> Format | None:
    """The format of a file by its extension; None: not supported.

    >>> format_of(Path("rows.csv.gz")), format_of(Path("rows.txt"))
    ('csv', None)
    """
    by_name = _FORMATS.get(without_gz(path).suffix.lower())
    return None if by_name in {"parquet", "spacy"} and path.suffix.lower() == ".gz" else by_name


def without_gz(path: Path) -> Path:
    """The path without a ``.gz`` extension."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def check_file(path: Path) -> Format:
    """The format of a file, after checking that it exists and is not empty."""
    if path.is_dir():
        raise DataError(f"{path}: this is a folder. Give one of its files")
    if not path.exists():
        folder = path.parent
        if not folder.is_dir():
            raise DataError(f"{path}: no such file, and no folder {folder}")
        near = nearest(path.name, [entry.name for entry in folder.iterdir() if entry.is_file()])
        hint = f" Did you mean {folder / near}?" if near else ""
        raise DataError(f"{path}: no such file.{hint}")
    file_format = format_of(path)
    if file_format is None:
        endings = ", ".join([*_FORMATS, ".jsonl.gz", ".csv.gz", ".tsv.gz"])
        raise DataError(f"{path}: unknown file extension. Known: {endings}")
    if path.stat().st_size == 0:
        raise DataError(f"{path}: the file is empty. Write or download it again, or name another")
    return file_format


class BoundedLines(io.RawIOBase):
    """The bytes of a file; a line or a row that is too long is an error before it is in memory."""

    def __init__(self, path: Path, file: BinaryIO, max_cell: int) -> None:
        """Read ``file``, which ``path`` names; a line has at most ``max_cell`` MB."""
        self._path, self._file, self._max_cell = path, file, max_cell
        self._line, self._length, self._empty = 1, 0, 0
        self.row: int | None = None
        """Bytes since the last row, for a reader of rows of several lines, which sets it to 0."""

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """Only to its beginning, or near it."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place in the first line."""
        self._line, self._length, self._empty = 1, 0, 0
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """How many bytes were read."""
        return self._file.tell()

    def readinto(self, buffer: Any) -> int:
        """The next bytes, of which the lines are measured."""
        chunk = self._file.read(len(buffer))
        buffer[: len(chunk)] = chunk
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        self._line += chunk.count(b"\n")
        self._length = self._length + len(chunk) if end < 0 else len(chunk) - end - 1
        self.row = None if self.row is None else self.row + len(chunk)
        most = self._max_cell << 20
        where = f"{self._path}, line {self._line}"
        if self._length > most:
            raise too_long(where, "a line", self._max_cell)
        self._empty = self._empty + len(chunk) if chunk.isspace() else 0
        if self._empty > most:
            raise too_long(where, "empty lines", self._max_cell)
        if self.row is not None and self.row > _CELLS_OF_A_ROW * most:
            raise too_long(where, "a row", self._max_cell, _CELLS_OF_A_ROW * self._max_cell)
        return len(chunk)


def too_long(where: str, what: str, max_cell: int, over: int | None = None) -> DataError:
    """The error for what has more than ``over`` MB; without it, than the limit of a cell."""
    return DataError(
        f"{where}: {what} of over {over or max_cell:,} MB. Is the file what it should be? If so, "
        f"allow more (now {max_cell} MB a cell): --max-cell MB"
    )


@contextmanager
def open_file(path: Path, max_cell: int | None = MAX_CELL) -> Iterator[io.BufferedReader]:
    """The bytes of a plain or gzipped text file; read errors become ``DataError``.

    With ``max_cell`` a line may have so many MB.
    """
    try:
        compressed = path.suffix.lower() == ".gz"
        with gzip.open(path, "rb") if compressed else path.open("rb") as file:
            if max_cell is None:
                yield cast("io.BufferedReader", file)
            else:
                bounded = BoundedLines(path, cast("BinaryIO", file), max_cell)
                yield io.BufferedReader(bounded, _BUFFER)
    except (EOFError, zlib.error) as error:
        raise DataError(
            f"{path}: the gzip data is cut off or damaged ({error}). Download or compress it again"
        ) from error
    except gzip.BadGzipFile as error:
        raise DataError(
            f"{path}: this is not gzip data. Remove .gz from its name, or compress it: gzip FILE"
        ) from error
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error


def decoded_lines(path: Path, max_cell: int = MAX_CELL) -> Iterator[tuple[int, str]]:
    """Number and text of each line; a line that is not UTF-8 is an error."""
    offset = 0
    with open_file(path, max_cell) as file:
        check_head(path, file.read(64))
        file.seek(0)
        for number, line in enumerate(file, 1):
            encoding = "utf-8-sig" if number == 1 else "utf-8"
            try:
                yield number, line.decode(encoding, "surrogatepass").rstrip("\r\n")
            except UnicodeDecodeError as error:
                where = f"{path}, line {number}"
                raise not_utf8(str(path), where, offset + error.start, line) from None
            offset += len(line)


def check_head(path: Path, head: bytes) -> None:
    """Raise where the first bytes show that this is not UTF-8 text."""
    if advice := other_format(head):
        raise DataError(f"{path}: this is not UTF-8 text; it looks like {advice}")


def other_format(head: bytes) -> str | None:
    """The format that the first bytes of a file show, with advice; None: it may be UTF-8 text.

    >>> other_format(b"PAR1...")
    'a parquet file: give its name the extension .parquet'
    """
    for magic, advice in _MAGIC:
        if head.startswith(magic):
            return advice
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return f"UTF-16 text. {_convert('UTF-16')}"
    if head[:64].count(b"\0") > len(head[:64]) // 3:
        return f"UTF-16 text without a byte-order mark. {_convert('UTF-16LE')}"
    return None


def not_utf8(source: str, where: str, offset: int, sample: bytes) -> DataError:
    """The error for invalid UTF-8 at ``offset``."""
    # These five bytes are not characters in Windows-1252.
    undefined = {0x81, 0x8D, 0x8F, 0x90, 0x9D}
    advice = other_format(sample)
    if advice is None and undefined.isdisjoint(sample):
        advice = f"Windows-1252. {_convert('WINDOWS-1252', source)}"
    elif advice is None:
        advice = f"another encoding; once you know which: {_convert('ENCODING', source)}"
    return DataError(f"{where} (byte {offset}): this is not UTF-8 text; it looks like {advice}")


def _convert(encoding: str, source: str = "FILE") -> str:
    return f"Convert it: iconv -f {encoding} -t UTF-8 {source} > NEW"
