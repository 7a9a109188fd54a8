"""``RateLimited``: at most so many requests and tokens per minute."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.llm.token_counts import prompt_tokens


class RateLimit(Protocol):
    """A rate that callers draw from."""

    def take(self, amount: float) -> float:
        """Take ``amount`` (negative: give back); seconds to wait before using it."""


class TokenBucket:
    """A token bucket: fills evenly, holds one second's worth, and may be overdrawn.

    ``take`` returns how long to wait until that much was there (or the bucket was full, for more
    than it holds). Callers are thus served in order, and none sleeps while holding the lock.
    """

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Fill at ``per_minute``; ``clock`` must be monotonic."""
        self._rate = per_minute / 60.0
        self._capacity = max(1.0, self._rate)
        self._level = self._capacity
        self._clock = clock
        self._filled = clock()
        self._lock = threading.Lock()

    def take(self, amount: float) -> float:
        """Take ``amount`` (negative: give back); seconds to wait before using it."""
        with self._lock:
            filled, self._filled = self._filled, self._clock()
            grown = self._level + (self._filled - filled) * self._rate
            before = min(self._capacity, grown)
            self._level = before - amount
            return max(0.0, (min(amount, self._capacity) - before) / self._rate)


@dataclass(frozen=True)
class RateLimited:
    """Wait before each call until both limits allow it."""

    inner: LLM
    requests: RateLimit | None = None
    tokens: RateLimit | None = None
    sleep: Callable[[float], None] = time.sleep

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """The inner replies, at the allowed rate."""
        # The difference to the actual count is corrected after the call.
        estimated = sum(
            prompt_tokens(request.messages) + request.max_tokens for request in requests
        )
        wait = max(_take(self.requests, len(requests)), _take(self.tokens, estimated))
        if wait:
            self.sleep(wait)
        replies = self.inner.generate(requests)
        used = sum(r.cost.prompt_tokens + r.cost.completion_tokens for r in replies)
        if used:
            _take(self.tokens, used - estimated)
        return replies


def _take(limit: RateLimit | None, amount: float) -> float:
    return limit.take(amount) if limit is not None else 0.0
