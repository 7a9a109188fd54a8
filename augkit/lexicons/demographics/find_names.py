"""Which words of a text are first names, and what puts one in doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from augkit.lexicons.demographics.first_names import FirstName, first_names
from augkit.lexicons.demographics.neighbours import is_joined
from augkit.lexicons.load import closed_classes
from augkit.lexicons.phrase_table import TextWords

_NEXT_NAME = re.compile(r" [^\W\d_a-z][^\W\d_]+")
_BEFORE_SURNAMES = frozenset(
    "mr mrs ms miss mx lord lady mister dr prof professor senator judge".split()
)
"""After these a name is a surname."""
_PARTICLES = frozenset({"de", "von", "van", "del", "della", "di", "da", "du", "le", "al", "bin"})
"""After these too, in small letters or not."""
_BEFORE_PLACES = frozenset({"san", "el", "los", "las", "sao", "la"})
"""After these, with a capital, it is a place."""
_RARE = 300
"""A first name of fewer bearers per million that follows another is a surname, here and later."""
_MANY = 1_700
"""One of fewer is, where it ends a name: "Rob *Marshall* ... Marshall"."""
_LIKELY = 100
"""Bearers that a name of two letters needs without a capital: "ok" and "eh" are none."""
_NOT_SMALL = frozenset({"lan", "lil", "les", "sha"})
"""Names that are something else without one."""


class Named(NamedTuple):
    """A first name at ``text[start:end]``, and what must be found out: name, surname, joined."""

    start: int
    end: int
    name: FirstName
    doubts: tuple[str, ...]


def names_in(
    text: str, words: TextWords, known: Mapping[str, FirstName], taken: set[int]
) -> Iterator[Named]:
    """The ``known`` first names among the words of a text, save where others begin (``taken``)."""
    all_small = text.islower()
    before = -2
    surnames = _titled(text, words)
    for place in [place for place, word in enumerate(words.words) if word in known]:
        name = known[words.words[place]]
        start, end = words.spans[place]
        if start in taken or not _may_be_name(name, text[start], all_small=all_small):
            continue
        if _is_part(text, words, place) or (all_small and _is_ending(words, place)):
            continue
        follows = _follows(text, words, before, place)
        if follows and name.bearers < (_MANY if _ends_name(text, words, place) else _RARE):
            surnames.add(words.words[place])  # "Thomas Brennan ... Brennan"
        last = words.words[place - 1] if place else ""
        follows = follows or last in _PARTICLES or words.words[place] in surnames
        before = place
        doubts = _doubts(name, text, (start, end), surname=follows, small=all_small)
        yield Named(start, end, name, doubts)


def _follows(text: str, words: TextWords, before: int, place: int) -> bool:
    """Whether a name stands after another, or after that and an initial: "Joseph L. *Bruno*"."""
    if before == place - 1:
        return words.link(before) == " "
    if before != place - 2 or before < 0 or len(words.words[place - 1]) > 1:
        return False
    between = text[words.spans[place - 1][1] : words.spans[place][0]]
    return words.link(before) == " " and between in {". ", " "}


def _ends_name(text: str, words: TextWords, place: int) -> bool:
    """Whether no further word with a capital follows."""
    return _NEXT_NAME.match(text, words.spans[place][1]) is None


def _titled(text: str, words: TextWords) -> set[str]:
    """The names that stand after a title somewhere, which makes them surnames everywhere."""
    if _BEFORE_SURNAMES.isdisjoint(words.words):
        return set()
    return {
        words.words[place + 1]
        for place, word in enumerate(words.words[:-1])
        if word in _BEFORE_SURNAMES and not _NEXT_NAME.match(text, words.spans[place + 1][1])
        if not (word == "lady" and _is_womans(words.words[place + 1]))
    }


def _is_womans(word: str) -> bool:
    """Whether a word can only be a woman's first name: "Lady *Diana*", but "Lady *Grey*"."""
    name = first_names().get(word)
    return name is not None and name.is_clear and name.gender == "woman"


def _is_part(text: str, words: TextWords, place: int) -> bool:
    """Whether a word is part of a name that is no first name: "San Jose", "O'Fallon", "Don't"."""
    start, end = words.spans[place]
    if text[end : end + 3].lower().lstrip(" ")[:2] in {"'t", "\u2019t"}:
        return True  # "don't", or "don 't" in a text whose words were set apart
    if not place:
        return False
    if text[start - 1] in "'\u2019" and len(words.words[place - 1]) == 1:
        return True
    before = text[words.spans[place - 1][0]]
    return words.words[place - 1] in _BEFORE_PLACES and (before.isupper() or text.islower())


def _is_ending(words: TextWords, place: int) -> bool:
    """As in "text ed to you", "et al .": two letters, and no surname after them."""
    if len(words.words[place]) != 2:
        return False
    after = words.words[place + 1] if place + 1 < len(words.words) else ""
    return not after or words.link(place) != " " or after in closed_classes()


def _may_be_name(name: FirstName, first: str, *, all_small: bool) -> bool:
    """A name has a capital; in a text without any, words that mean something else are no names."""
    if first.isupper():
        return True
    word = name.text.lower()
    likely = name.bearers >= _LIKELY if len(word) == 2 else word not in _NOT_SMALL
    return all_small and name.is_clear and likely


def _doubts(
    name: FirstName, text: str, span: tuple[int, int], *, surname: bool, small: bool
) -> tuple[str, ...]:
    checks = {
        "name": not name.is_clear or small,
        "surname": surname,
        "joined": is_joined(text, *span),
    }
    return tuple(doubt for doubt, holds in checks.items() if holds)
