"""The numbers that a text gives in figures, whichever way another text writes them.

Percentages, amounts of money, times and dates are the same in figures and in words: "90%" and
"ninety percent", "$5,000" and "5 thousand dollars", "7:30 pm" and "19:30", "3 May" and "May 3rd".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from augkit.text.numbers import NUMBER_WORDS, to_number

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

_FIGURE, _UNIT, _TO = (
    r"\d+(?:[.,]\d+)*",
    "|".join(_UNITS.values()),
    r"\s?(?:[-\u2013\u2014]|to|or|and)\s?",
)
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


class Quantity(NamedTuple):
    """A number as a text spells it, and the ways to say it: each a set of keys.

    The first way is what the text itself says.
    """

    spelling: str
    ways: tuple[frozenset[str], ...]


def missing_quantities(stated: str, given: str) -> list[str]:
    """The numbers in figures of one text that another has neither in figures nor in words.

    >>> missing_quantities("90% of the 12 pupils", "Ninety percent of the pupils")
    ['12']
    >>> missing_quantities("At 7:30 pm it cost $5,000.", "It cost 5 thousand dollars at 19:30.")
    []
    """
    both = (given, _in_figures(given))
    there = {key for text in both for one in _quantities(text) for key in one.ways[0]}
    there |= {_minutes("12", "0")} if _NAMED_TIME.search(given) else set()
    lacking = (one for one in _quantities(stated) if not any(way <= there for way in one.ways))
    return list(dict.fromkeys(one.spelling for one in lacking))


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
    dates, times = list(_DATE.finditer(text)), list(_TIME.finditer(text))
    for date in dates:
        for part in re.findall(r"\d+", date[0]):
            plain, as_month = _plain(part), frozenset({f"month {int(part)}"})
            yield Quantity(date[0], (plain | as_month, plain, as_month))
    for match in _MONTH_OF_DATE.finditer(text):
        month = match[1] or match[2]
        if month.lower() not in _MODEST_MONTHS or month[0].isupper():
            number = next(n for n, name in enumerate(_MONTHS, 1) if name[:3] == month[:3].lower())
            yield Quantity(month, (frozenset({f"month {number}"}),))
    yield from map(_time, times)
    taken = [match.span() for match in (*dates, *times)]
    end, unit = 0, ""
    for match in _NUMBER.finditer(text):
        if any(first <= match.start("figure") < last for first, last in taken):
            continue
        in_range = re.fullmatch(_TO, text[end : match.start()], re.IGNORECASE) is not None
        unit, end = _unit(match) or (unit if in_range else ""), match.end()
        yield _number(match, unit)


def _unit(match: re.Match[str]) -> str:
    said = (match["sign"] or match["unit"] or match["later"] or "").strip().lower()
    return next((key for key, forms in _UNITS.items() if re.fullmatch(forms, said)), "")


def _number(match: re.Match[str], unit: str) -> Quantity:
    value = _value(match["figure"]).scaleb(_SCALES.get((match["scale"] or "").lower(), 0))
    suffix = (match["suffix"] or "").lower()
    keys = {_key(one) + unit for one in (value, value.scaleb(_SUFFIXES.get(suffix, 0)))}
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
    hour, minute = match["hour"] or match["hours"], match["minute"] or match["minutes"] or "0"
    time, whole = frozenset({_minutes(hour, minute)}), not int(minute)
    if int(hour) == int(minute) and not whole:
        return Quantity(match[0], (time,))  # one number is not both
    parts = _plain(hour) if whole else _plain(hour) | _plain(minute)
    return Quantity(match[0], (time | parts if whole else time, time, parts))


def _minutes(hour: str, minute: str) -> str:
    return f"minute {int(hour) % 12 * 60 + int(minute)}"
