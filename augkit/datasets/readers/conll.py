"""CoNLL files: a token and its tags on each line, an empty line after each sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from augkit.core.errors import DataError
from augkit.datasets.readers.blocks import RowBlock, row_blocks, text_lines

COLUMNS = ("tokens", "tags")
_DOCUMENT = "-DOCSTART-"
Sentence = tuple[list[str], list[str]]


def read_conll(path: Path, start: int = 0) -> Iterator[RowBlock]:
    """Blocks of sentences: the first column is the tokens, the last one the tags."""
    sentences = _sentences(path)
    yield from row_blocks(
        path, start, COLUMNS, sentences, lambda sentence: sum(map(len, sentence[0]))
    )


def _sentences(path: Path) -> Iterator[Sentence]:
    tokens: list[str] = []
    tags: list[str] = []
    width = 0
    for number, whole_line in enumerate(text_lines(path), 1):
        line = whole_line.rstrip("\r\n")
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
