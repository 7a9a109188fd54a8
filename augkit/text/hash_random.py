"""Fast random numbers that depend on a key alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from struct import Struct
from typing import TypeVar

from augkit.core.types import digest

T = TypeVar("T")
_sixteen = Struct("<16I").unpack


class HashRandom:
    """Random numbers from the hash of a key, sixteen at a time.

    Python's own generator takes longer to seed than a variant takes to make.
    """

    __slots__ = ("_hash", "_left")

    def __init__(self, *key: str) -> None:
        """Start from the key."""
        self._hash = blake2b(digest(*key).encode())
        self._left: Iterator[int] = iter(_sixteen(self._hash.digest()))

    def below(self, count: int) -> int:
        """A number from 0 to ``count`` - 1."""
        for number in self._left:
            return number * count >> 32
        return self._more() * count >> 32

    def pick(self, items: Sequence[T]) -> T:
        """One of the items: ``items[rng.below(len(items))]``, with one call less."""
        for number in self._left:
            return items[number * len(items) >> 32]
        return items[self._more() * len(items) >> 32]

    def sample(self, items: Sequence[int], count: int) -> list[int]:
        """``count`` different items, or all there are, in random order."""
        if count == 1 and items:
            return [self.pick(items)]
        left = list(items)
        chosen = []
        for _ in range(min(count, len(left))):
            index = self.below(len(left))
            chosen.append(left[index])
            left[index] = left[-1]
            left.pop()
        return chosen

    def _more(self) -> int:
        """The first of the next sixteen numbers: the hash of a key one character longer."""
        self._hash.update(b"+")
        self._left = iter(_sixteen(self._hash.digest()))
        return next(self._left)
