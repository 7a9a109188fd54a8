"""Which words of a text are first names, and what puts one in doubt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from augkit.lexicons.demographics.cues import NAMES, NAMES_RE, NEIGHBOURS
from augkit.lexicons.demographics.first_names import FirstName, first_names
from augkit.lexicons.load import closed_classes
from augkit.lexicons.phrase_table import TextWords

_RARE = 300
"""A first name of fewer bearers per million that follows another is a surname, here and later."""
_MANY = 1_700
"""One of fewer is, where it ends a name: "Rob *Marshall* ... Marshall"."""
_LIKELY = 100
"""Bearers that a name of two letters needs without a capital: "ok" and "eh" are none."""


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
    all_lower = text.islower()
    before = -2
    surnames = _titled(text, words)
    for index in [index for index, word in enumerate(words.words) if word in known]:
        name = known[words.words[index]]
        start, end = words.spans[index]
        if start in taken or not _may_be_name(name, text[start], all_lower=all_lower):
            continue
        if _is_part(text, words, index) or (all_lower and _is_ending(words, index)):
            continue
        follows = _follows(text, words, before, index)
        if follows and name.bearers < (_MANY if _ends_name(text, words, index) else _RARE):
            surnames.add(words.words[index])  # "Thomas Brennan ... Brennan"
        last = words.words[index - 1] if index else ""
        follows = follows or last in NAMES.particles or words.words[index] in surnames
        before = index
        doubts = _doubts(name, text, (start, end), surname=follows, lower=all_lower)
        yield Named(start, end, name, doubts)


def _follows(text: str, words: TextWords, before: int, index: int) -> bool:
    """Whether a name stands after another, or after that and an initial: "Joseph L. *Bruno*"."""
    if before == index - 1:
        return words.link(before) == " "
    if before != index - 2 or before < 0 or len(words.words[index - 1]) > 1:
        return False
    between = text[words.spans[index - 1][1] : words.spans[index][0]]
    return words.link(before) == " " and between in {". ", " "}


def _ends_name(text: str, words: TextWords, index: int) -> bool:
    """Whether no further word with a capital follows."""
    return NAMES_RE.next_name.match(text, words.spans[index][1]) is None


def _titled(text: str, words: TextWords) -> set[str]:
    """The names that stand after a title somewhere, which makes them surnames everywhere."""
    if NAMES.before_surnames.isdisjoint(words.words):
        return set()
    return {
        words.words[index + 1]
        for index, word in enumerate(words.words[:-1])
        if word in NAMES.before_surnames
        and not NAMES_RE.next_name.match(text, words.spans[index + 1][1])
        if not (word == "lady" and _is_womans(words.words[index + 1]))
    }


def _is_womans(word: str) -> bool:
    """Whether a word can only be a woman's first name: "Lady *Diana*", but "Lady *Grey*"."""
    name = first_names().get(word)
    return name is not None and name.is_clear and name.gender == "woman"


def _is_part(text: str, words: TextWords, index: int) -> bool:
    """Whether a word is part of a name that is no first name: "San Jose", "O'Fallon", "Don't"."""
    start, end = words.spans[index]
    if text[end : end + 3].lower().lstrip(" ")[:2] in {"'t", "\u2019t"}:
        return True  # "don't", or "don 't" in a text whose words were set apart
    if not index:
        return False
    if text[start - 1] in "'\u2019" and len(words.words[index - 1]) == 1:
        return True
    before = text[words.spans[index - 1][0]]
    return words.words[index - 1] in NAMES.before_places and (before.isupper() or text.islower())


def _is_ending(words: TextWords, index: int) -> bool:
    """As in "text ed to you", "et al .": two letters, and no surname after them."""
    if len(words.words[index]) != 2:
        return False
    after = words.words[index + 1] if index + 1 < len(words.words) else ""
    return not after or words.link(index) != " " or after in closed_classes()


def _may_be_name(name: FirstName, first: str, *, all_lower: bool) -> bool:
    """A name has a capital; in a text without any, words that mean something else are no names."""
    if first.isupper():
        return True
    word = name.text.lower()
    likely = name.bearers >= _LIKELY if len(word) == 2 else word not in NAMES.not_small
    return all_lower and name.is_clear and likely


def _doubts(
    name: FirstName, text: str, span: tuple[int, int], *, surname: bool, lower: bool
) -> tuple[str, ...]:
    checks = {
        "name": not name.is_clear or lower,
        "surname": surname,
        "joined": is_joined(text, *span),
    }
    return tuple(doubt for doubt, holds in checks.items() if holds)


_JOINING = frozenset("-\u2010\u2011_@#&/")
"""Signs that make a word part of something larger: a compound, an address, a tag."""
_ENDING = frozenset('.!?:"\u201c\u2018([\n*-\u2013\u2014>')
"""Signs after which a sentence may begin with a capital."""


def may_be_verb(words: Sequence[str], index: int) -> bool:
    """Whether a noun could be a verb with its object here: "man the pumps"."""
    before, after = words[max(0, index - 1) : index], words[index + 1 : index + 2]
    if not NEIGHBOURS.before_verbs.isdisjoint(before):
        return True
    return NEIGHBOURS.before_nouns.isdisjoint(before) and not NEIGHBOURS.before_objects.isdisjoint(
        after
    )


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
