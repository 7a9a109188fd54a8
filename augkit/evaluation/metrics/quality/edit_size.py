"""How much of a text a variant changes: edit distance in words, and similarity of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from augkit.core.errors import DataError
from augkit.core.results import Score
from augkit.evaluation.statistics.intervals import bootstrap_mean


def edit_distance(before: Sequence[str], after: Sequence[str]) -> int:
    """The least number of insertions, deletions and substitutions from one to the other.

    A row of the usual table is computed at once: d_j = min_k≤j (t_k + j - k), where t has the
    substitutions and deletions, is a running minimum of t_k - k. A common beginning and end play no
    part.

    Reference: levenshtein1966binary.

    >>> edit_distance("a b c".split(), "a x c d".split())
    2
    """
    import numpy as np

    start = _common_prefix(before, after)
    end = _common_prefix(before[start:][::-1], after[start:][::-1])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if not old or not new:
        return len(old) + len(new)
    numbers: dict[str, int] = {}
    target = np.array([numbers.setdefault(word, len(numbers)) for word in new])
    steps = np.arange(len(new) + 1)
    row = steps.copy()
    for word in old:
        best = np.empty_like(row)
        best[0] = row[0] + 1
        best[1:] = np.minimum(row[1:] + 1, row[:-1] + (target != numbers.get(word, -1)))
        row = np.minimum.accumulate(best - steps) + steps
    return int(row[-1])


def minimality(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Score:
    """The mean share of words that must change: edit distance over the longer text's length.

    0: nothing changed; 1: nothing is left.

    Reference: ross2021explaining.

    >>> minimality([(["a", "b"], ["a", "c"])]).value
    0.5
    """
    if not pairs:
        raise DataError("minimality: there are no variants")
    shares = [edit_distance(one, two) / max(len(one), len(two), 1) for one, two in pairs]
    return bootstrap_mean("minimality", shares)


def similarity(originals: Any, variants: Any) -> Score:
    """The mean cosine of the vectors of originals and variants: float[pairs, width] each.

    The cosine of a zero vector is 0.
    """
    import numpy as np
    from scipy.sparse import csr_array, issparse

    first, second = (csr_array(one) if issparse(one) else np.asarray(one)
                     for one in (originals, variants))  # fmt: skip
    products = np.asarray((first * second).sum(axis=1)).ravel()
    lengths = [np.sqrt(np.asarray((one * one).sum(axis=1)).ravel()) for one in (first, second)]
    below = lengths[0] * lengths[1]
    cosines = np.divide(products, below, out=np.zeros_like(below), where=below > 0)
    return bootstrap_mean("similarity", np.clip(cosines, -1, 1).tolist(), (-1.0, 1.0))


def _common_prefix(first: Sequence[str], second: Sequence[str]) -> int:
    for count, (one, two) in enumerate(zip(first, second, strict=False)):
        if one != two:
            return count
    return min(len(first), len(second))
