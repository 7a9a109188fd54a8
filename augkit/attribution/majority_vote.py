"""The vote of several classifiers on which words decide a label and which only go with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
) -> Vote:
    """Sort the words that classifiers hold important into principal and spurious ones.

    A word in at least τ of the lists is principal, a word in fewer is spurious. The paper says
    "more than τ", which with its own τ would ask for more than a majority. With ``weights`` (the
    held-out accuracies) a word is principal where the classifiers that name it have more than half
    of the weight; equal weights give the majority. Words given as ``spurious`` are the user's: they
    are spurious, whatever the vote says.

    Reference: jin2025coba.

    >>> majority_vote([["bad", "plot"], ["bad", "sea"], ["Bad"]], spurious=["he"])
    Vote(principal=('bad',), spurious=('plot', 'sea', 'he'))
    """
    needed = float(threshold(len(lists)))
    if weights is not None:
        needed = _half(weights, len(lists))
    counts = _counts(lists, weights)
    given = {word.casefold() for word in spurious}
    enough = {
        word
        for word, count in counts.items()
        if (count >= needed if weights is None else count > needed) and word not in given
    }
    ranked = sorted(counts.keys() | given, key=lambda word: (-counts.get(word, 0.0), word))
    return Vote(
        tuple(word for word in ranked if word in enough),
        tuple(word for word in ranked if word not in enough),
    )


def _counts(lists: Sequence[Iterable[str]], weights: Sequence[float] | None) -> dict[str, float]:
    counts: dict[str, float] = {}
    for index, words in enumerate(lists):
        for word in {word.casefold() for word in words}:
            counts[word] = counts.get(word, 0.0) + (1.0 if weights is None else weights[index])
    return counts


def _half(weights: Sequence[float], classifiers: int) -> float:
    if len(weights) != classifiers or min(weights) < 0 or sum(weights) <= 0:
        raise ConfigError(
            f"a weighted vote of {classifiers} classifiers needs {classifiers} weights, none "
            f"negative and not all 0: got {list(weights)}"
        )
    return sum(weights) / 2
