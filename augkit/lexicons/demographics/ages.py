"""Ages in numbers and decades: where they stand, which band they are in, and new ones.

>>> text = "An 8-year-old boy and a man in his thirties"
>>> [(text[age.start : age.end], age.years) for age in find_ages(text)]
[('8', 8), ('thirties', 35)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from augkit.lexicons.demographics.axes import AxisFile
from augkit.lexicons.demographics.cues import cue_table
from augkit.text.casing import match_case
from augkit.text.quantities import NUMBER_WORDS, to_number, to_words

_DECADE_WORDS = "teens twenties thirties forties fifties sixties seventies eighties nineties"
_DECADES = dict(zip(_DECADE_WORDS.split(), range(10, 100, 10), strict=True))
_PARTS = {"early": 2, "mid": 5, "late": 8, None: 5}
"""Years into the decade that a word before it says."""
_NUMBER = rf"\b(?:\d{{1,3}}|{NUMBER_WORDS})\b(?![.,]\d)"
_IN_DIGITS = re.compile(r"('?)([1-9]0)('?s)")
_UNIT = re.compile(r"(?P<gap>[ -])(?:month|week|day)(?P<plural>s?)$", re.IGNORECASE)
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_TENS = tuple(f"{ten}s" for ten in range(10, 100, 10))
_UNITS = "year years month months week weeks day days aged age birthday of".split()
WORDS = frozenset({*_UNITS, *_DECADES, *_TENS, *map(str, range(121))})
"""One of these stands in every text that says an age in one of the ways that are looked for."""


class Age(NamedTuple):
    """An age: ``text[start:end]`` is the number or the decade alone, ``years`` its value.

    For a decade ``years`` is about its middle, or what "early" and "late" say.
    ``is_certain`` is false for a bare number between commas, which need not be an age. ``whole``
    is the place of all that says the age, such as "8-year-old".
    """

    start: int
    end: int
    years: int
    is_decade: bool
    is_certain: bool
    whole: tuple[int, int]


def find_ages(text: str) -> Iterator[Age]:
    """Ages such as "8-year-old", "aged 7", ", 34,", "in her thirties" and "a man of 72"."""
    for match in _pattern().finditer(text):
        kind = match.lastgroup or ""
        years = _years(match, kind)
        if years is not None:
            yield Age(*match.span(kind), years, kind == "decade", kind != "between", match.span())


@cache
def _pattern() -> re.Pattern[str]:
    """The ways to say an age, by ``data/cues/ages.yaml``; the last group of a match is its kind."""
    ways = "|".join(cue_table("cues/ages")["patterns"])
    filled = ways.replace("{number}", _NUMBER).replace("{decade}", "|".join(_DECADES))
    return re.compile(filled, re.IGNORECASE)


def _years(match: re.Match[str], kind: str) -> int | None:
    word = match.group(kind).lower()
    if kind == "baby":
        return 0
    if kind != "decade":
        return to_number(word[:-2] if kind == "birthday" else word)
    part = match.group("part")
    digits = _IN_DIGITS.fullmatch(word)
    decade = int(digits[2]) if digits else _DECADES[word]
    return decade + _PARTS[part.lower() if part else None]


def band_of(years: int, axis: AxisFile) -> str:
    """The attribute whose band holds an age; a baby is a child, whoever passes all bands the last.

    >>> from augkit.lexicons.demographics.axes import bundled_axis
    >>> [band_of(years, bundled_axis("age")) for years in (1, 17, 18, 50, 99)]
    ['child', 'child', 'young', 'middle-aged', 'senior']
    """
    below = [name for name, (first, _) in axis.bands.items() if first <= years]
    within = [name for name in below if years <= axis.bands[name][1]]
    if within:
        return within[0]
    # Bands are written from young to old, the one of all adults last.
    return next(iter(axis.bands)) if not below else below[-2]


def new_age(age: Age, text: str, target: str, axis: AxisFile, generator: Random) -> str:
    """An age of the target's band, in words or digits as the old one was.

    >>> from augkit.lexicons.demographics.axes import bundled_axis
    >>> text = "I was eleven years old."
    >>> [age] = find_ages(text)
    >>> new_age(age, text, "senior", bundled_axis("age"), Random(1))
    'seventy-one'
    """
    old = text[age.start : age.end]
    if age.is_decade:
        decade = axis.decades[target][0]
        digits = _IN_DIGITS.fullmatch(old)
        return f"{digits[1]}{_DECADES[decade]}{digits[3]}" if digits else match_case(decade, old)
    first, last = axis.drawn.get(target, axis.bands[target])
    number = generator.choice([n for n in range(first, last + 1) if n != age.years])
    unit = _UNIT.search(old)
    years = f"{unit['gap']}year{unit['plural']}" if unit else ""
    if old[0].isdigit():
        ending = "th" if number // 10 == 1 else _ORDINALS.get(number % 10, "th")  # 12th, 21st
        return f"{number}{years or ('' if old.isdigit() else ending)}"
    return match_case(to_words(number), old) + years
