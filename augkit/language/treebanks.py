"""Read CoNLL-U treebanks: sentences as plain values, grouped by document."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Word:
    """One syntactic word; ``head`` counts from 0 and a root is its own head."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    deprel: str
    space: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a sentence, and whether a document or a paragraph begins with it."""

    words: tuple[Word, ...]
    new_document: bool
    new_paragraph: bool

    @property
    def text(self) -> str:
        """The sentence as written, with the space that follows it."""
        return "".join(word.form + " " * word.space for word in self.words)


def read(path: Path) -> list[Sentence]:
    """All sentences of a CoNLL-U file, plain or gzip'd."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [_sentence(block) for block in _blocks(lines)]


def _blocks(lines: Iterator[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in lines:
        if line.strip():
            block.append(line.rstrip("\n"))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _sentence(block: list[str]) -> Sentence:
    rows = [line.split("\t") for line in block if not line.startswith("#")]
    inner_space = _spaces(rows)
    words = tuple(
        Word(
            form=row[1],
            lemma=row[2],
            upos=row[3],
            xpos=row[4],
            feats="" if row[5] == "_" else row[5],
            head=int(row[6]) - 1 if row[6] != "0" else int(row[0]) - 1,
            deprel=row[7],
            space=inner_space[row[0]],
        )
        for row in rows
        if row[0].isdigit()
    )
    return Sentence(
        words,
        any(line.startswith("# newdoc") for line in block),
        any(line.startswith("# newpar") for line in block),
    )


def _spaces(rows: list[list[str]]) -> dict[str, bool]:
    """Word ID → followed by a space; inside a multiword token none is, its last word may be."""
    spaces = {row[0]: "SpaceAfter=No" not in row[9] for row in rows}
    for row in rows:
        first, dash, last = row[0].partition("-")
        if dash:
            spaces |= {str(number): False for number in range(int(first), int(last))}
            spaces[last] = spaces[row[0]]
    return spaces
