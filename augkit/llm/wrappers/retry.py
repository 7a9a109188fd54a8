"""``Retrying``: another try for calls that failed in passing, after a wait that grows."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import FREE, Cost
from augkit.llm.faults import ASK_ONCE_MORE, FORMAT

LONGEST_PAUSE = 120.0
"""A server that asks for a longer pause than this (seconds) is not waited for."""
FORM_CHANGES = 4
"""Times a call may be turned away for its form without that counting as a try."""


@dataclass(frozen=True)
class Patience:
    """How often and how long; the wait before try n+1 is drawn from [0, min(cap, base · 2ⁿ))."""

    attempts: int = 5
    base: float = 0.5
    cap: float = 20.0
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = field(default_factory=lambda: random.Random().random)  # noqa: S311 - spreads waits

    def wait(self, tries: int, retry_after: float | None) -> float:
        """Seconds before the next try: at least what the server asked for."""
        jitter = self.draw() * min(self.cap, self.base * 2.0 ** (tries - 1))
        return jitter if retry_after is None else retry_after + jitter


@dataclass
class _Question:
    """One request on its way to an answer."""

    request: Request
    reply: Reply = field(default_factory=Reply)
    cost: Cost = FREE
    tries: int = 0
    form_changes: int = 0
    bad_answers: int = 0


@dataclass(frozen=True)
class Retrying:
    """Ask again while the fault is in passing; a bad answer is asked again once.

    The reply carries the cost of all its tries: a wrong answer was paid for too.
    """

    inner: LLM
    patience: Patience = field(default_factory=Patience)

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """The inner replies, as good as they get."""
        questions = [_Question(request) for request in requests]
        waiting = questions
        while waiting:
            replies = self.inner.generate([question.request for question in waiting])
            for question, reply in zip(waiting, replies, strict=True):
                _note(question, reply)
            waiting = [question for question in waiting if self._again(question)]
            if wait := max(map(self._wait, waiting), default=0.0):
                self.patience.sleep(wait)
        return [replace(question.reply, cost=question.cost) for question in questions]

    def _again(self, question: _Question) -> bool:
        reply = question.reply
        if not reply.transient or question.bad_answers > 1:
            return False
        if reply.fault == FORMAT:
            return question.form_changes <= FORM_CHANGES
        return (
            question.tries < self.patience.attempts and (reply.retry_after or 0.0) <= LONGEST_PAUSE
        )

    def _wait(self, question: _Question) -> float:
        if question.reply.fault == FORMAT or question.reply.fault in ASK_ONCE_MORE:
            return 0.0
        return self.patience.wait(question.tries, question.reply.retry_after)


def _note(question: _Question, reply: Reply) -> None:
    question.reply = reply
    question.cost += reply.cost
    if reply.fault == FORMAT:
        question.form_changes += 1
        return
    question.tries += 1
    question.bad_answers += reply.fault in ASK_ONCE_MORE
