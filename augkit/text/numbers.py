"""Whole numbers up to 120 as words, and back: the numbers that are ages."""

from __future__ import annotations

import re

MOST = 120
_BELOW_TWENTY = (
    *"zero one two three four five six seven eight nine ten eleven twelve thirteen".split(),
    *"fourteen fifteen sixteen seventeen eighteen nineteen".split(),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_UNITS = "|".join(_BELOW_TWENTY[1:10])
_TWO_DIGITS = rf"(?:{'|'.join(_TENS)})(?:[ -](?:{_UNITS}))?|{'|'.join(reversed(_BELOW_TWENTY))}"
NUMBER_WORDS = rf"(?:(?:one|a)[ -]hundred(?:[ -](?:and[ -])?(?:{_TWO_DIGITS}))?|{_TWO_DIGITS})"
"""A regular expression for what ``to_number`` reads, in lower case."""
_GAPS = re.compile(r"[ -]+")


def to_words(number: int) -> str:
    """A number from 0 to 120 in words.

    >>> to_words(8), to_words(41), to_words(105)
    ('eight', 'forty-one', 'one hundred and five')
    """
    if not 0 <= number <= MOST:
        raise ValueError(f"{number} is not between 0 and {MOST}")
    if number >= 100:
        rest = f" and {to_words(number - 100)}" if number > 100 else ""
        return f"one hundred{rest}"
    if number < 20:
        return _BELOW_TWENTY[number]
    tens, units = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_BELOW_TWENTY[units]}" if units else "")


def to_number(text: str) -> int | None:
    """The number that digits or words say; None for anything else and above 120.

    >>> to_number("Forty-One"), to_number("41"), to_number("a hundred"), to_number("many")
    (41, 41, 100, None)
    """
    if text.isascii() and text.isdigit():
        return int(text) if len(text) <= 3 and int(text) <= MOST else None
    lower = text.lower()
    if not re.fullmatch(NUMBER_WORDS, lower):
        return None
    total = sum(map(_value, _GAPS.split(lower)))
    return total if total <= MOST else None


def _value(word: str) -> int:
    if word in _BELOW_TWENTY:
        # "One hundred": the one is counted with the hundred.
        return _BELOW_TWENTY.index(word)
    if word in _TENS:
        return 10 * (_TENS.index(word) + 2)
    return 99 if word == "hundred" else 1 if word == "a" else 0
