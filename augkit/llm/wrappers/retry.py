"""``Retrying`` repeats calls that failed; ``CircuitBreaker`` gives up a server that only fails."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from augkit.core.errors import BackendFailed
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import FREE, Cost
from augkit.llm.faults import RETRY_ONCE, SILENT, TRANSIENT
from augkit.llm.structured_output import as_choice, with_error_shown

LONGEST_PAUSE = 120.0
"""Seconds: a call whose server asks for a longer pause is not retried."""
NEVER_REACHED = 5
"""Failed calls to a server that has never answered before it is given up."""


@dataclass(frozen=True)
class RetryPolicy:
    """Attempts and waits; the wait before attempt n+1 is uniform in [0, min(cap, base · 2ⁿ⁻¹))."""

    attempts: int = 5
    base: float = 0.5
    cap: float = 20.0
    sleep: Callable[[float], None] = time.sleep
    uniform: Callable[[], float] = field(default_factory=lambda: random.Random().random)  # noqa: S311 - spreads waits

    def wait(self, attempts: int, retry_after: float | None) -> float:
        """Seconds before the next attempt: at least what the server asked for."""
        jitter = self.uniform() * min(self.cap, self.base * 2.0 ** (attempts - 1))
        return jitter if retry_after is None else retry_after + jitter


@dataclass
class _Call:
    """A request, its last reply, and what was tried so far."""

    request: Request
    reply: Reply = field(default_factory=Reply)
    cost: Cost = FREE
    prompt_cached: int = 0
    attempts: int = 0
    bad_answers: int = 0

    def record(self, reply: Reply) -> None:
        """Add the reply of an attempt."""
        self.reply = reply
        self.cost += reply.cost
        self.prompt_cached += reply.prompt_cached
        self.attempts += 1
        self.bad_answers += reply.fault in RETRY_ONCE


@dataclass(frozen=True)
class Retrying:
    """Retry while the fault is transient; retry a bad answer once, with its error shown.

    The reply carries the cost of all attempts: a wrong answer was paid for too.
    """

    inner: LLM
    policy: RetryPolicy = field(default_factory=RetryPolicy)

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request, after retries."""
        calls = [_Call(request) for request in requests]
        unanswered = calls
        while unanswered:
            replies = self.inner.generate(
                [with_error_shown(call.request, call.reply) for call in unanswered]
            )
            for call, reply in zip(unanswered, replies, strict=True):
                call.record(as_choice(call.request, reply))
            unanswered = [call for call in unanswered if self._retry(call)]
            waits = [
                self.policy.wait(call.attempts, call.reply.retry_after)
                for call in unanswered
                if call.reply.fault not in RETRY_ONCE
            ]
            if wait := max(waits, default=0.0):
                self.policy.sleep(wait)
        return [
            replace(call.reply, cost=call.cost, prompt_cached=call.prompt_cached) for call in calls
        ]

    def _retry(self, call: _Call) -> bool:
        reply = call.reply
        if not reply.transient or call.bad_answers > 1:
            return False
        short_pause = (reply.retry_after or 0.0) <= LONGEST_PAUSE
        return call.attempts < self.policy.attempts and short_pause


class CircuitBreaker:
    """Counts transient failures in a row; any answer, even a refusal, resets the count."""

    def __init__(self, server: str, limit: int) -> None:
        """Raise after ``limit`` calls to ``server`` in a row without an answer."""
        self._server = server
        self._limit = limit
        self._lock = threading.Lock()
        self._failures = 0
        self._answered = False

    def check(self, reply: Reply) -> Reply:
        """The reply, or ``BackendFailed`` where it is one failure too many."""
        with self._lock:
            if reply.fault not in TRANSIENT:
                self._failures = 0
                self._answered = True
                return reply
            self._failures += 1
            failures = self._failures
            self._answered |= reply.fault not in SILENT
            absent = not self._answered
        if failures >= (min(NEVER_REACHED, self._limit) if absent else self._limit):
            detail = f" ({reply.detail})" if reply.detail else ""
            raise BackendFailed(
                f"{self._server} gave no usable answer to {failures} calls in a row; the last one: "
                f"{reply.fault}{detail}. Check that the server runs and that the address is right; "
                "fewer workers or a lower rate may help. Finished work is kept: repeat the "
                "command, or resume the run"
            )
        return reply
