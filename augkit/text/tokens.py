"""Words, spaces and punctuation with their places; joined again they give the text back."""

from __future__ import annotations

import re

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
_CHUNKS = re.compile(r"<[^<>]{0,500}>|[^\s<]+|<")
_LETTERS = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}])*")
_OPENING = '([{"\u201c\u00ab\u00bf\u00a1'
_CLOSING = '.,;:!?)]}"\u201d\u00bb\u2026\u0964\u3002'


def words(text: str) -> list[str]:
    """The words of a text, as written.

    >>> words("Don't ping 192.168.1.1!")
    ["Don't", 'ping', '192.168.1.1']
    """
    return _WORDS.findall(text)


def word_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every word."""
    return [match.span() for match in _WORDS.finditer(text)]


def pieces(text: str) -> list[str]:
    """Words, runs of space and single signs; ``"".join(pieces(text)) == text``."""
    return _PIECES.findall(text)


def plain_word_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the words that can be changed without harm: letters only, set off by spaces.

    Numbers, contractions, compounds, addresses, mentions, hashtags and HTML are left out.

    >>> text = "It's #1 at www.b.org, <b>really</b> (so good)!"
    >>> [text[start:end] for start, end in plain_word_spans(text)]
    ['at', 'really', 'so', 'good']
    """
    spans = []
    for match in _CHUNKS.finditer(text):
        chunk = match.group()
        start, end = match.span()
        if not chunk.isalpha():
            bare = chunk.lstrip(_OPENING)
            start = end - len(bare)
            bare = bare.rstrip(_CLOSING)
            end = start + len(bare)
            if not bare.isalpha() and not _is_marked_letters(bare):
                continue
        spans.append((start, end))
    return spans


def _is_marked_letters(text: str) -> bool:
    """Letters with combining marks; the pattern alone would also take "\u00b9" for a letter."""
    return bool(_LETTERS.fullmatch(text)) and not any(map(str.isnumeric, text))
