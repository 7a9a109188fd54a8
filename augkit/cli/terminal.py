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
from augkit.core.progress import Report, reporting_to

_EVERY_SECONDS = 10.0
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
        works = ["starting"]

        def show(work: str, done: int, total: int) -> None:
            if work != works[-1]:  # the time left is that of this work alone
                works.append(work)
                bars.reset(bar, total=None)
            line = progress_line(work, done, total)
            bars.update(bar, description=line, completed=done, total=total or None)

        with reporting_to(show):
            yield


def progress_line(work: str, done: int, total: int) -> str:
    """What is being done, in one line.

    >>> progress_line("fitting the ensemble", 3, 5), progress_line("reading the rows", 0, 0)
    ('fitting the ensemble: 3 of 5', 'reading the rows …')
    """
    return f"{work}: {done:,} of {total:,}" if total else f"{work} …"


def _print_lines() -> Report:
    last = time.monotonic()

    def show(work: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY_SECONDS:
            last = time.monotonic()
            print(progress_line(work, done, total), file=sys.stderr, flush=True)  # noqa: T201

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
