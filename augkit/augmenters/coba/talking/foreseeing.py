"""Important words of rows that are still to come, found for many at once.

A run with a language model hands each thread one row, and computing for rows one by one costs
several times what it costs for a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from augkit.augmenters.coba.steps import Failed, Identifier, Words
from augkit.core.types import Example

_MOST = 1024
"""Rows remembered: one that a thread asked for before its batch was found stays behind."""


class Foreseeing:
    """An identifier for threads; of rows that it was told of before, it knows the words already."""

    def __init__(self, identifier: Identifier) -> None:
        """Ask ``identifier``, from one thread at a time."""
        self._identifier = identifier
        self._known: dict[str, Words | Failed] = {}
        self._turn = Lock()

    def prefetch(self, parents: Sequence[Example]) -> None:
        """Find the words of rows that will be asked for once each; who asks meanwhile waits."""
        with self._turn:
            found = self._identifier.identify(parents)
            self._known.update((p.id, words) for p, words in zip(parents, found, strict=True))
            for old in list(self._known)[:-_MOST]:
                del self._known[old]

    def identify(self, parents: Sequence[Example]) -> list[Words | Failed]:
        """The words of each example; what was foreseen is given away."""
        with self._turn:
            known = [self._known.pop(parent.id, None) for parent in parents]
            new = [p for p, words in zip(parents, known, strict=True) if words is None]
            found = iter(self._identifier.identify(new) if new else ())
        return [next(found) if words is None else words for words in known]
