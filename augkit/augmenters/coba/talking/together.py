"""Threads that ask for the same kind of computing at once are answered together.

A run with a language model hands each thread one row, and computing for rows one by one costs
several times what it costs for a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from augkit.augmenters.coba.steps import Failed, Identifier, Words
from augkit.data import Example


@dataclass
class _Question:
    parents: Sequence[Example]
    answers: list[Words | Failed] = field(default_factory=list)
    error: Exception | None = None
    is_answered: bool = False


class IdentifiedTogether:
    """An identifier for threads: whoever comes while it works waits, and is in the next batch."""

    def __init__(self, identifier: Identifier) -> None:
        """Ask ``identifier``, from one thread at a time."""
        self._identifier = identifier
        self._waiting: list[_Question] = []
        self._queue, self._turn = Lock(), Lock()

    def identify(self, parents: Sequence[Example]) -> list[Words | Failed]:
        """What the identifier says of each example."""
        question = _Question(parents)
        with self._queue:
            self._waiting.append(question)
        with self._turn:
            if not question.is_answered:
                self._answer()
        if question.error is not None:
            raise question.error
        return question.answers

    def _answer(self) -> None:
        with self._queue:
            asked, self._waiting = self._waiting, []
        try:
            answers = iter(self._identifier.identify([p for one in asked for p in one.parents]))
            for one in asked:
                one.answers = [next(answers) for _ in one.parents]
        except Exception as error:  # noqa: BLE001 - raised again in every thread that asked
            for one in asked:
                one.error = error
        for one in asked:
            one.is_answered = True
