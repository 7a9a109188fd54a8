"""Words for people that are never written, and refused where they are met."""

from __future__ import annotations

import codecs
from functools import cache

from augkit.lexicons.load import word_list
from augkit.text.tokens import words


@cache
def slurs() -> frozenset[str]:
    """The words, in lower case; the file keeps them turned by thirteen letters."""
    return frozenset(codecs.decode(line, "rot13") for line in word_list("slurs"))


def has_slur(text: str) -> bool:
    """Whether one of the words stands in a text, as a word of its own."""
    return not slurs().isdisjoint(words(text.lower()))
