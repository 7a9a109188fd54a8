"""``RateLimited``: no more requests and tokens a minute than agreed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM

BYTES_PER_TOKEN = 4
"""A guess for pacing only; the difference to the real count is given back after the call."""


class Allowance(Protocol):
    """Something that is shared out."""

    def take(self, amount: float) -> float:
        """Take ``amount`` (negative: give back); seconds to wait before using it."""
        ...


class Bucket:
    """A token bucket: fills evenly, holds a second's worth, and may be overdrawn.

    Whoever takes is told how long to wait until that much was there (or the bucket was full, for
    more than it holds). Takers are so served in the order in which they came, and nobody sleeps
    under the lock.
    """

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Fill at ``per_minute``; ``clock`` never runs backwards."""
        self._rate = per_minute / 60.0
        self._holds = max(1.0, self._rate)
        self._level = self._holds
        self._clock = clock
        self._filled = clock()
        self._lock = threading.Lock()

    def take(self, amount: float) -> float:
        """Take ``amount`` (negative: give back); seconds to wait before using it."""
        with self._lock:
            now = self._clock()
            grown = self._level + (now - self._filled) * self._rate
            self._filled = now
            before = min(self._holds, grown)
            self._level = before - amount
            return max(0.0, (min(amount, self._holds) - before) / self._rate)


@dataclass(frozen=True)
class RateLimited:
    """Wait before each call until the buckets allow it."""

    inner: LLM
    requests: Allowance | None = None
    tokens: Allowance | None = None
    sleep: Callable[[float], None] = time.sleep

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """The inner replies, in their own time."""
        guessed = sum(map(_guess, requests))
        wait = max(_take(self.requests, len(requests)), _take(self.tokens, guessed))
        if wait:
            self.sleep(wait)
        replies = self.inner.generate(requests)
        used = sum(r.cost.prompt_tokens + r.cost.completion_tokens for r in replies)
        if used:
            _take(self.tokens, used - guessed)
        return replies


def _take(bucket: Allowance | None, amount: float) -> float:
    return bucket.take(amount) if bucket is not None else 0.0


def _guess(request: Request) -> float:
    size = sum(len(message.content.encode("utf-8", "replace")) for message in request.messages)
    return size / BYTES_PER_TOKEN + request.max_tokens
