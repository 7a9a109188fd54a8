"""Important words of rows that are still to come, found for many at once.

A run with a language model hands each thread one row, and computing for rows one by one costs
several times what it costs for a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from augkit.augmenters.coba.steps import Failed, Identifier, Words
from augkit.data import Example


class Foreseeing:
    """An identifier for threads; of rows that it was told of before, it knows the words already."""

    def __init__(self, identifier: Identifier) -> None:
        """Ask ``identifier``, from one thread at a time."""
        self._identifier = identifier
        self._known: dict[str, Words | Failed] = {}
        self._turn = Lock()

    def foresee(self, parents: Sequence[Example]) -> None:
        """Find the words of rows that will be asked for once each."""
        for parent, words in zip(parents, self._asked(parents), strict=True):
            self._known[parent.id] = words

    def identify(self, parents: Sequence[Example]) -> list[Words | Failed]:
        """The words of each example; what was foreseen is given away, so that it does not pile up.

        Without ids, rows are not told apart, and none is foreseen.
        """
        known = [self._known.pop(parent.id, None) for parent in parents]
        new = [p for p, words in zip(parents, known, strict=True) if words is None]
        found = iter(self._asked(new) if new else ())
        return [next(found) if words is None else words for words in known]

    def _asked(self, parents: Sequence[Example]) -> list[Words | Failed]:
        with self._turn:
            return self._identifier.identify(parents)
