"""WEAT on vectors of your own, from any library.

Reference: caliskan2017semantics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.evaluation.bias.association import Association, associate

_NAMED = 5
"""Missing words that an error names."""
Pair = tuple[Sequence[str], Sequence[str]]


class VectorsByWord(Protocol):
    """A mapping from words to vectors, or an object that is asked like one (gensim's vectors)."""

    def __contains__(self, word: Any) -> bool:
        """Whether there is a vector for the word."""

    def __getitem__(self, word: Any) -> Any:
        """The vector of the word: float[width]."""


def weat(
    vectors: VectorsByWord, targets: Pair, attributes: Pair, name: str = "weat"
) -> Association:
    """Measure how much closer the first targets are to the first attributes than the second are.

        d = ( mean_{x∈X} s(x) - mean_{y∈Y} s(y) ) / std_{w∈X+Y} s(w)
        s(w) = mean_{a∈A} cos(w, a) - mean_{b∈B} cos(w, b)

    The standard deviation is that of a sample (n - 1). The result has the effect d with its 95 %
    interval, a bootstrap over the targets, and the one-sided p: the share of divisions of X and Y
    whose first part is associated as much as X.

    Args:
        vectors: A mapping from words to vectors, or gensim's ``KeyedVectors``.
        targets: Two lists of words, X and Y.
        attributes: Two lists of words, A and B.
        name: The key of what is drawn: the same name gives the same interval.

    >>> vectors = {"rose": [1, 0], "lily": [9, 1], "ant": [0, 1], "wasp": [1, 9]}
    >>> vectors |= {"good": [1, 0], "bad": [0, 1]}
    >>> found = weat(vectors, (["rose", "lily"], ["ant", "wasp"]), (["good"], ["bad"]))
    >>> round(found.effect.value, 2), round(found.p, 3)
    (1.73, 0.167)
    """
    first, second = targets
    pleasant, unpleasant = attributes
    _check_words(vectors, [*first, *second, *pleasant, *unpleasant])
    return associate(
        name,
        (_rows(vectors, first, "first targets"), _rows(vectors, second, "second targets")),
        (
            _rows(vectors, pleasant, "first attributes"),
            _rows(vectors, unpleasant, "second attributes"),
        ),
    )


def _check_words(vectors: VectorsByWord, words: Sequence[str]) -> None:
    """Raise where a word has no vector: the test would silently be another one."""
    missing = list(dict.fromkeys(word for word in words if word not in vectors))
    if missing:
        named = ", ".join(f"'{word}'" for word in missing[:_NAMED])
        raise DataError(
            f"weat: no vector for {len(missing)} of {len(set(words))} words ({named}). "
            "Leave these words out of the lists, or spell them as the vectors do"
        )


def _rows(vectors: VectorsByWord, words: Sequence[str], part: str) -> Floats:
    """The vectors of a set: float[words, width]."""
    import numpy as np

    if not len(words):
        raise DataError(f"weat: the {part} are empty")
    rows: Floats = np.stack([np.asarray(vectors[word], dtype=np.float64) for word in words])
    return rows
