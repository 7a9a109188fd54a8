"""Look up many words and phrases at once, whatever joins their parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

_PART = re.compile(r"[^\W_]+")
_LOOSE = frozenset({" ", "-"})
"""Links that stand for one another: "African American", "African-American"."""
_WITH_STOP = frozenset({"mr", "mrs", "ms", "dr", "st"})
_LINKS = {
    "": " ",
    "-": "-",
    "\u2010": "-",
    "\u2011": "-",
    "'": "'",
    "\u2019": "'",
    "/": "/",
    ",": ",",
}


class Words(NamedTuple):
    """A text in small letters, its words and their places."""

    text: str
    spans: list[tuple[int, int]]
    words: list[str]

    def link(self, place: int) -> str:
        """What joins a word to the next: a space, ``-``, ``'``, ``/``, or nothing of the kind."""
        between = self.text[self.spans[place][1] : self.spans[place + 1][0]]
        if between == " " or (between == ". " and self.words[place] in _WITH_STOP):
            return " "
        return _LINKS.get(between.strip(), "")


@dataclass(frozen=True)
class _Phrase(Generic[T]):
    words: list[str]
    links: list[str]
    value: T


class Phrases(Generic[T]):
    """Words and phrases, each with a value; found from left to right, the longest first."""

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        """Take phrases with their values; of two for one phrase the first is kept."""
        self._single: dict[str, T] = {}
        self._longer: dict[tuple[str, ...], list[_Phrase[T]]] = {}
        for phrase, value in entries:
            self._add(split(in_small_letters(phrase)), value)
        for some in self._longer.values():
            some.sort(key=lambda entry: -len(entry.words))
        self._first = frozenset({*self._single, *(pair[0] for pair in self._longer)})

    def _add(self, words: Words, value: T) -> None:
        if len(words.words) == 1:
            self._single.setdefault(words.words[0], value)
            return
        links = [words.link(place) for place in range(len(words.words) - 1)]
        start = (words.words[0], words.words[1])
        self._longer.setdefault(start, []).append(_Phrase(words.words, links, value))

    def needed_words(self) -> frozenset[str]:
        """Words of which a text has at least one if it holds a phrase: one of each, the longest.

        >>> sorted(Phrases([("he", 1), ("s/he", 2), ("all the women", 3)]).needed_words())
        ['he', 'women']
        """
        longer = (entry.words for some in self._longer.values() for entry in some)
        known = self._single.keys()
        needed = (max(words, key=lambda word: (word in known, len(word))) for words in longer)
        return frozenset({*known, *needed})

    def find(self, words: Words) -> Iterator[tuple[int, int, T]]:
        """First word, last word and value of every phrase; none begins inside another."""
        first, single, longer = self._first, self._single, self._longer
        all_words = words.words
        free = 0
        for place in [place for place, word in enumerate(all_words) if word in first]:
            if place < free:
                continue
            pair = tuple(all_words[place : place + 2])
            entry = _longest(longer[pair], words, place) if pair in longer else None
            if entry is not None:
                free = place + len(entry.words)
                yield place, free - 1, entry.value
            elif all_words[place] in single:
                yield place, place, single[all_words[place]]


def _longest(some: Iterable[_Phrase[T]], words: Words, place: int) -> _Phrase[T] | None:
    return next((entry for entry in some if _stands_at(entry, words, place)), None)


def _stands_at(entry: _Phrase[T], words: Words, place: int) -> bool:
    if words.words[place : place + len(entry.words)] != entry.words:
        return False
    found = (words.link(place + step) for step in range(len(entry.links)))
    return all(
        one == wanted or (one in _LOOSE and wanted in _LOOSE)
        for one, wanted in zip(found, entry.links, strict=True)
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
