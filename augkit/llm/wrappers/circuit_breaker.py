"""``CircuitBreaker``: a server that fails many times in a row is given up."""

from __future__ import annotations

import threading

from augkit.core.errors import BackendFailed
from augkit.core.model_types import Reply
from augkit.llm.faults import TRANSIENT, UNREACHABLE

NEVER_REACHED = 5
"""Failed calls to a server that has never answered before it is given up."""


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
                self._failures, self._answered = 0, True
                return reply
            self._failures += 1
            failures = self._failures
            absent = reply.fault == UNREACHABLE and not self._answered
        if failures >= (min(NEVER_REACHED, self._limit) if absent else self._limit):
            raise BackendFailed(self._message(reply, failures))
        return reply

    def _message(self, reply: Reply, failures: int) -> str:
        detail = f" ({reply.detail})" if reply.detail else ""
        return (
            f"{self._server} gave no usable answer to {failures} calls in a row; the last one: "
            f"{reply.fault}{detail}. Check that the server runs and that the address is right; "
            "fewer workers or a lower rate may help. Finished rows are kept: continue with --resume"
        )
