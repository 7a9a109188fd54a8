"""Words for people that are never written, and refused where they are met."""

from __future__ import annotations

import codecs
from functools import cache
from importlib.resources import files

from augkit.text.tokens import words


@cache
def slurs() -> frozenset[str]:
    """The words, in lower case; the file keeps them turned by thirteen letters."""
    text = files("augkit.lexicons").joinpath("data", "slurs.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(codecs.decode(line, "rot13") for line in lines)


def has_slur(text: str) -> bool:
    """Whether one of the words stands in a text, as a word of its own."""
    return not slurs().isdisjoint(words(text.lower()))
