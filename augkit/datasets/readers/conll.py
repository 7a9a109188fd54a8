"""CoNLL files: a token and its tags on each line, an empty line after each sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from augkit.core.errors import DataError
from augkit.datasets.readers.blocks import RowBlock, row_blocks
from augkit.datasets.readers.files import MAX_CELL, decoded_lines, too_long

COLUMNS = ("tokens", "tags")
_DOCUMENT = "-DOCSTART-"
Sentence = tuple[list[str], list[str]]


def read_conll(path: Path, start: int = 0, max_cell: int = MAX_CELL) -> Iterator[RowBlock]:
    """Blocks of sentences: the first column is the tokens, the last one the tags."""
    sentences = _sentences(path, max_cell)
    yield from row_blocks(
        path, start, COLUMNS, sentences, lambda sentence: sum(map(len, sentence[0]))
    )


def _sentences(path: Path, max_cell: int) -> Iterator[Sentence]:
    tokens: list[str] = []
    tags: list[str] = []
    width, size = 0, 0
    for number, line in decoded_lines(path, max_cell):
        cells = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or cells[0] == _DOCUMENT:
            if tokens:
                yield tokens, tags
            tokens, tags, size = [], [], 0
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
        size += len(line)
        if size > max_cell << 20:
            raise too_long(where, "a sentence", max_cell)
        tokens.append(cells[0])
        tags.append(cells[-1].strip())
    if tokens:
        yield tokens, tags
