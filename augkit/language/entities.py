"""Read who is who in GUM: the entity and coreference annotation of a CoNLL-U treebank."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from augkit.core.analysis import Analysis, Token
from augkit.language.treebanks import Sentence, read

_BRACKET = re.compile(r"\((\d+)-([a-z]+)[^()]*|(\d+)?\)")
_ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")


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
            place = len(open_ones) - 1
            while found[3] and place > 0 and open_ones[place][0] != int(found[3]):
                place -= 1
            chain, first, kind = open_ones.pop(place)
            yield Entity(first, index, _head(tokens, first, index), chain, kind)


def _head(tokens: Sequence[Token], first: int, last: int) -> int:
    """The first word of a span that hangs on a word outside."""
    for token in tokens[first : last + 1]:
        if token.is_root or not first <= token.head <= last:
            return token.index
    return first
