"""Messages about files that are not UTF-8."""

from __future__ import annotations

from augkit.core.errors import DataError

_MAGIC = [
    (b"\x1f\x8b", "gzip-compressed data: give its name the extension .gz"),
    (b"PAR1", "a parquet file: give its name the extension .parquet"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook: unpack it, or save it as CSV (UTF-8)"),
]


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
    return DataError(
        f"{where} (byte {offset}): this is not UTF-8 text; it looks like {_guess(sample, source)}"
    )


def _guess(sample: bytes, source: str) -> str:
    if advice := other_format(sample):
        return advice
    # These five bytes are not characters in Windows-1252.
    undefined = {0x81, 0x8D, 0x8F, 0x90, 0x9D}
    if undefined.isdisjoint(sample):
        return f"Windows-1252. {_convert('WINDOWS-1252', source)}"
    return f"another encoding; once you know which: {_convert('ENCODING', source)}"


def _convert(encoding: str, source: str = "FILE") -> str:
    return f"Convert it: iconv -f {encoding} -t UTF-8 {source} > NEW"
