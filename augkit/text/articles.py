"""Which indefinite article a word takes: "a" before a consonant sound, "an" before a vowel's."""

from __future__ import annotations

import re
from functools import lru_cache

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
_SPOKEN = re.compile(r"[^AEIOU][AEIOU]|[AEIOU][^AEIOU][AEIOU]")


@lru_cache(maxsize=1024)
def article(word: str) -> str:
    """The article of a word, by its spelling and the usual exceptions.

    >>> [article(word) for word in ("film", "effort", "hour", "unicorn", "FBI", "UFO", "X-ray")]
    ['a', 'an', 'an', 'a', 'an', 'a', 'an']
    """
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
    if fitting == current.lower():
        return current
    if len(current) > 1 and current.isupper():
        return fitting.upper()
    return fitting.capitalize() if current[0].isupper() else fitting


def _is_spelled_out(word: str) -> bool:
    """Whether capitals are read letter by letter, as FBI; NATO and an emphatic GOOD are not."""
    if not word.isupper() or len(word) > 4:
        return False
    return len(word) == 1 or word in _SPELLED_OUT or not _SPOKEN.search(word)
