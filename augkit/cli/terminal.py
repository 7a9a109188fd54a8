"""The terminal: progress while a command runs, and an orderly end on Ctrl-C and SIGTERM."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from augkit.core.errors import Stopped
from augkit.core.progress import CALLS, Report, reporting_to

_EVERY_SECONDS = 30.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def progress() -> Iterator[None]:
    """Show what is being done: a bar on a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        with reporting_to(_print_lines()):
            yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(20), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task("starting", total=None)
        latest = LatestWork()

        def show(work: str, done: int, total: int) -> None:
            before, line = latest.work, latest.line(work, done, total)
            if latest.work != before:  # the time left is that of this work alone
                bars.reset(bar, total=None)
            bars.update(bar, description=line)
            if work == latest.work:
                bars.update(bar, completed=done, total=total or None)

        with reporting_to(show):
            yield


def progress_line(work: str, done: int, total: int) -> str:
    """What is being done, in one line.

    >>> progress_line("fitting the ensemble", 3, 5), progress_line("reading the rows", 0, 0)
    ('fitting the ensemble: 3 of 5', 'reading the rows …')
    """
    return f"{work}: {done:,} of {total:,}" if total else f"{work} …"


class LatestWork:
    """The work that was reported last, and the calls that were answered meanwhile."""

    def __init__(self) -> None:
        """Nothing was reported yet."""
        self.work = "starting"
        self._about = self._calls = ""

    def line(self, work: str, done: int, total: int) -> str:
        """The line after this report.

        >>> latest = LatestWork()
        >>> latest.line("augmenting rows", 0, 6), latest.line(CALLS, 3, 8)[23:]
        ('augmenting rows: 0 of 6', ' (answers of the language model: 3 of 8)')
        """
        if work == CALLS:
            self._calls = f" ({progress_line(work, done, total)})"
        else:
            self._calls = self._calls if work == self.work else ""
            self.work, self._about = work, progress_line(work, done, total)
        return (self._about or self.work) + self._calls


def _print_lines() -> Report:
    last, latest = time.monotonic(), LatestWork()

    def show(work: str, done: int, total: int) -> None:
        nonlocal last
        line = latest.line(work, done, total)
        if time.monotonic() - last >= _EVERY_SECONDS:
            last = time.monotonic()
            print(line, file=sys.stderr, flush=True)  # noqa: T201

    return show


@contextmanager
def stoppable() -> Iterator[None]:
    """Turn the first signal into ``Stopped``; a second one ends the process at once."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers
        return
    before = {number: signal.signal(number, _stop) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _frame: FrameType | None) -> None:
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_DFL)
    raise Stopped(number)
