"""Symmetric pairs: a value that both texts of a true pair share becomes another one.

"It opened in 1979" is true beside a text that says 1979, and false beside one that says 1983; so is
"It opened in 1983" the other way round. Each second text then has both labels and gives none away.

Reference: schuster2019towards, where people wrote such pairs as a test set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from augkit.augmenters.rewriting.candidates import SpanEdit, apply_edits
from augkit.augmenters.rewriting.words import phrases
from augkit.language.negation import negation_pattern
from augkit.lexicons.load import closed_classes

_WORD = re.compile(r"[\w']+")
_NEGATION = negation_pattern("determiner", "particle", "adverb", "modal", "only", "exclusive")
_INDEFINITE = re.compile(r"\b(?:an?|some|several|one|includ\w+)\b", re.IGNORECASE)
_SUBJECT = 2
"""Words that begin a text and name what it is about."""
_MOST_PLACES = 3
"""Places of a value in the first text."""
_YEARS = (-9, -7, -6, -5, -4, -3, -2, 2, 3, 4, 5, 6, 7)


class _Kind(NamedTuple):
    """Values of one kind: what they look like, and those that may take the place of one."""

    pattern: re.Pattern[str]
    others: Callable[[str], Sequence[str]]
    alone: bool = False
    """Whether the first text must have no other value of the kind, which might hold as well."""


class OtherValue(NamedTuple):
    """Both texts with another value in the place of the one that they share."""

    first: str
    second: str


def other_value(first: str, second: str, rng: Random) -> OtherValue | None:
    """Another year or month in both texts; None if they share none, or more than one may hold.

    >>> other_value("The hall opened in 1979.", "The old hall opened in 1979.", Random(1))
    OtherValue(first='The hall opened in 1973.', second='The old hall opened in 1973.')
    >>> other_value("The hall opened in 1979.", "The old hall opened before 1979.", Random(1))
    >>> other_value("He made a film in 1979.", "Ida Olsen made a film in 1979.", Random(1))
    """
    if _NEGATION.search(second) or _range_pattern().search(second):
        return None
    words = list(_WORD.finditer(second))
    for found in words[_SUBJECT:]:
        kind = next((one for one in _kinds() if one.pattern.fullmatch(found[0])), None)
        if kind is None or not _is_whole(kind, first, second, found):
            continue
        both = f"{first} {second}".lower()
        others = [one for one in kind.others(found[0]) if one.lower() not in _words(both)]
        if others:
            other = rng.choice(others)
            return OtherValue(*(_put(text, found[0], other) for text in (first, second)))
    return None


def _is_whole(kind: _Kind, first: str, second: str, found: re.Match[str]) -> bool:
    """Whether a value is once in the second text, in the first too, and in no name or number."""
    value = found[0]
    places = len(_places(first, value))
    if len(_places(second, value)) != 1 or not 0 < places <= _MOST_PLACES:
        return False
    if any(_is_part(kind, text, value) for text in (first, second)) or _is_open(second, value):
        return False
    others = _words(first) - {value}
    return not kind.alone or not any(map(kind.pattern.fullmatch, others))


def _is_part(kind: _Kind, text: str, value: str) -> bool:
    """Whether a value is part of a longer one or of a name: "1,979", "Long March"."""
    word = re.escape(value)
    if re.search(rf"[-,.$#'\u2013\u2019]{word}\b|\b{word}[-,.'\u2013\u2019%]\w", text):
        return True
    before = re.findall(rf"\b([A-Z][\w']*) {word}\b", text)
    named = any(one.lower() not in closed_classes() for one in before)
    return kind.alone and (named or re.search(rf"\b{word} [A-Z]", text) is not None)


def _is_open(second: str, value: str) -> bool:
    """Whether another value may hold as well: "made a film in 1979", "Heat (1995 film)"."""
    word = re.escape(value)
    if re.search(
        rf"\([^)]*\b{word}\b|\b{word} [A-Z]|[-\u2013] {word}\b|\b{word} [-\u2013]", second
    ):
        return True
    before = re.sub(r"\b(?:is|was) an? $", "", second[: second.index(value)])
    return _INDEFINITE.search(before) is not None


def _put(text: str, value: str, other: str) -> str:
    return apply_edits(text, [SpanEdit(*place, other) for place in _places(text, value)])


def _places(text: str, value: str) -> list[tuple[int, int]]:
    return [found.span() for found in _WORD.finditer(text) if found[0] == value]


def _words(text: str) -> set[str]:
    return {found[0] for found in _WORD.finditer(text)}


@cache
def _range_pattern() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(phrases('open_ranges'))})\b", re.IGNORECASE)


@cache
def _kinds() -> tuple[_Kind, ...]:
    def listed(name: str) -> tuple[re.Pattern[str], Callable[[str], Sequence[str]]]:
        return re.compile("|".join(phrases(name))), lambda _: phrases(name)

    return (
        _Kind(re.compile(r"1\d{3}|20[0-2]\d"), lambda v: [str(int(v) + n) for n in _YEARS]),
        _Kind(*listed("months"), alone=True),
    )


def symmetric_fields(fields: dict[str, str], rng: Random) -> Iterator[tuple[dict[str, str], bool]]:
    """The fields of the other three pairs, and whether each is true as the given one is."""
    (one, first), (two, second) = fields.items()
    other = other_value(first, second, rng)
    if other is not None:
        yield {one: first, two: other.second}, False
        yield {one: other.first, two: second}, False
        yield {one: other.first, two: other.second}, True
