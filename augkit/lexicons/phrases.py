"""Look up many words and phrases at once, whatever joins their parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

_PART = re.compile(r"[^\W_]+")
_LOOSE = frozenset({" ", "-"})
"""Links that stand for one another: "African American", "African-American"."""
_LINKS = {"": " ", "-": "-", "\u2010": "-", "\u2011": "-", "'": "'", "\u2019": "'", "/": "/"}


class Words(NamedTuple):
    """A text in small letters, its words and their places."""

    text: str
    spans: list[tuple[int, int]]
    words: list[str]

    def link(self, place: int) -> str:
        """What joins a word to the next: a space, ``-``, ``'``, ``/``, or nothing of the kind."""
        between = self.text[self.spans[place][1] : self.spans[place + 1][0]]
        return " " if between == " " else _LINKS.get(between.strip(), "")


class _Phrase(NamedTuple, Generic[T]):
    rest: list[str]
    links: list[str]
    value: T


class Phrases(Generic[T]):
    """Words and phrases, each with a value; found from left to right, the longest first."""

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        """Take phrases with their values; of two for one phrase the first is kept."""
        self.single: dict[str, T] = {}
        self._longer: dict[str, list[_Phrase[T]]] = {}
        for phrase, value in entries:
            words = split(in_small_letters(phrase))
            if len(words.words) == 1:
                self.single.setdefault(words.words[0], value)
            else:
                links = [words.link(place) for place in range(len(words.words) - 1)]
                entry = _Phrase(words.words[1:], links, value)
                self._longer.setdefault(words.words[0], []).append(entry)
        for some in self._longer.values():
            some.sort(key=lambda entry: -len(entry.rest))
        self._first = frozenset({*self.single, *self._longer})

    def first_words(self) -> frozenset[str]:
        """The words that a phrase can begin with."""
        return self._first

    def find(self, words: Words) -> Iterator[tuple[int, int, T]]:
        """First word, last word and value of every phrase; none begins inside another."""
        single, longer, first = self.single, self._longer, self._first
        free = 0
        for place in [place for place, word in enumerate(words.words) if word in first]:
            if place < free:
                continue
            word = words.words[place]
            if word in longer:
                entry = next((e for e in longer[word] if _stands_at(e, words, place)), None)
                if entry is not None:
                    free = place + len(entry.rest) + 1
                    yield place, free - 1, entry.value
                    continue
            if word in single:
                yield place, place, single[word]


def _stands_at(entry: _Phrase[T], words: Words, place: int) -> bool:
    if words.words[place + 1 : place + 1 + len(entry.rest)] != entry.rest:
        return False
    return all(
        found == wanted or (found in _LOOSE and wanted in _LOOSE)
        for found, wanted in zip(
            (words.link(place + step) for step in range(len(entry.rest))), entry.links, strict=True
        )
    )


def split(small: str) -> Words:
    """The words of a text in small letters: runs of letters and digits."""
    spans = [match.span() for match in _PART.finditer(small)]
    return Words(small, spans, [small[start:end] for start, end in spans])


def in_small_letters(text: str) -> str:
    """The text in lower case, with every letter in its place.

    A few letters (the dotted capital I of Turkish) become two in lower case; they stay as they are.
    """
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
