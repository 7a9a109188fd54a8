"""The vote of several classifiers on which words decide a label and which only go with it.

How far they agree on which words matter: the analyses of the CoBA paper's section 3.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

from augkit.core.errors import ConfigError
from augkit.core.types import value


@value
class Vote:
    """W_p and W_s of the paper, lower-cased; the word with most votes first."""

    principal: tuple[str, ...]
    spurious: tuple[str, ...]


def threshold(classifiers: int) -> int:
    """τ = (|M| + 1) / 2: how many of |M| classifiers must name a word; |M| must be odd.

    >>> [threshold(number) for number in (1, 3, 5, 7)]
    [1, 2, 3, 4]
    """
    if classifiers % 2 == 0:
        raise ConfigError(
            f"a vote of {classifiers} classifiers can tie. Give an odd number: add one or leave "
            "one out"
        )
    return (classifiers + 1) // 2


def majority_vote(
    lists: Sequence[Iterable[str]],
    weights: Sequence[float] | None = None,
    spurious: Iterable[str] = (),
    *,
    literal: bool = False,
) -> Vote:
    """Sort the words that classifiers hold important into principal and spurious ones.

    A word in at least τ of the lists is principal, a word in fewer is spurious. The paper says
    "more than τ", which with its own τ asks for more than a majority: ``literal`` takes it at its
    word. With ``weights`` (the
    held-out accuracies) a word is principal where the classifiers that name it have more than half
    of the weight; equal weights give the majority. Words given as ``spurious`` are the user's: they
    are spurious, whatever the vote says.

    Reference: jin2025coba.

    >>> majority_vote([["bad", "plot"], ["bad", "sea"], ["Bad"]], spurious=["he"])
    Vote(principal=('bad',), spurious=('plot', 'sea', 'he'))
    """
    needed = float(threshold(len(lists)))
    if weights is not None:
        if len(weights) != len(lists) or min(weights) < 0 or sum(weights) <= 0:
            raise ConfigError(
                f"a weighted vote of {len(lists)} classifiers needs {len(lists)} weights, none "
                f"negative and not all 0: got {list(weights)}"
            )
        needed = sum(weights) / 2
    strictly = literal or weights is not None
    counts: dict[str, float] = {}
    for index, words in enumerate(lists):
        for word in {word.casefold() for word in words}:
            counts[word] = counts.get(word, 0.0) + (1.0 if weights is None else weights[index])
    named_spurious = {word.casefold() for word in spurious}
    enough = {
        word
        for word, count in counts.items()
        if (count > needed if strictly else count >= needed) and word not in named_spurious
    }
    ranked = sorted(counts.keys() | named_spurious, key=lambda word: (-counts.get(word, 0.0), word))
    return Vote(
        tuple(word for word in ranked if word in enough),
        tuple(word for word in ranked if word not in enough),
    )


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
        (first, second, fmean(_shared(row[first], row[second]) for row in named))
        for first, second in combinations(range(members), 2)
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
