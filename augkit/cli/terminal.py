"""The terminal: progress while a command runs, and an orderly end on Ctrl-C and SIGTERM."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from augkit.core.errors import Stopped

_EVERY_SECONDS = 10.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def progress() -> Iterator[Callable[[int, int], None]]:
    """A callback for rows done and rows in all: a bar on a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        yield _print_lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = ("rows", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task("rows", total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total)


def _print_lines() -> Callable[[int, int], None]:
    last = time.monotonic()

    def on_progress(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY_SECONDS:
            last = time.monotonic()
            print(f"{done:,} of {total:,} rows", file=sys.stderr, flush=True)  # noqa: T201

    return on_progress


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
