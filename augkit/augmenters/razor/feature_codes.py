"""Words, pairs of neighbours, and the words at the ends of a text, each as one whole number.

Numbers sort and count far faster than strings: a million documents have some forty million
features. A code holds two token numbers of 24 bits; the first is 0 for a word alone (numbers of
pairs are shifted by one) and one of two reserved values for the first and the last word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from augkit.core.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

_BITS = 24
_FIRST, _LAST = (1 << _BITS) - 1, (1 << _BITS) - 2
MOST_WORDS = _LAST - 2
"""Different words that fit."""
ROWS = 1 << 14
"""Documents whose number fits beside a code."""


def feature_codes(ids: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """The features of at most ``ROWS`` documents: document numbers and codes, each pair once.

    ``ids`` are the token numbers of all documents, ``ends`` where each begins and ends, from 0 on.
    """
    import numpy as np

    if len(ids) and int(ids.max()) > MOST_WORDS:
        raise DataError(f"more than {MOST_WORDS:,} different words: score the dataset in parts")
    lengths = np.diff(ends)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    same = rows[1:] == rows[:-1]
    some = np.flatnonzero(lengths)
    packed = np.concatenate(
        [
            _packed(rows, 0, ids),
            _packed(rows[1:][same], ids[:-1][same] + 1, ids[1:][same]),
            _packed(some, _FIRST, ids[ends[:-1][some]]),
            _packed(some, _LAST, ids[ends[1:][some] - 1]),
        ]
    )
    packed = np.sort(packed)
    packed = packed[np.append(True, packed[1:] != packed[:-1])[: len(packed)]]
    return packed >> (2 * _BITS), packed & ((1 << 2 * _BITS) - 1)


def _packed(rows: Integers, high: Integers | int, low: Integers) -> Integers:
    import numpy as np

    return np.asarray((rows << (2 * _BITS)) | (np.asarray(high, dtype=np.int64) << _BITS) | low)


def named(code: int, words: list[str]) -> tuple[str, str]:
    """The kind and the words of a code; ``words`` by their numbers.

    >>> named(1, ["not", "good"]), named((1 << 24) | 1, ["not", "good"])
    (('token', 'good'), ('2-gram', 'not good'))
    """
    high, low = code >> _BITS, words[code & ((1 << _BITS) - 1)]
    if high == 0:
        return "token", low
    if high in {_FIRST, _LAST}:
        return ("first word" if high == _FIRST else "last word"), low
    return "2-gram", f"{words[high - 1]} {low}"
