"""Pools of workers that apply a function to items and keep their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import Protocol, TypeVar

A = TypeVar("A")
B = TypeVar("B")

AHEAD = 4
"""Items in flight per worker: enough that one slow item does not leave the others idle."""


class Pool(Protocol):
    """Workers that apply a function to items: processes of this machine, or of others."""

    def in_order(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Results in the order of the items, which are not read far ahead."""
        ...


def map_in_order(
    executor: Executor, function: Callable[[A], B], items: Iterable[A], workers: int
) -> Iterator[B]:
    """Results in the order of the items, at most ``AHEAD`` per worker in flight or waiting."""
    pending: deque[Future[B]] = deque()
    try:
        for item in items:
            pending.append(executor.submit(function, item))
            if len(pending) >= workers * AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()
