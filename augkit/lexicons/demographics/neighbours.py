"""What a word's neighbours tell: that it may be a verb, part of a name, or of something larger."""

from __future__ import annotations

from collections.abc import Sequence

_JOINING = frozenset("-\u2010\u2011_@#&/")
"""Signs that make a word part of something larger: a compound, an address, a tag."""
_ENDING = frozenset('.!?:"\u201c\u2018([\n*-\u2013\u2014>')
"""Signs after which a sentence may begin with a capital."""
_BEFORE_NOUNS = frozenset(
    {"a", "an", "the", "this", "that", "every", "each", "one", "another", "no", "some", "any"}
    | {"my", "your", "his", "her", "our", "their", "its", "old", "young", "poor", "good", "first"}
)
"""After these a word that could also be a verb is a noun."""
_BEFORE_VERBS = frozenset(
    {"to", "will", "would", "can", "could", "should", "must", "may", "might", "shall", "ll"}
    | {"i", "you", "we", "they", "who", "t"}
)
"""After these it may be a verb ("t" and "ll" end "don't" and "we'll")."""
_BEFORE_OBJECTS = frozenset(
    {"a", "an", "the", "this", "that", "these", "those", "all", "both", "every", "each", "some"}
    | {"any", "no", "my", "your", "his", "her", "our", "their", "its", "one", "two", "three", "up"}
)
"""A verb with an object is followed by one of these, or by a name."""


def may_be_verb(words: Sequence[str], index: int) -> bool:
    """Whether a noun could be a verb with its object here: "man the pumps"."""
    before, after = words[max(0, index - 1) : index], words[index + 1 : index + 2]
    if not _BEFORE_VERBS.isdisjoint(before):
        return True
    return _BEFORE_NOUNS.isdisjoint(before) and not _BEFORE_OBJECTS.isdisjoint(after)


def has_capital(text: str, start: int, form: str) -> bool:
    """Whether a word has a capital that neither its spelling nor its place explains."""
    if text[start] == form[0] or not text[start].isupper():
        return False
    if text[start : start + 2].isupper() and text[start + 1 : start + 2].isalpha():
        return False
    before = text[:start].rstrip() if start < 200 else text[start - 200 : start].rstrip()
    return bool(before) and before[-1] not in _ENDING


def is_joined(text: str, start: int, end: int) -> bool:
    """Whether a sign ties the word to a neighbour, as in "man-made" or "#women"."""
    if start and text[start - 1] in _JOINING:
        return text[start - 1] in "@#" or (start > 1 and not text[start - 2].isspace())
    return end + 1 < len(text) and text[end] in _JOINING and not text[end + 1].isspace()
