"""``Parallel``: many calls at once, and an end for them when the command is stopped."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from augkit.core.errors import BackendFailed
from augkit.core.model_types import Reply, Request
from augkit.core.progress import current_calls
from augkit.core.protocols import LLM

GRACE_SECONDS = 8.0
"""Time for calls in flight: they are paid for, and their replies are kept.

Containers are killed ten seconds after SIGTERM, and the run still has to be recorded.
"""


class Interruption:
    """Ends all calls of a model: by Ctrl-C, SIGTERM or the end of a caller."""

    def __init__(self) -> None:
        """Nothing is interrupted yet."""
        self._interrupted = threading.Event()

    def begin(self) -> None:
        """From now on no call begins, and no pause goes on."""
        self._interrupted.set()

    def check(self) -> None:
        """Raise where calls are interrupted."""
        if self._interrupted.is_set():
            raise BackendFailed("not asked: the command was stopped")

    def sleep(self, seconds: float) -> None:
        """Wait, and no longer than until calls are interrupted."""
        self._interrupted.wait(seconds)
        self.check()


class Interruptible:
    """Counts the calls in flight, and begins none once they are interrupted."""

    def __init__(self, inner: LLM, interruption: Interruption, abort: Callable[[], object]) -> None:
        """Wrap a model; ``abort`` ends its calls in flight."""
        self._inner = inner
        self._interruption = interruption
        self._abort = abort
        self._changed = threading.Condition()
        self._in_flight = 0

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """The inner replies."""
        with self._changed:
            self._interruption.check()
            self._in_flight += 1
        try:
            return self._inner.generate(requests)
        finally:
            with self._changed:
                self._in_flight -= 1
                self._changed.notify_all()

    def interrupt(self, seconds: float = GRACE_SECONDS) -> None:
        """Begin no further call; those in flight have so many seconds."""
        with self._changed:
            self._interruption.begin()
            if self._in_flight and seconds:
                logging.getLogger(__name__).warning(
                    "stopping: up to %.0f s for the answers in flight, which may be paid for "
                    "(%d); Ctrl-C again ends at once",
                    seconds,
                    self._in_flight,
                )
            self._changed.wait_for(lambda: not self._in_flight, seconds)
        self._abort()


class Parallel:
    """Spread a list over threads, one request per call; a single request stays in its thread.

    That of the main thread does not: a signal would break off a call that is paid for.

    At most ``workers`` calls are under way, and a call is under way until its reply is on disk:
    the caches are inside. So a killed run pays again for no answer beyond those under way.
    """

    def __init__(self, inner: LLM, workers: int) -> None:
        """Threads start with the first list."""
        self._inner = inner
        self._calls = current_calls()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="augkit-llm")
        # Callers may be threads themselves, and their single requests bypass the pool.
        self._places = threading.BoundedSemaphore(workers)

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
        with self._places:
            reply = self._inner.generate([request])[0]
        if self._calls is not None:
            self._calls.answered()
        return reply
