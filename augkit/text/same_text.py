"""Digests of texts that are the same but for their form."""

from __future__ import annotations

import re
from collections.abc import Iterable

from augkit.core.types import digest

_FINAL = " .,;:!?\u2026"
_WORD = re.compile(r"[^\W_]+")


def words_digest(texts: Iterable[str]) -> str:
    """Names texts by their words and numbers: whatever their case, spaces and punctuation.

    "" for texts without a word.

    >>> words_digest(["Room 12: fine!"]) == words_digest(["room 12, fine"])
    True
    >>> words_digest(["Room 12: fine!"]) == words_digest(["room 7, fine"])
    False
    """
    words = [" ".join(_WORD.findall(text.casefold())) for text in texts]
    return digest(*words) if any(words) else ""


def content_digest(texts: Iterable[str]) -> str:
    """Names texts, whatever their case and spaces.

    >>> content_digest(["A fine  film"]) == content_digest(["a fine film"])
    True
    """
    return digest(*(" ".join(text.casefold().split()) for text in texts))


def repeat_digest(texts: Iterable[str]) -> str:
    """Names texts, whatever their case, spaces and final punctuation.

    >>> repeat_digest(["A fine  film."]) == repeat_digest(["a fine film!"])
    True
    """
    spaced = (" ".join(text.casefold().split()) for text in texts)
    return digest(*(text.rstrip(_FINAL) or text for text in spaced))
