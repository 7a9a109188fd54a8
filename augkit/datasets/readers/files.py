"""Files of rows: their format by extension, and opening them with clear errors."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, cast

from augkit.core.errors import DataError, nearest

MOST_BYTES = 16 << 20
"""Of a cell, and of a line of a text file."""
MOST_AT_ONCE = 512 << 20
"""Bytes of what is in memory as a whole: a JSON array, an unpacked workbook."""
Format = Literal["jsonl", "csv", "tsv", "xlsx", "parquet"]

_FORMATS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".parquet": "parquet",
}

_NO_TABLE = "Put its texts into a table, one in each row, and save that as CSV UTF-8"
_SAVE_AS = "Open it, and save the table as CSV UTF-8 or as .xlsx"
_UNPACK = "Unpack it, and give the file with the rows"
_AS_LINES = "Five lines of Python write it as JSON Lines: docs/how-to/spans-and-chats.md"
_OTHER_KINDS = {
    **dict.fromkeys((".conll", ".bio", ".iob", ".iob2"), f"tagged tokens. {_AS_LINES}"),
    ".spacy": f"a DocBin of spaCy. {_AS_LINES}",
    **dict.fromkeys((".xls", ".xlsb"), f"an old or binary Excel workbook. {_SAVE_AS}"),
    **dict.fromkeys((".ods", ".numbers"), f"a spreadsheet that augkit does not read. {_SAVE_AS}"),
    **dict.fromkeys((".docx", ".doc", ".odt", ".rtf", ".pptx"), f"a document. {_NO_TABLE}"),
    **dict.fromkeys((".pdf", ".html", ".htm"), f"a document. {_NO_TABLE}"),
    **dict.fromkeys((".zip", ".tar", ".tgz", ".7z", ".rar"), f"an archive. {_UNPACK}"),
    **dict.fromkeys((".bz2", ".xz", ".zst"), f"compressed, and augkit reads only .gz. {_UNPACK}"),
    **dict.fromkeys((".arrow", ".feather"), "an Arrow file. Write the table as .parquet"),
}
"""Ending → what a file is that is not read, and what to do."""

_MAGIC = [
    (b"\x1f\x8b", "gzip-compressed data: give its name the extension .gz"),
    (b"PAR1", "a parquet file: give its name the extension .parquet"),
    (b"PK\x03\x04", "a zip archive: unpack it. Or a workbook: its name must end with .xlsx"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file: save it as CSV UTF-8"),
    (b"%PDF", f"a PDF. {_NO_TABLE}"),
]


def format_of(path: Path) -> Format | None:
    """The format of a file by its extension; None: not supported.

    >>> format_of(Path("rows.csv.gz")), format_of(Path("rows.txt"))
    ('csv', None)
    """
    by_name = _FORMATS.get(without_gz(path).suffix.lower())
    is_text = by_name not in {"parquet", "xlsx"}
    return by_name if is_text or path.suffix.lower() != ".gz" else None


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
    if other := _OTHER_KINDS.get(path.suffix.lower()):
        raise DataError(f"{path}: this is {other}")
    if file_format is None:
        endings = ", ".join([*_FORMATS, ".jsonl.gz", ".csv.gz", ".tsv.gz"])
        raise DataError(f"{path}: unknown file extension. Known: {endings}")
    if path.stat().st_size == 0:
        raise DataError(f"{path}: the file is empty. Write or download it again, or name another")
    return file_format


def too_large(where: str, what: str, most: int = MOST_BYTES) -> DataError:
    """Make the error for ``what``, which has more than ``most`` bytes."""
    return DataError(
        f"{where}: {what} of over {most >> 20} MB, more than augkit reads. Is the file what it "
        "should be? If so, divide it"
    )


@contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    """Open the bytes of a plain or gzipped text file; read errors become ``DataError``."""
    try:
        if path.suffix.lower() == ".gz":
            with gzip.open(path, "rb") as unpacked:
                yield cast("BinaryIO", unpacked)
        else:
            with path.open("rb") as file:
                yield file
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
