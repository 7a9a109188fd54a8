"""Find many words and phrases in a text at once, whatever links their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


class _Spaced(dict[int, str]):
    """Any sign → a space, any letter or digit → itself, as ``str.translate`` asks for it."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        self[code] = sign if sign.isalnum() else " "
        return self[code]


_SPACED = _Spaced()
_SPACED_ASCII = bytes(ord(_SPACED[code]) for code in range(128)).ljust(256)
_LOOSE = frozenset({" ", "-"})
"""Links that are interchangeable: "African American", "African-American"."""
_WITH_STOP = frozenset({"mr", "mrs", "ms", "dr", "st"})
_LINKS = {"": " ", "\u2010": "-", "\u2011": "-", "\u2019": "'"} | {sign: sign for sign in "-'/,"}


class TextWords:
    """The words of a text in lower case: runs of letters and digits."""

    def __init__(self, text: str) -> None:
        """Split the text."""
        self.text = lower_in_place(text)
        self.is_lower = self.text == text
        self.words = letter_runs(self.text)
        self._spans: list[tuple[int, int]] = []

    def span(self, index: int) -> tuple[int, int]:
        """Where a word begins and ends."""
        spans = self._spans
        end = spans[-1][1] if spans else 0
        for word in self.words[len(spans) : index + 1]:
            start = self.text.find(word, end)
            end = start + len(word)
            spans.append((start, end))
        return spans[index]

    def link(self, index: int) -> str:
        """What joins a word to the next: a space, ``-``, ``'``, ``/``, or nothing of the kind."""
        between = self.text[self.span(index)[1] : self.span(index + 1)[0]]
        if between == " " or (between == ". " and self.words[index] in _WITH_STOP):
            return " "
        return _LINKS.get(between.strip(), "")


@dataclass(slots=True)
class _Phrase(Generic[T]):
    words: list[str]
    links: list[str]
    value: T


class PhraseTable(Generic[T]):
    """Words and phrases, each with a value; found from left to right, the longest first."""

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        """Take phrases with their values; of two for one phrase the first is kept."""
        self._single: dict[str, T] = {}
        self._longer: dict[tuple[str, str], list[_Phrase[T]]] = {}
        for phrase, value in entries:
            text_words = TextWords(phrase)
            words = text_words.words
            if len(words) == 1:
                self._single.setdefault(words[0], value)
                continue
            links = [" "] * (len(words) - 1)
            if " ".join(words) != text_words.text:
                links = [text_words.link(index) for index in range(len(words) - 1)]
            self._longer.setdefault((words[0], words[1]), []).append(_Phrase(words, links, value))
        for phrases_of in self._longer.values():
            phrases_of.sort(key=lambda phrase: -len(phrase.words))
        self._first = frozenset({*self._single, *(first for first, _ in self._longer)})

    def needed_words(self) -> frozenset[str]:
        """Words of which a text has at least one if it holds a phrase: the longest of each phrase.

        >>> sorted(PhraseTable([("he", 1), ("s/he", 2), ("all the women", 3)]).needed_words())
        ['he', 'women']
        """
        single = self._single.keys()
        longer = (phrase.words for phrases_of in self._longer.values() for phrase in phrases_of)
        needed = (max(words, key=lambda word: (word in single, len(word))) for words in longer)
        return frozenset({*single, *needed})

    def find(self, words: TextWords) -> Iterator[tuple[int, int, T]]:
        """First word, last word and value of every phrase; none begins inside another."""
        first = self._first
        single = self._single
        longer = self._longer
        all_words = [*words.words, ""]
        free = 0
        for index in [index for index, word in enumerate(all_words) if word in first]:
            if index < free:
                continue
            word = all_words[index]
            phrases = longer.get((word, all_words[index + 1]))
            phrase = phrases and next((p for p in phrases if _matches_at(p, words, index)), None)
            if phrase:
                free = index + len(phrase.words)
                yield index, free - 1, phrase.value
            elif word in single:
                yield index, index, single[word]


def _matches_at(phrase: _Phrase[T], words: TextWords, index: int) -> bool:
    if words.words[index : index + len(phrase.words)] != phrase.words:
        return False
    links = ((words.link(index + step), link) for step, link in enumerate(phrase.links))
    return all(link == wanted or {link, wanted} <= _LOOSE for link, wanted in links)


def letter_runs(text: str) -> list[str]:
    """The runs of letters and digits; bytes are translated faster."""
    if text.isascii():
        return text.encode().translate(_SPACED_ASCII).decode().split()
    return text.translate(_SPACED).split()


def lower_in_place(text: str) -> str:
    """The text in lower case, with every letter at the same offset.

    A few letters (the dotted capital I of Turkish) become two in lower case; they stay as they are.
    """
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
