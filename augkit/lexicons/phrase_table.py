"""Find many words and phrases in a text at once, whatever links their parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

_PART = re.compile(r"[^\W_]+")
_LOOSE = frozenset({" ", "-"})
"""Links that are interchangeable: "African American", "African-American"."""
_WITH_STOP = frozenset({"mr", "mrs", "ms", "dr", "st"})
_LINKS = {"": " ", "\u2010": "-", "\u2011": "-", "\u2019": "'"} | {sign: sign for sign in "-'/,"}


class TextWords(NamedTuple):
    """A text in lower case, its words and their spans."""

    text: str
    spans: list[tuple[int, int]]
    words: list[str]

    def link(self, index: int) -> str:
        """What joins a word to the next: a space, ``-``, ``'``, ``/``, or nothing of the kind."""
        between = self.text[self.spans[index][1] : self.spans[index + 1][0]]
        if between == " " or (between == ". " and self.words[index] in _WITH_STOP):
            return " "
        return _LINKS.get(between.strip(), "")


@dataclass(frozen=True)
class _Phrase(Generic[T]):
    words: list[str]
    links: list[str]
    value: T


class PhraseTable(Generic[T]):
    """Words and phrases, each with a value; found from left to right, the longest first."""

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        """Take phrases with their values; of two for one phrase the first is kept."""
        self._single: dict[str, T] = {}
        self._longer: dict[tuple[str, ...], list[_Phrase[T]]] = {}
        for phrase, value in entries:
            self._add(text_words(lower_in_place(phrase)), value)
        for some in self._longer.values():
            some.sort(key=lambda entry: -len(entry.words))
        self._first = frozenset({*self._single, *(pair[0] for pair in self._longer)})

    def _add(self, words: TextWords, value: T) -> None:
        if len(words.words) == 1:
            self._single.setdefault(words.words[0], value)
            return
        links = [words.link(index) for index in range(len(words.words) - 1)]
        start = (words.words[0], words.words[1])
        self._longer.setdefault(start, []).append(_Phrase(words.words, links, value))

    def needed_words(self) -> frozenset[str]:
        """Words of which a text has at least one if it holds a phrase: the longest of each phrase.

        >>> sorted(PhraseTable([("he", 1), ("s/he", 2), ("all the women", 3)]).needed_words())
        ['he', 'women']
        """
        longer = (entry.words for some in self._longer.values() for entry in some)
        known = self._single.keys()
        needed = (max(words, key=lambda word: (word in known, len(word))) for words in longer)
        return frozenset({*known, *needed})

    def find(self, words: TextWords) -> Iterator[tuple[int, int, T]]:
        """First word, last word and value of every phrase; none begins inside another."""
        first, single, longer = self._first, self._single, self._longer
        all_words = words.words
        free = 0
        for index in [index for index, word in enumerate(all_words) if word in first]:
            if index < free:
                continue
            pair = tuple(all_words[index : index + 2])
            longest = (e for e in longer.get(pair, ()) if _matches_at(e, words, index))
            entry = next(longest, None)
            if entry is not None:
                free = index + len(entry.words)
                yield index, free - 1, entry.value
            elif all_words[index] in single:
                yield index, index, single[all_words[index]]


def _matches_at(entry: _Phrase[T], words: TextWords, index: int) -> bool:
    if words.words[index : index + len(entry.words)] != entry.words:
        return False
    found = (words.link(index + step) for step in range(len(entry.links)))
    return all(
        one == wanted or (one in _LOOSE and wanted in _LOOSE)
        for one, wanted in zip(found, entry.links, strict=True)
    )


def text_words(lower: str) -> TextWords:
    """The words of a lower-case text: runs of letters and digits."""
    spans = [match.span() for match in _PART.finditer(lower)]
    return TextWords(lower, spans, [lower[start:end] for start, end in spans])


def lower_in_place(text: str) -> str:
    """The text in lower case, with every letter at the same offset.

    A few letters (the dotted capital I of Turkish) become two in lower case; they stay as they are.
    """
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
