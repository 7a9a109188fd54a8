"""``Parallel``: many calls at once. ``InFlight``: as many as the server makes good use of."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from augkit.core.errors import BackendFailed
from augkit.core.model_types import Reply, Request
from augkit.core.progress import current_calls
from augkit.core.protocols import LLM
from augkit.llm.faults import RATE_LIMITED, TIMEOUT

START = 8
"""As many calls as there are at first: every call below what the server could do is lost time."""
GAIN = 1.1
"""Twice the calls in flight must bring at least so many times the throughput."""
HOLD = 8
"""Windows without growth after a growth that brought nothing, or an overload."""
CALLS_PER_SLOT = 2
"""A window has so many calls for each slot, after one that was begun before."""
UNCOUNTED = 100
"""Tokens of a reply whose server does not count them."""
GRACE_SECONDS = 8.0
"""Time for calls in flight: they are paid for, and their replies are kept.

Containers are killed ten seconds after SIGTERM, and the run still has to be recorded.
"""


class Parallel:
    """Spread a list over threads, one request per call; a single request stays in its thread.

    That of the main thread does not: a signal would break off a call that is paid for.
    """

    def __init__(self, inner: LLM, workers: int) -> None:
        """Threads start with the first list."""
        self._inner = inner
        self._calls = current_calls()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="augkit-llm")
        # Callers may be threads themselves, and their single requests bypass the pool.
        self._slots = threading.BoundedSemaphore(workers)

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request; after an error no call is started, those in flight are awaited."""
        if self._calls is not None:
            self._calls.sent(len(requests))
        is_main = threading.current_thread() is threading.main_thread()
        if len(requests) <= 1 and not is_main:
            return [self._call(request) for request in requests]
        # Prompts that begin alike follow one another, so that servers find them in their caches.
        order = sorted(range(len(requests)), key=lambda index: requests[index].prompt)
        submitted = {index: self._pool.submit(self._call, requests[index]) for index in order}
        futures = [submitted[index] for index in range(len(requests))]
        _, unfinished = wait(futures, return_when=FIRST_EXCEPTION)
        for future in unfinished:
            future.cancel()
        # Calls in flight are paid for: let them reach the cache before the error is raised.
        wait(unfinished)
        for future in futures:
            if not future.cancelled():
                future.result()  # raises the error because of which the others were cancelled
        return [future.result() for future in futures]

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)

    def _call(self, request: Request) -> Reply:
        with self._slots:
            reply = self._inner.generate([request])[0]
        if self._calls is not None:
            self._calls.answered()
        return reply


class ConcurrencyLimit:
    """How many calls may be in flight: doubles while the throughput grows, halves on overload.

    Throughput is measured in windows of calls. Calls that were in flight when the limit changed
    do not count, and are no second sign of the same overload. Without enough callers to reach
    the limit nothing is learned and nothing changes.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Start at ``START``; ``clock`` must be monotonic."""
        self.current = min(START, most)
        self._most = most
        self._clock = clock
        self._before: tuple[int, float] | None = None
        """The limit before the last growth, and the throughput it had."""
        self._hold = 0
        self._calls = self._tokens = 0
        self._begin()

    def started(self, in_flight: int) -> None:
        """A call begins, so that now so many are in flight."""
        self._reached |= in_flight >= self.current

    def finished(self, reply: Reply) -> None:
        """A call has ended with this reply."""
        self._calls += 1
        if reply.fault in {RATE_LIMITED, TIMEOUT} and self._calls > 0:
            self._set(max(1, self.current // 2))
            self._before, self._hold = None, HOLD
            return
        self._tokens += reply.cost.prompt_tokens + reply.cost.completion_tokens or UNCOUNTED
        if self._calls == 0:
            self._since, self._tokens = self._clock(), 0
        if self._calls >= CALLS_PER_SLOT * self.current:
            self._judge(self._tokens / max(1e-9, self._clock() - self._since))

    def _judge(self, throughput: float) -> None:
        """Decide at the end of a window."""
        if self._before is not None and self._reached:
            limit, earlier = self._before
            self._before = None
            if throughput < GAIN * earlier:
                self._hold = HOLD
                self._set(limit)
                return
        if self._hold or not self._reached or self.current == self._most:
            self._hold = max(0, self._hold - 1)
            self._begin()
            return
        self._before = self.current, throughput
        self._set(min(self._most, 2 * self.current))

    def _set(self, limit: int) -> None:
        self.current = limit
        self._begin()

    def _begin(self) -> None:
        self._calls = -self.current
        self._tokens = 0
        self._since = self._clock()
        self._reached = False


class InFlight:
    """Lets as many calls through as the limit allows; the others wait.

    Once they are interrupted (by Ctrl-C, SIGTERM or the end of a caller) none begins, and no pause
    goes on.
    """

    def __init__(
        self,
        inner: LLM,
        limit: ConcurrencyLimit | None = None,
        abort: Callable[[], object] = lambda: None,
    ) -> None:
        """Wrap a model; ``abort`` ends its calls in flight."""
        self._inner = inner
        self._limit = limit
        self._abort = abort
        self._interrupted = threading.Event()
        self._changed = threading.Condition()
        self._in_flight = 0

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """The inner replies."""
        with self._changed:
            self._changed.wait_for(self._may_go)
            self._check()
            self._in_flight += 1
            if self._limit is not None:
                self._limit.started(self._in_flight)
        replies: list[Reply] = []
        try:
            replies = self._inner.generate(requests)
        finally:
            with self._changed:
                self._in_flight -= 1
                if self._limit is not None:
                    for reply in replies:
                        self._limit.finished(reply)
                self._wake()
        return replies

    def sleep(self, seconds: float) -> None:
        """Wait, and no longer than until calls are interrupted."""
        self._interrupted.wait(seconds)
        self._check()

    def interrupt(self, seconds: float = GRACE_SECONDS) -> None:
        """Begin no further call; those in flight have so many seconds."""
        with self._changed:
            self._interrupted.set()
            self._changed.notify_all()
            if self._in_flight and seconds:
                logging.getLogger(__name__).warning(
                    "stopping: up to %.0f s for the answers in flight, which may be paid for "
                    "(%d); Ctrl-C again ends at once",
                    seconds,
                    self._in_flight,
                )
            self._changed.wait_for(lambda: not self._in_flight, seconds)
        self._abort()

    def _wake(self) -> None:
        """Wake as many threads as may go, or those that wait for the end."""
        if self._limit is None or self._interrupted.is_set():
            self._changed.notify_all()
        else:
            self._changed.notify(max(0, self._limit.current - self._in_flight))

    def _may_go(self) -> bool:
        free = self._limit is None or self._in_flight < self._limit.current
        return free or self._interrupted.is_set()

    def _check(self) -> None:
        if self._interrupted.is_set():
            raise BackendFailed("not asked: the command was stopped")
