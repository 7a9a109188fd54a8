"""Surface features as integers: words, 2-grams, first and last words, and marks of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from augkit.augmenters.razor.surface_features import TokenIds
from augkit.core.arrays import Flags, Ints
from augkit.core.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.int32]

_BITS = 24
_FIRST, _LAST, _MARK = (1 << _BITS) - 1, (1 << _BITS) - 2, (1 << _BITS) - 3
_HIGH = {"token": 0, "first word": _FIRST, "last word": _LAST, "mark": _MARK}
MAX_WORDS = _MARK - 2
"""Distinct words that a feature code has room for."""
CODED_DOCUMENTS = 1 << 14
"""Documents whose number fits beside a code."""


class FeatureStrength(NamedTuple):
    """A feature and how strongly it is associated with a label."""

    kind: str
    feature: str
    label: int
    z: float
    documents: int


def feature_codes(ids: Ints, ends: Ints, marks: Ints, mark_ends: Ints) -> tuple[Ints, Ints]:
    """Words, 2-grams, first and last word and marks of each document, unique.

    The documents' numbers, and the codes of their features.

    Each feature is one integer, because integers sort and count far faster than strings: a million
    documents have some forty million features. A code holds two token ids of 24 bits; the first is
    0 for a single word (ids of 2-grams are shifted by one) and one of three reserved values for the
    first word, the last word and a mark. ``ids`` are the token ids of at most ``CODED_DOCUMENTS``
    documents, ``ends`` where each begins and ends, from 0 on; so too ``marks``.
    """
    import numpy as np

    if len(ids) and int(ids.max()) > MAX_WORDS:
        raise DataError(f"more than {MAX_WORDS:,} distinct words: score the dataset in parts")
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
            _packed(np.repeat(np.arange(len(lengths)), np.diff(mark_ends)), _MARK, marks),
        ]
    )
    packed = np.sort(packed)
    packed = packed[np.append(True, packed[1:] != packed[:-1])[: len(packed)]]
    return packed >> (2 * _BITS), packed & ((1 << 2 * _BITS) - 1)


def _packed(rows: Ints, high: Ints | int, low: Ints) -> Ints:
    import numpy as np

    return np.asarray((rows << (2 * _BITS)) | (np.asarray(high, dtype=np.int64) << _BITS) | low)


def feature_code(kind: str, words: str, numbers: Mapping[str, int]) -> int | None:
    """The code of a feature, by the ids of words; None where a word has none.

    >>> feature_name(feature_code("2-gram", "not good", {"not": 0, "good": 1}), ["not", "good"])
    ('2-gram', 'not good')
    """
    parts = words.split(" ") if kind == "2-gram" else ["", words]
    low = numbers.get(parts[1])
    if low is None or (parts[0] and parts[0] not in numbers):
        return None
    high = numbers[parts[0]] + 1 if parts[0] else _HIGH[kind]
    return (high << _BITS) | low


def feature_name(code: int, words: list[str]) -> tuple[str, str]:
    """The kind and the words of a code; ``words`` by their ids.

    >>> feature_name(1, ["not", "good"]), feature_name((1 << 24) | 1, ["not", "good"])
    (('token', 'good'), ('2-gram', 'not good'))
    """
    high, low = code >> _BITS, words[code & ((1 << _BITS) - 1)]
    kind = next((name for name, number in _HIGH.items() if number == high), "")
    return (kind, low) if kind else ("2-gram", f"{words[high - 1]} {low}")


def pair_words(codes: Ints) -> tuple[Flags, Ints, Ints]:
    """Which codes are those of 2-grams, and the ids of their first and second words."""
    high = codes >> _BITS
    pairs = (high > 0) & (high < _MARK)
    return pairs, high[pairs] - 1, codes[pairs] & ((1 << _BITS) - 1)


def all_codes(tokens: TokenIds, ends: Ints) -> Ints:
    """The feature codes of all documents one after another; ``ends`` is filled with their ends."""
    import numpy as np

    found = [np.empty(0, dtype=np.int64)]
    for start in range(0, tokens.documents, CODED_DOCUMENTS):
        block, marks = (
            some[start : start + CODED_DOCUMENTS + 1] for some in (tokens.ends, tokens.mark_ends)
        )
        rows, codes = feature_codes(
            tokens.ids[block[0] : block[-1]],
            block - block[0],
            tokens.marks[marks[0] : marks[-1]],
            marks - marks[0],
        )
        sizes = np.bincount(rows, minlength=len(block) - 1)
        ends[start + 1 : start + len(block)] = ends[start] + np.cumsum(sizes)
        found.append(codes)
    return np.concatenate(found)


def numbered(codes: Ints) -> tuple[Ints, Indices]:
    """The distinct codes in order, and the index of each code among them.

    As ``np.unique`` with its inverse, in half the memory.
    """
    import numpy as np

    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    new = np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]
    positions = np.empty(len(codes), dtype=np.int32)
    positions[order] = np.cumsum(new, dtype=np.int32) - 1
    return ordered[new], positions


def find_codes(codes: Ints, ordered: Ints) -> tuple[Ints, Flags]:
    """The index of each code among those in order, and whether it is there."""
    import numpy as np

    if not len(ordered):
        return np.zeros_like(codes), np.zeros(len(codes), dtype=bool)
    positions = np.minimum(np.searchsorted(ordered, codes), len(ordered) - 1)
    return positions, ordered[positions] == codes


def strength_records(
    strengths: Sequence[FeatureStrength], labels: Sequence[str]
) -> list[Mapping[str, object]]:
    """Strengths as plain values for JSON."""
    return [
        {**one._asdict(), "label": labels[one.label], "z": round(one.z, 3)} for one in strengths
    ]
