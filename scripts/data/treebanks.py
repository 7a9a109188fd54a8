"""Read CoNLL-U treebanks: sentences, and the documents of GUM with their coreference annotation.

For training and measuring; the package itself needs no treebank.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from augkit.core.analysis import Analysis, Token

_BRACKET = re.compile(r"\((\d+)-([a-z]+)[^()]*|(\d+)?\)")
_ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")


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


@dataclass(frozen=True, slots=True)
class Entity:
    """A gold mention: its words by index, the first and the last; its head; chain and type."""

    first: int
    last: int
    head: int
    chain: int
    type: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document with its gold parse, as text would be laid out, and its gold mentions."""

    name: str
    analysis: Analysis
    entities: tuple[Entity, ...]


def documents(path: Path) -> list[Document]:
    """The documents of a GUM file."""
    return [
        _document(name, sentences, notes)
        for name, sentences, notes in _split(read(path), list(_notes(path)))
    ]


def _notes(path: Path) -> Iterator[tuple[str, list[str]]]:
    """For every sentence: the document it opens, or "", and the Entity note of each word."""
    opener = gzip.open if path.suffix == ".gz" else open
    name, notes = "", []
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# newdoc id ="):
                name = line.partition("=")[2].strip()
            columns = line.rstrip("\n").split("\t")
            if columns[0].isdigit():
                found = _ENTITY.search(columns[9])
                notes.append(found[1] if found else "")
            elif not line.strip() and notes:
                yield name, notes
                name, notes = "", []
    if notes:
        yield name, notes


def _split(
    sentences: Sequence[Sentence], notes: Sequence[tuple[str, list[str]]]
) -> Iterator[tuple[str, list[Sentence], list[str]]]:
    name = ""
    some: list[Sentence] = []
    theirs: list[str] = []
    for sentence, (opens, note) in zip(sentences, notes, strict=True):
        if opens and some:
            yield name, some, theirs
            some, theirs = [], []
        name = opens or name
        some.append(sentence)
        theirs += note
    yield name, some, theirs


def _document(name: str, sentences: Sequence[Sentence], notes: Sequence[str]) -> Document:
    text = ""
    tokens: list[Token] = []
    for number, sentence in enumerate(sentences):
        if tokens and sentence.new_paragraph:
            text = text.rstrip() + "\n\n"
        first = len(tokens)
        for word in sentence.words:
            feats = dict(pair.split("=", 1) for pair in word.feats.split("|") if pair)
            tokens.append(
                Token(
                    index=len(tokens),
                    start=len(text),
                    end=len(text) + len(word.form),
                    text=word.form,
                    lemma=word.lemma,
                    upos=word.upos,
                    xpos=word.xpos,
                    morph=feats,
                    head=first + word.head,
                    deprel=word.deprel,
                    sentence=number,
                )
            )
            text += word.form + " " * word.space
    entities = tuple(sorted(_entities(tokens, notes), key=lambda e: (e.first, -e.last)))
    return Document(name, Analysis(text, tuple(tokens)), entities)


def _entities(tokens: Sequence[Token], notes: Sequence[str]) -> Iterator[Entity]:
    open_ones: list[tuple[int, int, str]] = []
    for index, note in enumerate(notes):
        for found in _BRACKET.finditer(note):
            if found[1]:
                open_ones.append((int(found[1]), index, found[2]))
                continue
            # "(5-person-…)" closes itself; "5)" names what it closes, which need not be the last.
            index_of_open = len(open_ones) - 1
            while found[3] and index_of_open > 0 and open_ones[index_of_open][0] != int(found[3]):
                index_of_open -= 1
            chain, first, kind = open_ones.pop(index_of_open)
            yield Entity(first, index, _head(tokens, first, index), chain, kind)


def _head(tokens: Sequence[Token], first: int, last: int) -> int:
    """The first word of a span that hangs on a word outside."""
    for token in tokens[first : last + 1]:
        if token.is_root or not first <= token.head <= last:
            return token.index
    return first
