"""Numbers in words and figures: small ones from one to the other, and those that a text lacks.

Percentages, amounts of money, times and dates are the same in figures and in words: "90%" and
"ninety percent", "$5,000" and "5 thousand dollars", "7:30 pm" and "19:30", "3 May" and "May 3rd".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

MOST = 120
_BELOW_TWENTY = (
    *"zero one two three four five six seven eight nine ten eleven twelve thirteen".split(),
    *"fourteen fifteen sixteen seventeen eighteen nineteen".split(),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_DIGIT_WORDS = "|".join(_BELOW_TWENTY[1:10])
_TWO_DIGITS = (
    rf"(?:{'|'.join(_TENS)})(?:[ -](?:{_DIGIT_WORDS}))?|{'|'.join(reversed(_BELOW_TWENTY))}"
)
NUMBER_WORDS = rf"(?:(?:one|a)[ -]hundred(?:[ -](?:and[ -])?(?:{_TWO_DIGITS}))?|{_TWO_DIGITS})"
"""A regular expression for what ``to_number`` reads, in lower case."""
_GAPS = re.compile(r"[ -]+")
_UNITS = {
    "%": r"%|percent\b|per ?cent\b|pct\b",
    "$": r"\$|dollars?\b|bucks?\b|usd\b",
    "€": r"€|euros?\b|eur\b",
    "£": r"£|pounds?\b|quid\b|gbp\b",
    "¥": r"¥|yen\b|yuan\b|cny\b|jpy\b",
}
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "bn": 9}
_SUFFIXES = {"k": 3, "m": 6}
"""They may be something else as well: "5k" is 5,000, and "5m" may be metres."""
_MONTHS = (
    *"january february march april may june july".split(),
    *"august september october november december".split(),
)
_MODEST_MONTHS = frozenset({"march", "mar", "may"})
"""Words that are months only with a capital."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_FIGURE = r"\d+(?:[.,]\d+)*"
_UNIT = "|".join(_UNITS.values())
_TO = r"\s?(?:[-\u2013\u2014]|to|or|and)\s?"
_NUMBER = re.compile(
    rf"(?P<sign>[$€£¥]\s?)?(?P<figure>{_FIGURE})(?:\s?(?P<scale>{'|'.join(_SCALES)})s?\b"
    rf"|(?P<suffix>[km])\b)?(?:[\s-]?(?P<unit>{_UNIT})|(?={_TO}{_FIGURE}\s?(?P<later>{_UNIT})))?",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d))?\s?(?:[ap]\.?m\b|o['\u2019]clock)"
    r"|\b(?P<hours>[01]?\d|2[0-4]):(?P<minutes>[0-5]\d)\b",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b(?:\d{4}([-/.])\d\d?\1\d\d?|\d\d?([-/.])\d\d?\2(?:\d{4}|\d\d))\b")
_MONTH = rf"({'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in _MONTHS)})\b\.?"
_MONTH_OF_DATE = re.compile(
    rf"\b{_MONTH}(?=,? \d{{1,4}}(?:st|nd|rd|th)?\b)|(?<=\d)(?:st|nd|rd|th)?(?: of)? {_MONTH}",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(
    rf"\b(?:{NUMBER_WORDS}|{'|'.join(_ORDINALS)}|an?(?= (?:{'|'.join(_SCALES)})))\b"
)
_TENS_AND_UNITS = re.compile(r"\b([2-9])0-(\d)\b")
_AFTER_HUNDRED = re.compile(r"\b(\d) hundred(?: and)? (\d\d?)\b")
_NAMED_TIME = re.compile(r"\b(?:noon|midnight)\b", re.IGNORECASE)


def to_words(number: int) -> str:
    """A number from 0 to 120 in words.

    >>> to_words(8), to_words(41), to_words(105)
    ('eight', 'forty-one', 'one hundred and five')
    """
    if not 0 <= number <= MOST:
        raise ValueError(f"{number} is not between 0 and {MOST}")
    if number >= 100:
        tail = f" and {to_words(number - 100)}" if number > 100 else ""
        return f"one hundred{tail}"
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
    total = sum(map(_word_value, _GAPS.split(lower)))
    return total if total <= MOST else None


def _word_value(word: str) -> int:
    if word in _BELOW_TWENTY:
        # "One hundred": the one is counted with the hundred.
        return _BELOW_TWENTY.index(word)
    if word in _TENS:
        return 10 * (_TENS.index(word) + 2)
    return 99 if word == "hundred" else 1 if word == "a" else 0


class Quantity(NamedTuple):
    """A number as a text spells it, and the ways to say it: each a set of keys.

    The first way is what the text itself says.
    """

    spelling: str
    ways: tuple[frozenset[str], ...]


def missing_quantities(stated: str, present: str) -> list[str]:
    """The numbers in figures of one text that another has neither in figures nor in words.

    >>> missing_quantities("90% of the 12 pupils", "Ninety percent of the pupils")
    ['12']
    >>> missing_quantities("At 7:30 pm it cost $5,000.", "It cost 5 thousand dollars at 19:30.")
    []
    """
    versions = (present, _in_figures(present))
    there = {key for text in versions for quantity in _quantities(text) for key in quantity.ways[0]}
    there |= {_minutes("12", "0")} if _NAMED_TIME.search(present) else set()
    lacking = (
        quantity
        for quantity in _quantities(stated)
        if not any(way <= there for way in quantity.ways)
    )
    return list(dict.fromkeys(quantity.spelling for quantity in lacking))


def _in_figures(text: str) -> str:
    """The text with its number words as figures; a scale stays: "three million" → "3 million"."""
    text = _IN_WORDS.sub(lambda match: _figure(match[0]), text.casefold())
    text = _TENS_AND_UNITS.sub(r"\1\2", text)  # "twenty-first"
    return _AFTER_HUNDRED.sub(lambda match: str(100 * int(match[1]) + int(match[2])), text)


def _figure(words: str) -> str:
    if words in _ORDINALS:
        return str(_ORDINALS.index(words) + 1)
    return "1" if words in {"a", "an"} else str(to_number(words))


def _quantities(text: str) -> Iterator[Quantity]:
    """All numbers in figures; what belongs to a time or a date is no plain number."""
    dates = list(_DATE.finditer(text))
    times = list(_TIME.finditer(text))
    for date in dates:
        for part in re.findall(r"\d+", date[0]):
            plain = _plain(part)
            as_month = frozenset({f"month {int(part)}"})
            yield Quantity(date[0], (plain | as_month, plain, as_month))
    for match in _MONTH_OF_DATE.finditer(text):
        month = match[1] or match[2]
        if month.lower() not in _MODEST_MONTHS or month[0].isupper():
            number = next(n for n, name in enumerate(_MONTHS, 1) if name[:3] == month[:3].lower())
            yield Quantity(month, (frozenset({f"month {number}"}),))
    yield from map(_time, times)
    taken = [match.span() for match in (*dates, *times)]
    end = 0
    unit = ""
    for match in _NUMBER.finditer(text):
        if any(first <= match.start("figure") < last for first, last in taken):
            continue
        in_range = re.fullmatch(_TO, text[end : match.start()], re.IGNORECASE) is not None
        written = (match["sign"] or match["unit"] or match["later"] or "").strip().lower()
        units = (key for key, forms in _UNITS.items() if re.fullmatch(forms, written))
        unit = next(units, unit if in_range else "")
        end = match.end()
        yield _number(match, unit)


def _number(match: re.Match[str], unit: str) -> Quantity:
    value = _value(match["figure"]).scaleb(_SCALES.get((match["scale"] or "").lower(), 0))
    suffix = (match["suffix"] or "").lower()
    keys = {_key(number) + unit for number in (value, value.scaleb(_SUFFIXES.get(suffix, 0)))}
    return Quantity(match[0].strip(), (frozenset(keys), *(frozenset({key}) for key in keys)))


def _value(figure: str) -> Decimal:
    """Commas before three figures separate thousands; the next sign is a decimal point."""
    whole, *decimals = re.split(r"[.,]", re.sub(r",(?=\d{3}(?!\d))", "", figure))
    return Decimal(f"{whole}.{''.join(decimals) or 0}")


def _key(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _plain(figure: str) -> frozenset[str]:
    return frozenset({_key(_value(figure))})


def _time(match: re.Match[str]) -> Quantity:
    """A time of twelve hours, or its numbers: "seven in the evening"."""
    hour = match["hour"] or match["hours"]
    minute = match["minute"] or match["minutes"] or "0"
    time = frozenset({_minutes(hour, minute)})
    whole = not int(minute)
    if int(hour) == int(minute) and not whole:
        return Quantity(match[0], (time,))  # one number is not both
    parts = _plain(hour) if whole else _plain(hour) | _plain(minute)
    return Quantity(match[0], (time | parts if whole else time, time, parts))


def _minutes(hour: str, minute: str) -> str:
    return f"minute {int(hour) % 12 * 60 + int(minute)}"
