"""A sample of rows of which there may be any number, and what is kept of every row.

Features are tested on a sample, whose texts are in memory. What repeats is counted in all rows:
a few bytes name each of them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from augkit.core.arrays import Ints

T = TypeVar("T")
Rank = TypeVar("Rank", str, float)
LEAST_SAMPLE = 1000
MOST_ROWS = 100_000
"""Rows whose texts are held in memory: of more, a sample is tested."""
_SPARE = 5
"""One part in so many is held beyond the sample before rows are given up."""
_NARROW = 2**32 - 1
_NAME_DIGITS = 16
"""Of a hexadecimal digest: 64 bits."""


class LowestRanks(Generic[Rank, T]):
    """The rows with the lowest ranks; where ranks name contents, a sample of different contents.

    Where there are more rows than the sample may hold, only the first row of a rank is in it.

    Args:
        most: The size of the sample; None: all rows.
    """

    def __init__(self, most: int | None) -> None:
        """An empty sample."""
        self._most = most
        self._rows: list[tuple[Rank, int, T]] = []
        self._held: set[Rank] = set()
        self._highest: Rank | None = None
        self._total = 0

    def add(self, rank: Rank, row: T) -> None:
        """Take the row, or leave it."""
        self._total += 1
        if self._highest is not None and (rank > self._highest or rank in self._held):
            return
        self._rows.append((rank, self._total - 1, row))
        if self._highest is not None:
            self._held.add(rank)
        if self._most is not None and len(self._rows) > self._most + self._most // _SPARE:
            self._give_up()

    def rows(self) -> tuple[list[T], Sequence[int]]:
        """The rows in the order in which they came, and the number of each."""
        if self._most is not None and self._total > self._most:
            self._give_up()
        if len(self._rows) == self._total:
            return [row for _, _, row in self._rows], range(self._total)
        return [row for _, _, row in self._rows], [number for _, number, _ in self._rows]

    def _give_up(self) -> None:
        first: dict[Rank, tuple[Rank, int, T]] = {}
        for entry in self._rows:
            first.setdefault(entry[0], entry)
        lowest = sorted(first)[: self._most]
        if len(first) > len(lowest):  # else a higher rank may yet come
            self._highest = lowest[-1]
        self._held = set(lowest)
        self._rows = [first[rank] for rank in first if rank in self._held]


@dataclass(frozen=True)
class AllRows:
    """What is known of every row, where only a sample of them is held with its texts."""

    sampled: Sequence[int]
    """The numbers of the rows that are held."""
    keys: Ints
    """int64[rows], names the texts."""
    labels: Ints
    """uint32[rows], names the label; only labels of equal texts are compared."""
    indices: Ints
    """uint32[rows], the place in the dataset."""
    word_keys: Ints
    """int64[rows], names the words, 0 for none; empty where nobody asks for it."""
    flags: bytes
    """One number for each row; empty where rows have none."""
    counts: dict[str, int]
    """How many rows there are of each label, or of each number of candidates."""

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.keys)


@dataclass
class RowNames:
    """Collects what is known of every row."""

    keys: array[int] = field(default_factory=lambda: array("Q"))
    labels: array[int] = field(default_factory=lambda: array("I"))
    indices: array[int] = field(default_factory=lambda: array("I"))
    word_keys: array[int] = field(default_factory=lambda: array("Q"))
    flags: array[int] = field(default_factory=lambda: array("B"))
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, key: str, label: int, index: int, count: str) -> None:
        """A row: what names its texts and its label, its place, and what it is counted as."""
        self.keys.append(short_name(key))
        self.labels.append(label & _NARROW)
        self.indices.append(index)
        self.counts[count] += 1

    def all_rows(self, sampled: Sequence[int]) -> AllRows | None:
        """The names of all rows; None where all are held, as these can be named at any time."""
        import numpy as np

        if len(sampled) == len(self.keys):
            return None
        keys, words = (np.frombuffer(c, dtype=np.int64) for c in (self.keys, self.word_keys))
        narrow: Any = np.uint32
        labels, indices = (np.frombuffer(c, dtype=narrow) for c in (self.labels, self.indices))
        counts = dict(sorted(self.counts.items()))
        return AllRows(sampled, keys, labels, indices, words, self.flags.tobytes(), counts)


def short_name(digest: str) -> int:
    """A digest as a number of 64 bits.

    Of ten million rows, two look alike by chance in three of a million datasets.

    >>> short_name(""), short_name("00000000000000ff1234")
    (0, 255)
    """
    return int(digest[:_NAME_DIGITS] or "0", 16)
