"""Progress of long work: whoever does it reports, and the command line shows it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

A = TypeVar("A")

Report = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is (0: unknown)."""

CALLS = "answers of the language model"
"""What ``CallCount`` reports: a part of the work that was reported last, not work of its own."""


class CallCount:
    """Counts the calls to language models, from any thread, and reports every answer."""

    def __init__(self, report: Report) -> None:
        """Nothing was sent yet."""
        self._report = report
        self._sent = self._answered = 0
        self._lock = threading.Lock()

    def sent(self, count: int) -> None:
        """So many requests wait for an answer."""
        with self._lock:
            self._sent += count

    def answered(self) -> None:
        """One of them has its answer."""
        with self._lock:
            self._answered += 1
            self._report(CALLS, self._answered, self._sent)


_CALLS: ContextVar[CallCount | None] = ContextVar("calls", default=None)
_REPORT: ContextVar[Report | None] = ContextVar("report", default=None)


@contextmanager
def reporting_to(report: Report) -> Iterator[None]:
    """Hand what is reported meanwhile to a function."""
    token = _REPORT.set(report)
    calls = _CALLS.set(CallCount(report))
    try:
        yield
    finally:
        _REPORT.reset(token)
        _CALLS.reset(calls)


@contextmanager
def reporting_as(work: str) -> Iterator[None]:
    """What is reported meanwhile is a part of this work: "coba (2 of 5): augmenting rows"."""
    outer = _REPORT.get()
    if outer is None:
        yield
        return

    def show(part: str, done: int, total: int) -> None:
        outer(part if part == CALLS else f"{work}: {part}", done, total)

    with reporting_to(show):
        yield


def current_calls() -> CallCount | None:
    """Where calls are counted now, for threads that are started later; None: nobody listens."""
    return _CALLS.get()


def report_progress(work: str, done: int = 0, total: int = 0) -> None:
    """Say what is being done; nothing happens where nobody listens."""
    report = _REPORT.get()
    if report is not None:
        report(work, done, total)


def reported(work: str, items: Sequence[A]) -> Iterator[A]:
    """The items; it is reported how many are done, as "fitting the ensemble: 3 of 5"."""
    for number, item in enumerate(items):
        report_progress(work, number, len(items))
        yield item
    report_progress(work, len(items), len(items))


def about_time(seconds: float) -> str:
    """A time of which not much more than the order of magnitude is known.

    >>> [about_time(seconds) for seconds in (0.2, 14, 340, 7000)]
    ['a few seconds', 'about 15 seconds', 'about 6 minutes', 'about 2 hours']
    """
    if seconds < 5:
        return "a few seconds"
    if seconds < 90:
        return f"about {5 * round(seconds / 5)} seconds"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} minutes"
    return f"about {round(seconds / 3600)} hours"
