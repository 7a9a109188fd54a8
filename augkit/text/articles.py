"""The indefinite article: "a" before a consonant sound, "an" before a vowel sound.

``article`` says which one a word takes, ``refit`` fits a given one to another word, and
``fit_articles`` finds and fits those that stand before the replacements of a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from augkit.core.edits import Replacement
from augkit.text.casing import match_case

# The spelling misleads: a silent h, or a vowel letter that sounds like "you" or "one".
_SILENT_H = re.compile(r"hour|honest|honou?r|heir", re.IGNORECASE)
_LIKE_A_CONSONANT = re.compile(
    r"e[uw]|one(?!i|r)|once|ouija|u(?:ni(?![nm])|s[aeiu]|t[aeiou]|r[aeiou]|biq|ga|kr|kul|vu|fo)",
    re.IGNORECASE,
)
_NAMED_WITH_A_VOWEL = frozenset("AEFHILMNORSX")
"""Letters whose own names begin with a vowel: an FBI agent, an X-ray."""
_VOWELS = frozenset("aeiouAEIOU")
_SPELLED_OUT = frozenset({"AI", "EU", "FBI", "HBO", "HIV", "MBA", "MRI", "SUV", "UFO", "UN", "USA"})
"""Capitals that could be spoken as a word and are not."""
_VOWEL_NUMBER = re.compile(r"8\d?\b|11\b|18\b")
_ARTICLE_BEFORE = re.compile(r"(?<![\w'\u2019-])(an?)[ \t\n]+$", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[\w'\u2019]+(?:-\w+)*")
_LOOK_BACK = 8
_LOOK_AHEAD = 40
_SPOKEN = re.compile(r"[^AEIOU][AEIOU]|[AEIOU][^AEIOU][AEIOU]")


@lru_cache(maxsize=1024)
def article(word: str) -> str:
    """The article of a word or a number in digits, by its spelling and the usual exceptions.

    >>> [article(word) for word in ("film", "effort", "hour", "unicorn", "FBI", "UFO", "X-ray")]
    ['a', 'an', 'an', 'a', 'an', 'a', 'an']
    >>> [article(number) for number in ("80-year-old", "18", "110")]
    ['an', 'an', 'a']
    """
    if word[:1].isdigit():
        return "an" if _VOWEL_NUMBER.match(word) else "a"
    if _is_spelled_out(word.split("-", maxsplit=1)[0]):
        return "an" if word[0] in _NAMED_WITH_A_VOWEL else "a"
    if _SILENT_H.match(word):
        return "an"
    vowel = word[:1] in _VOWELS and not _LIKE_A_CONSONANT.match(word)
    return "an" if vowel else "a"


def refit(current: str, before: str, after: str) -> str:
    """``current`` (a, an, A ...) fitted to ``after``, if it fitted ``before``; else as it is.

    What the writer got wrong stays as it was written.

    >>> refit("an", "excellent", "superb"), refit("A", "fine", "excellent"), refit("a", "ox", "cow")
    ('a', 'An', 'a')
    """
    if current.lower() != article(before):
        return current
    fitting = article(after)
    return current if fitting == current.lower() else match_case(fitting, current)


def fit_articles(text: str, replacements: Iterable[tuple[int, int, str]]) -> list[Replacement]:
    """The replacements in order, and those of the articles that stand before them.

    An article is changed only if it was right before: what the writer got wrong stays.

    >>> fit_articles("A man left.", [(2, 5, "elder")])
    [Replacement(start=0, end=1, after='An'), Replacement(start=2, end=5, after='elder')]
    """
    ordered = sorted({Replacement(*change) for change in replacements})
    fitted = [fit for change in ordered if (fit := _fitted_before(text, change)) is not None]
    return sorted([*ordered, *fitted]) if fitted else ordered


def _fitted_before(text: str, replacement: Replacement) -> Replacement | None:
    start, end, after = replacement
    match = _ARTICLE_BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    if match is None:
        return None
    old = _first_word(text[start : end + _LOOK_AHEAD])
    new = _first_word(after + text[end : end + _LOOK_AHEAD])
    if not old or not new or match[1].lower() != article(old) or article(new) == article(old):
        return None
    fitting = article(new)
    if match[1].isupper() and (len(match[1]) > 1 or (len(after) > 1 and after.isupper())):
        fitting = fitting.upper()
    return Replacement(*match.span(1), match_case(fitting, match[1]))


def _first_word(text: str) -> str:
    """The first word of a text that begins with it, or with a quotation mark."""
    match = _FIRST_WORD.search(text)
    return match.group() if match and not text[: match.start()].strip(" '\"\u2018\u201c") else ""


def _is_spelled_out(word: str) -> bool:
    """Whether capitals are read letter by letter, as FBI; NATO and an emphatic GOOD are not."""
    if not word.isupper() or len(word) > 4:
        return False
    return len(word) == 1 or word in _SPELLED_OUT or not _SPOKEN.search(word)
