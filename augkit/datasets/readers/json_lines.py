"""JSON Lines in blocks of raw lines."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path

from augkit.datasets.readers.blocks import BLOCK_BYTES, LineBlock
from augkit.datasets.readers.files import check_head, opened


def read_lines(path: Path, start: int = 0) -> Iterator[LineBlock]:
    """Blocks of a plain or gzipped JSON Lines file; ``start`` numbers the first row."""
    line = 1
    with opened(path) as file:
        offset = _skip_bom(path, file.read(len(codecs.BOM_UTF8)))
        file.seek(offset)
        while lines := file.readlines(BLOCK_BYTES):
            payload = b"".join(lines)
            count = len(lines) - sum(map(bytes.isspace, lines))
            if line == 1:
                check_head(path, payload)
            if count:
                yield LineBlock(str(path), start, count, line, offset, payload)
            start, line, offset = start + count, line + len(lines), offset + len(payload)


def _skip_bom(path: Path, head: bytes) -> int:
    check_head(path, head)
    return len(head) if head == codecs.BOM_UTF8 else 0
