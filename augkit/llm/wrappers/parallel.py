"""``Parallel``: many calls in flight at the same time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from augkit.core.model_types import Reply, Request
from augkit.core.progress import current_calls
from augkit.core.protocols import LLM


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
            return [self._one(request) for request in requests]
        # Prompts that begin alike follow one another, so that servers find them in their caches.
        order = sorted(range(len(requests)), key=lambda index: requests[index].prompt)
        submitted = {index: self._pool.submit(self._one, requests[index]) for index in order}
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

    def _one(self, request: Request) -> Reply:
        with self._slots:
            reply = self._inner.generate([request])[0]
        if self._calls is not None:
            self._calls.answered()
        return reply
