"""Progress of long work: whoever does it reports, and the command line shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

A = TypeVar("A")

Report = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is (0: unknown)."""

_REPORT: ContextVar[Report | None] = ContextVar("report", default=None)


@contextmanager
def reporting_to(report: Report) -> Iterator[None]:
    """Hand what is reported meanwhile to a function."""
    token = _REPORT.set(report)
    try:
        yield
    finally:
        _REPORT.reset(token)


def report_progress(work: str, done: int = 0, total: int = 0) -> None:
    """Say what is being done; nothing happens where nobody listens."""
    report = _REPORT.get()
    if report is not None:
        report(work, done, total)


def reported(work: str, items: Sequence[A]) -> Iterator[A]:
    """The items; each is reported when its turn comes, as "fitting the ensemble: 3 of 5"."""
    for number, item in enumerate(items, 1):
        report_progress(work, number, len(items))
        yield item
