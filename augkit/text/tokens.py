"""Words, spaces and punctuation with their places; joined again they give the text back."""

from __future__ import annotations

import re

# A word keeps its inner apostrophes, hyphens, dots and commas between word characters, so that
# "don't", "well-made", "192.168.1.1" and "3,000" stay whole.
_WORD = r"\w+(?:['\u2019.,\-]\w+)*"
_WORDS = re.compile(_WORD)
_PIECES = re.compile(rf"{_WORD}|\s+|[^\w\s]")


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
