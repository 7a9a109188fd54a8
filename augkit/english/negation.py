"""Negation words: one table (``lexicons/data/negation.yaml``), from which every caller selects."""

from __future__ import annotations

import re
from functools import cache

from augkit.lexicons.load import word_group

_CONTRACTED = "|".join(sorted(word_group("negation", "contracted")))
_SPACED = rf"(?<![\w'\u2019-])(?:{_CONTRACTED})n(?-i: t)(?![\w'\u2019-])"
"""A contraction with a space for its apostrophe; "Don T." is a name."""
_SPACED_PATTERN = re.compile(_SPACED, re.IGNORECASE)


@cache
def negation_words(*groups: str) -> frozenset[str]:
    """The lower-case words of the named groups of the table.

    >>> sorted(negation_words("particle", "contraction", "adverb"))
    ['n t', "n't", 'never', 'not']
    """
    found = (word for group in groups for word in word_group("negation", group))
    return frozenset(word.replace("_", " ") for word in found)


@cache
def negation_pattern(*groups: str) -> re.Pattern[str]:
    """A pattern that finds the words of the groups, in any casing, and the contraction "n't".

    >>> texts = ("It isn't.", "it isn t .", "NOT!", "knots")
    >>> [bool(negation_pattern("particle").search(text)) for text in texts]
    [True, True, True, False]
    """
    words = "|".join(sorted(negation_words(*groups)))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)|n['\u2019]t(?!\w)|{_SPACED}", re.IGNORECASE)


def with_apostrophes(text: str) -> str:
    """The text with the apostrophes of "didn t" and the like, which tokenised files may lack.

    Every offset stays: an apostrophe takes the place of a space.

    >>> with_apostrophes("i didn t ask Don T. for it")
    "i didn't ask Don T. for it"
    """
    return _SPACED_PATTERN.sub(lambda found: f"{found[0][:-2]}'t", text) if "n t" in text else text
