"""The breaker: a server that gives no usable answer many times in a row is given up."""

from __future__ import annotations

import threading

from augkit.core.errors import BackendFailed
from augkit.core.model_types import Reply
from augkit.llm.faults import IN_PASSING, UNREACHABLE

NEVER_REACHED = 5
"""Calls to a server that was never there before it is given up: seconds, not minutes."""


class Breaker:
    """Counts calls without a usable answer; a refused or cut answer shows that the server lives."""

    def __init__(self, server: str, limit: int) -> None:
        """Watch a ``server`` and raise after ``limit`` calls in a row without an answer."""
        self._server = server
        self._limit = limit
        self._lock = threading.Lock()
        self._failures = 0
        self._answered = False

    def watch(self, reply: Reply) -> Reply:
        """Pass a reply on, or raise ``BackendFailed`` where it was one failure too many."""
        with self._lock:
            if reply.fault not in IN_PASSING:
                self._failures, self._answered = 0, True
                return reply
            self._failures += 1
            failures = self._failures
            absent = reply.fault == UNREACHABLE and not self._answered
        if failures >= (min(NEVER_REACHED, self._limit) if absent else self._limit):
            raise BackendFailed(self._verdict(reply, failures))
        return reply

    def _verdict(self, reply: Reply, failures: int) -> str:
        detail = f" ({reply.detail})" if reply.detail else ""
        return (
            f"{self._server} gave no usable answer to {failures} calls in a row; the last one: "
            f"{reply.fault}{detail}. Check that the server runs and that the address is right; "
            "fewer workers or a lower rate may help. What is done is kept: go on with --resume"
        )
