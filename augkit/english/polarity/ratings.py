"""Ratings in figures, letters or asterisks, and the opposite rating in the same format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from augkit.lexicons.evaluative import Polarity
from augkit.text.casing import match_case

_NUMBERS = "zero one two three four five six seven eight nine ten".split()
_VALUE = rf"\d{{1,3}}(?:[.,]\d+)?(?:\s*1/2|½)?|{'|'.join(_NUMBERS)}"
_OUT_OF = re.compile(
    rf"(?<![\w/])(?<!\d\.)(?P<value>[-+]?(?:{_VALUE})\+*)"
    r"(?P<between>\s*/\s*|\s+in\s+(?=10\s*(?:[.!<]|$))"
    r"|(?:[\s-]+(?:stars?|points?))?\s+out\s+of\s+(?:a\s+possible\s+)?)"
    r"(?P<most>10|5|4|100|ten|five|four|10\.0)(?![\w/]|\.\d)",
    re.IGNORECASE,
)
_STARS = re.compile(
    # "This one stars ..." and "its two stars" are no ratings.
    r"(?<![\w./])(?<!this )(?<!that )(?<!the )(?<!its )(?<!his )(?<!her )(?<!their )"
    rf"(?P<value>{_VALUE})(?P<rest>[\s-]+stars?)\b",
    re.IGNORECASE,
)
_ASTERISKS = re.compile(r"(?<![\w*])\*{1,5}(?:\s?(?:1/2|½))?(?![\w*])")
_GRADES = {"A": 1.0, "B": 0.75, "C": 0.5, "D": 0.2, "F": 0.0}
_GRADE = re.compile(
    r"(?P<before>\b(?i:grade|rating|score|overall|"
    r"give (?:it|this(?: (?:movie|film|one))?)(?: an?)?)"
    r"\s*(?:[:=-]\s*)?(?:of\s+)?(?:an?\s+)?)(?P<value>[A-DF][+-]?)(?![\w'])"
)
_SCORE = re.compile(
    r"(?P<before>\b(?:rating|score|vote|grade)\s*(?:[:=]|is|of|was)\s*(?:a\s+)?)(?P<value>\d{1,2})(?![\w./%])",
    re.IGNORECASE,
)
_GOOD = 0.65
_BAD = 0.45
"""Shares of the best mark from which a rating is positive, and up to which it is negative."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating: the span of its value, its polarity, and the best mark."""

    start: int
    end: int
    value: str
    most: int
    polarity: Polarity


@lru_cache(maxsize=512)  # a text is searched for every draw of its words
def ratings(text: str) -> tuple[Rating, ...]:
    """The ratings of a text that are clearly positive or negative."""
    return tuple(sorted(_found(text), key=lambda rating: rating.start))


def flip_rating(rating: Rating, rng: Random) -> str:
    """A value of the opposite polarity in the same format.

    >>> flip_rating(Rating(0, 1, "9", 10, "positive"), Random(0)) in {"1", "2", "3", "4"}
    True
    """
    good = rating.polarity == "negative"
    if rating.value.startswith("*"):
        return "*" * (rating.most - (rng.random() < 0.5)) if good else "*"
    if rating.most == 13:
        return rng.choice(["A", "A-", "B+"] if good else ["D", "D-", "F"])
    shares = (0.7, 0.8, 0.9, 1.0) if good else (0.1, 0.2, 0.3, 0.4)
    value = max(1, round(rng.choice(shares) * rating.most))
    value = max(value, rating.most - 1) if good and rating.most <= 5 else value
    if rating.value[0].isalpha() and value <= 10:
        return match_case(_NUMBERS[value], rating.value)
    return str(value)


def _found(text: str) -> Iterator[Rating]:
    taken: list[tuple[int, int]] = []
    for pattern, most in ((_OUT_OF, 0), (_STARS, 5), (_GRADE, 13), (_SCORE, 10)):
        for match in pattern.finditer(text):
            value, (start, end) = match.group("value"), match.span("value")
            highest = most or int(_number(match.group("most")))
            if pattern is _STARS and _number(value) > highest:
                highest = 10  # "ten stars"
            if any(a < match.end() and match.start() < b for a, b in taken):
                continue
            taken.append(match.span())
            share = _GRADES[value[0].upper()] if highest == 13 else _number(value) / highest
            if (polarity := _polarity(share)) is not None:
                yield Rating(start, end, value, highest, polarity)
    for match in _ASTERISKS.finditer(text):
        count = match.group().count("*")
        if (polarity := _polarity(count / 4 if count <= 4 else 1.0)) is not None:
            yield Rating(match.start(), match.end(), match.group(), 4, polarity)


def _polarity(share: float) -> Polarity | None:
    if _BAD < share < _GOOD or share > 1:
        return None
    return "positive" if share >= _GOOD else "negative"


def _number(value: str) -> float:
    figure = value.lower().strip("+-")
    if figure in _NUMBERS:
        return float(_NUMBERS.index(figure))
    half = 0.5 if figure.endswith(("1/2", "½")) else 0.0
    whole = re.match(r"\d+(?:[.,]\d+)?", figure)
    return (float(whole.group().replace(",", ".")) if whole else 0.0) + half
