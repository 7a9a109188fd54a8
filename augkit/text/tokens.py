"""Words, spaces and punctuation with their offsets; joined again they give the text back."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate, compress, count

from augkit.text.placeholders import placeholder_spans

# Vowel signs and other marks of Hebrew, Arabic, Indic scripts and Thai are no \w but belong to the
# word, as do combining accents.
_MARKS = (
    r"\u0300-\u036f\u0591-\u05bd\u05c1\u05c2\u064b-\u065f\u0670"
    r"\u0900-\u0963\u0966-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d"
)
_PART = rf"\w[\w{_MARKS}]*"
# A word keeps its inner apostrophes, hyphens, dots and commas between word characters, so that
# "don't", "well-made", "192.168.1.1" and "3,000" stay whole.
_WORD = rf"{_PART}(?:['\u2019.,\-]{_PART})*"
_WORDS = re.compile(_WORD)
_PIECES = re.compile(rf"{_WORD}|\s+|[^\w\s]")
_WORDS_AND_SIGNS = re.compile(rf"{_WORD}|[^\w\s]+")
_CHUNKS = re.compile(r"<[^<>]{0,500}>|[^\s<]+|<")
_CACHE_SIZE = 1 << 14
_CACHED_LETTERS = 32
_LETTERS = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}])*")
_OPENING = '([{"\u201c\u00ab\u00bf\u00a1'
_CLOSING = '.,;:!?)]}"\u201d\u00bb\u2026\u0964\u3002'


def words(text: str) -> list[str]:
    """The words of a text, as written.

    >>> words("Don't ping 192.168.1.1!")
    ["Don't", 'ping', '192.168.1.1']
    """
    return _WORDS.findall(text)


def words_and_signs(text: str) -> list[str]:
    """The words of a text, and runs of signs between them.

    >>> words_and_signs("Don't -- ping!")
    ["Don't", '--', 'ping', '!']
    """
    return _WORDS_AND_SIGNS.findall(text)


@lru_cache(maxsize=2048)
def folded_words(text: str) -> tuple[str, ...]:
    """The words of a text, case-folded; kept, as rules ask for those of a sentence many times.

    >>> folded_words("Don't ping Bob!")
    ("don't", 'ping', 'bob')
    """
    return tuple(word.casefold() for word in words(text))


def word_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every word."""
    return [match.span() for match in _WORDS.finditer(text)]


def pieces(text: str) -> list[str]:
    """Words, runs of space and single signs; ``"".join(pieces(text)) == text``."""
    return _PIECES.findall(text)


def plain_word_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the words that are safe to change: letters only, between spaces.

    Numbers, contractions, compounds, placeholders, addresses, mentions, hashtags and HTML are left
    out.

    >>> text = "It's #1 at www.b.org, <b>really</b> (so good)! [MASK] {name}"
    >>> [text[start:end] for start, end in plain_word_spans(text)]
    ['at', 'really', 'so', 'good']
    """
    plain_words = PlainWords(text)
    return [plain_words.span(index) for index in range(len(plain_words.words))]


class PlainWords:
    """The words of ``plain_word_spans``; their spans are computed on demand.

    >>> found = PlainWords("It's (so good)!")
    >>> found.words, found.span(0)
    (['so', 'good'], (6, 8))
    """

    __slots__ = ("_chunk_indices", "_chunks", "_starts", "_text", "words")

    def __init__(self, text: str) -> None:
        """Split the text at its spaces and tags."""
        self._text = text
        self._chunks: list[str] = _CHUNKS.findall(text) if "<" in text else text.split()
        self._starts: list[int] | None = None
        bare = list(map(_BARE.__getitem__, self._chunks))
        if placeholders := placeholder_spans(text):
            self._starts = self._found_starts()
            for number, chunk in enumerate(self._chunks):
                first = self._starts[number] + number
                last = first + len(chunk)
                if any(first < end and begin < last for begin, end in placeholders):
                    bare[number] = ""
        self.words = list(filter(None, bare))
        self._chunk_indices = list(compress(count(), bare))

    def span(self, index: int) -> tuple[int, int]:
        """Start and end of a word in the text."""
        if self._starts is None:
            self._starts = self._found_starts()
        chunk_index = self._chunk_indices[index]
        word = self.words[index]
        start = self._starts[chunk_index] + chunk_index
        chunk = self._chunks[chunk_index]
        if len(word) < len(chunk):
            start += chunk.index(word)
        return start, start + len(word)

    def _found_starts(self) -> list[int]:
        """Where each chunk starts, less its number: the single spaces before it."""
        if " ".join(self._chunks) == self._text:
            return list(accumulate(map(len, self._chunks), initial=0))
        starts = []
        at = 0
        for number, chunk in enumerate(self._chunks):
            at = self._text.index(chunk, at)
            starts.append(at - number)
            at += len(chunk)
        return starts


class _Bare(dict[str, str]):
    """Chunk → the word inside quotes, brackets and stops, if it has letters only; else "".

    A cache: texts repeat their words. It is bounded, in entries and in their length.
    """

    def __missing__(self, chunk: str) -> str:
        """Strip the chunk and cache the answer."""
        bare = chunk.lstrip(_OPENING).rstrip(_CLOSING)
        if not bare.isalpha() and not _is_marked_letters(bare):
            bare = ""
        if len(chunk) <= _CACHED_LETTERS:
            if len(self) >= _CACHE_SIZE:
                self.clear()
            self[chunk] = bare
        return bare


def _is_marked_letters(text: str) -> bool:
    """Letters with combining marks; the pattern alone would also take "\u00b9" for a letter."""
    if text.isascii():
        return False
    return bool(_LETTERS.fullmatch(text)) and not any(map(str.isnumeric, text))


_BARE = _Bare()
