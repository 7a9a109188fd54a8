"""``Interruptible``: calls end soon after Ctrl-C, SIGTERM or the end of a caller."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from augkit.core.errors import BackendFailed
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM

GRACE_SECONDS = 8.0
"""Time for calls in flight: they are paid for, and their replies are kept.

Containers are killed ten seconds after SIGTERM, and the run still has to be recorded.
"""


class Interruptible:
    """Let calls through until they are interrupted; then none begins, and no pause goes on."""

    def __init__(self, inner: LLM, abort: Callable[[], object]) -> None:
        """Wrap a model; ``abort`` ends its calls in flight."""
        self._inner = inner
        self._abort = abort
        self._interrupted = threading.Event()
        self._changed = threading.Condition()
        self._in_flight = 0

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """The inner replies."""
        with self._changed:
            self._check()
            self._in_flight += 1
        try:
            return self._inner.generate(requests)
        finally:
            with self._changed:
                self._in_flight -= 1
                self._changed.notify_all()

    def sleep(self, seconds: float) -> None:
        """Wait, and no longer than until calls are interrupted."""
        self._interrupted.wait(seconds)
        self._check()

    def interrupt(self, seconds: float = GRACE_SECONDS) -> None:
        """Begin no further call; those in flight have so many seconds."""
        with self._changed:
            self._interrupted.set()
            if self._in_flight and seconds:
                logging.getLogger(__name__).warning(
                    "stopping: up to %.0f s for the answers in flight, which may be paid for "
                    "(%d); Ctrl-C again ends at once",
                    seconds,
                    self._in_flight,
                )
            self._changed.wait_for(lambda: not self._in_flight, seconds)
        self._abort()

    def _check(self) -> None:
        if self._interrupted.is_set():
            raise BackendFailed("not asked: the command was stopped")
