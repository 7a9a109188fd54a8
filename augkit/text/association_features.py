"""The surface features of a text: its words, its n-grams, and the words at its ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from augkit.text.tokens import words

Feature = tuple[str, str]
"""Kind ("token", "2-gram", "first word", "last word", "length") and what stands there."""

_LENGTHS = (4, 8, 16, 32, 64, 128, 256)


def surface_features(text: str, ngrams: int = 2, *, positions: bool = True) -> Iterator[Feature]:
    """Every feature of a text, repeated ones as often as they stand there; case is folded.

    >>> list(surface_features("Not good.", ngrams=2, positions=False))
    [('token', 'not'), ('token', 'good'), ('2-gram', 'not good')]
    """
    found = [word.lower() for word in words(text)]
    for word in found:
        yield "token", word
    for size in range(2, ngrams + 1):
        for start in range(len(found) - size + 1):
            yield f"{size}-gram", " ".join(found[start : start + size])
    if positions and found:
        yield "first word", found[0]
        yield "last word", found[-1]
        yield "length", length_band(len(found))


def length_band(length: int) -> str:
    """The band of powers of two that a number of words falls into.

    >>> length_band(3), length_band(9), length_band(1000)
    ('1-4 words', '9-16 words', 'over 256 words')
    """
    low = 1
    for high in _LENGTHS:
        if length <= high:
            return f"{low}-{high} words"
        low = high + 1
    return f"over {_LENGTHS[-1]} words"


def presence_matrix(
    texts: Sequence[str], features: Callable[[str], Iterator[Feature]], fewest: int
) -> tuple[Any, list[Feature]]:
    """Which features each text holds, as 0 or 1 (sparse, texts by features), and their names.

    Features that fewer than ``fewest`` texts hold are left out.
    """
    import numpy as np
    from scipy.sparse import csr_array

    numbers: dict[Feature, int] = {}
    places: list[int] = []
    ends = [0]
    for text in texts:
        places += {numbers.setdefault(feature, len(numbers)) for feature in features(text)}
        ends.append(len(places))
    shape = (len(texts), len(numbers))
    columns = np.array(places, dtype=np.int64)
    ones = np.ones(len(places), dtype=np.int64)
    matrix = csr_array((ones, columns, np.array(ends, dtype=np.int64)), shape=shape)
    kept = np.flatnonzero(np.bincount(columns, minlength=len(numbers)) >= fewest)
    names = list(numbers)
    return matrix[:, kept], [names[place] for place in kept.tolist()]
