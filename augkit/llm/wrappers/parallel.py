"""``Parallel``: many calls under way at the same time, each reply kept the moment it arrives."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM


class Parallel:
    """Spread a list over threads, one request a call; a single request stays in its thread."""

    def __init__(self, inner: LLM, workers: int) -> None:
        """Threads are started when a list first needs them."""
        self._inner = inner
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="augkit-llm")
        # Callers may be threads themselves, and their single requests do not pass the pool.
        self._slots = threading.BoundedSemaphore(workers)

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request; after a failure nothing new is begun, and what runs is awaited."""
        if len(requests) <= 1:
            return [self._one(request) for request in requests]
        futures = [self._pool.submit(self._one, request) for request in requests]
        _, unfinished = wait(futures, return_when=FIRST_EXCEPTION)
        for future in unfinished:
            future.cancel()
        # Calls under way are paid for: let them reach the cache before the failure is told.
        wait(unfinished)
        return [future.result() for future in futures]

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(cancel_futures=True)

    def _one(self, request: Request) -> Reply:
        with self._slots:
            return self._inner.generate([request])[0]
