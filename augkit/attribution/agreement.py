"""How far classifiers agree on which words matter: the analyses of the CoBA paper's section 3.2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from augkit.core.types import value

Lists = Sequence[Sequence[Sequence[str]]]
"""For each example, the important words of each classifier."""


@value
class Agreement:
    """How many classifiers name the same word.

    ``by_all``, ``by_several`` and ``by_one`` are shares of all words that any of them names in an
    example; they add up to 1. ``rows_with_common`` is the share of the examples in which all name
    at least one word in common. ``pairs`` holds, for two classifiers by number, the mean over the
    examples of |A ∩ B| / max(|A|, |B|).
    """

    by_all: float
    by_several: float
    by_one: float
    rows_with_common: float
    pairs: tuple[tuple[int, int, float], ...]
    rows: int


def agreement(lists: Lists) -> Agreement:
    """Count how many classifiers name each word; examples where none names one do not count.

    The paper counts the words that all its models name, and those that two or more but not all do
    (Table 1); with one classifier every word is named by all.

    >>> found = agreement([[["bad", "plot"], ["bad", "sea"], ["bad", "plot"]]])
    >>> round(found.by_all, 2), round(found.by_several, 2), round(found.by_one, 2)
    (0.33, 0.33, 0.33)
    """
    named = [row for row in lists if any(row)]
    counts = [Counter(word for words in row for word in set(words)) for row in named]
    members = len(lists[0]) if lists else 0
    times = Counter(count for row in counts for count in row.values())
    total = max(1, times.total())
    common = sum(members in row.values() for row in counts)
    pairs = tuple(
        (
            one,
            other,
            fmean(map(_shared, *zip(*((row[one], row[other]) for row in named), strict=True))),
        )
        for one, other in combinations(range(members), 2)
        if named
    )
    single = 0 if members == 1 else times[1]
    return Agreement(
        times[members] / total,
        (total - times[members] - single) / total if times else 0.0,
        single / total,
        common / max(1, len(named)),
        pairs,
        len(named),
    )


def _shared(first: Sequence[str], second: Sequence[str]) -> float:
    longer = max(len(first), len(second))
    return len({*first} & {*second}) / longer if longer else 0.0
