"""How long a call may take: as long as its answer needs at the speed that the server has shown."""

from __future__ import annotations

import threading

from augkit.core.types import Cost

UNKNOWN_SPEED = 2.0
"""Seconds per token of work before the first answer: a large model on a slow machine."""
FIRST_SECONDS = 600.0
"""A server may have to load its model before the first answer."""
LEAST_SECONDS = 60.0
MOST_SECONDS = 3600.0
PATIENCE = 5.0
"""A call may take so many times as long as the slowest of late would have taken for it."""
FORGETTING = 0.9
"""The slowest speed counts by this factor less with each further answer."""

READ_PER_WRITTEN = 8
"""Reading so many tokens takes about as long as writing one."""
FIXED_WORK = 16
"""What a call takes beside its tokens, in tokens."""


def work_of(prompt: int, answer: int) -> float:
    """What a call takes, in tokens written.

    >>> work_of(prompt=800, answer=100)
    216.0
    """
    return FIXED_WORK + answer + prompt / READ_PER_WRITTEN


class CallTimes:
    """The limit of the next call; all threads report what their calls took."""

    def __init__(self, fixed: float | None = None) -> None:
        """``fixed`` seconds for each call, or as many as it may need."""
        self._fixed = fixed
        self._lock = threading.Lock()
        self._answered = False
        self._seconds_per_work = UNKNOWN_SPEED

    def limit(self, prompt: int, answer: int) -> float:
        """Seconds for a call with a prompt of about so many tokens and at most this answer."""
        if self._fixed is not None:
            return self._fixed
        with self._lock:
            patience = PATIENCE if self._answered else 1.0
            expected = patience * self._seconds_per_work * work_of(prompt, answer)
            least = LEAST_SECONDS if self._answered else FIRST_SECONDS
            return min(MOST_SECONDS, max(least, expected))

    def answered(self, seconds: float, cost: Cost) -> None:
        """A call took so long; without a count of tokens it tells nothing."""
        if not cost.prompt_tokens:
            return
        speed = seconds / work_of(cost.prompt_tokens, cost.completion_tokens)
        with self._lock:
            slowest = FORGETTING * self._seconds_per_work if self._answered else 0.0
            self._answered = True
            self._seconds_per_work = max(speed, slowest)

    def timed_out(self) -> None:
        """A call was given up: the next ones get twice the time."""
        with self._lock:
            self._seconds_per_work = min(2 * self._seconds_per_work, MOST_SECONDS)
