"""Negation words: one table (``lexicons/data/negation.yaml``), from which every caller selects."""

from __future__ import annotations

import re
from functools import cache

from augkit.lexicons.load import word_group


@cache
def negation_words(*groups: str) -> frozenset[str]:
    """The lower-case words of the named groups of the table.

    >>> sorted(negation_words("particle", "contraction", "adverb"))
    ["n't", 'never', 'not']
    """
    return frozenset(word for group in groups for word in word_group("negation", group))


@cache
def negation_pattern(*groups: str) -> re.Pattern[str]:
    """A pattern that finds the words of the groups, in any casing, and the contraction "n't".

    >>> [bool(negation_pattern("particle").search(text)) for text in ("It isn't.", "NOT!", "knots")]
    [True, True, False]
    """
    words = "|".join(sorted(negation_words(*groups)))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)|n['\u2019]t(?!\w)", re.IGNORECASE)
