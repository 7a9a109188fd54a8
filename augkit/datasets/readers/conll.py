"""CoNLL files: a token and its tags on each line, an empty line after each sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from augkit.core.errors import DataError
from augkit.datasets.readers.blocks import BLOCK_BYTES, RowBlock
from augkit.datasets.readers.files import check_head, not_utf8, open_file

COLUMNS = ("tokens", "tags")
_DOCUMENT = "-DOCSTART-"
Sentence = tuple[list[str], list[str]]


def read_conll(path: Path, start: int = 0) -> Iterator[RowBlock]:
    """Blocks of sentences: the first column is the tokens, the last one the tags."""
    batch: list[Sentence] = []
    size, first = 0, 1
    for sentence in _sentences(path):
        batch.append(sentence)
        size += sum(map(len, sentence[0]))
        if size >= BLOCK_BYTES:
            yield RowBlock(str(path), start, first, COLUMNS, batch)
            start, first, size = start + len(batch), first + len(batch), 0
            batch = []
    if batch:
        yield RowBlock(str(path), start, first, COLUMNS, batch)


def _sentences(path: Path) -> Iterator[Sentence]:
    tokens: list[str] = []
    tags: list[str] = []
    width = 0
    for number, line in _lines(path):
        cells = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or cells[0] == _DOCUMENT:
            if tokens:
                yield tokens, tags
            tokens, tags = [], []
            continue
        if line.startswith("#") and not tokens and len(cells) != width:
            continue  # a comment; the token "#" has as many columns as the others
        width = width or len(cells)
        where = f"{path}, line {number}"
        if width == 1:
            raise DataError(
                f"{where}: expected a token and a tag, with a tab or spaces between, found one word"
            )
        if len(cells) != width:
            raise DataError(
                f"{where}: expected {width} columns as on the lines before, found {len(cells)}. "
                "Each line has a token and its tags; sentences have an empty line between them"
            )
        tokens.append(cells[0])
        tags.append(cells[-1].strip())
    if tokens:
        yield tokens, tags


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    offset = 0
    with open_file(path) as file:
        check_head(path, file.read(64))
        file.seek(0)
        for number, line in enumerate(file, 1):
            try:
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                where = f"{path}, line {number}"
                raise not_utf8(str(path), where, offset + error.start, line) from None
            offset += len(line)
