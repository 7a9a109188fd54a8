"""The terminal: progress while a command runs, and an orderly end on Ctrl-C and SIGTERM."""

from __future__ import annotations

import re
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

from augkit.core.errors import Stopped
from augkit.core.progress import CALLS, Report, about_time, reporting_to
from augkit.text.printable import shell_line
from augkit.text.screen import safe_console, show_error

_ADDRESS = re.compile(r"((?:--?[\w-]+=|base_url=)?)(https?://.+)", re.DOTALL)
_EVERY_SECONDS = 30.0
_QUIET_TURNS = 4
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def progress() -> Iterator[None]:
    """Show what is being done: a bar on a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        with _printed_lines() as show, reporting_to(show):
            yield
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(20), TimeRemainingColumn())
    with Progress(*columns, console=safe_console(stderr=True), transient=True) as bars:
        bar = bars.add_task("starting", total=None)
        latest = LatestWork()

        def show(work: str, done: int, total: int) -> None:
            before = latest.work
            line = latest.line(work, done, total)
            if latest.work != before:  # the time left is that of this work alone
                bars.reset(bar, total=None)
            bars.update(bar, description=line)
            if work == latest.work:
                bars.update(bar, completed=done, total=total or None)

        with reporting_to(show):
            yield


def next_line(*words: str) -> None:
    """Print the command that comes next, to be copied: quoted for the shell, and never wrapped.

    It goes to the standard error output, as progress does: results may go into a file.
    """
    show_error(f"Next: {shell_line(words)}")


def without_dry_run() -> None:
    """After a dry run: the same command without the option."""
    next_line("augkit", *(word for word in words_given() if word != "--dry-run"))


def words_given() -> list[str]:
    """The words of this command after ``augkit``, to be shown; addresses without their secrets."""
    from augkit.llm.settings import bare_address

    shown = []
    for word in sys.argv[1:]:
        address = _ADDRESS.fullmatch(word)
        shown.append(address[1] + bare_address(address[2]) if address else word)
    return shown


def reading_flags(reading: Mapping[str, Any]) -> list[str]:
    """The options that name the columns of a dataset, as they were given.

    >>> reading_flags({"text_columns": ["my text"], "label_column": "queue", "limit": 3})
    ['--text-column', 'my text', '--label-column', 'queue']
    """
    words = [word for name in reading.get("text_columns", ()) for word in ("--text-column", name)]
    label = reading.get("label_column")
    return [*words, *(("--label-column", label) if label else ())]


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
            self.work = work
            self._about = progress_line(work, done, total)
        return (self._about or self.work) + self._calls


class ProgressLog:
    """What a log without a terminal shows: news at once a turn, and a sign of life without any."""

    def __init__(self) -> None:
        """Nothing was reported yet."""
        self._latest = LatestWork()
        self._line = self._printed = ""
        self._unchanged = 0
        self._begun = "", 0, 0.0

    def show(self, work: str, done: int, total: int) -> None:
        """Keep what is reported, with the time that is left at the speed so far."""
        self._line = self._latest.line(work, done, total)
        begun, first, since = self._begun
        if work != begun:
            self._begun = work, done, time.monotonic()
        elif first < done < total and work != CALLS:
            left = (time.monotonic() - since) / (done - first) * (total - done)
            self._line += f", {about_time(left)} left"

    def turn(self) -> str:
        """The line to print now: what is new; every fourth turn without news, since when.

        >>> log = ProgressLog()
        >>> log.show("augmenting rows", 0, 6)
        >>> [log.turn() for _ in range(5)][::4], log.turn()
        (['augmenting rows: 0 of 6', 'augmenting rows: 0 of 6, unchanged for 2 min'], '')
        """
        if self._line != self._printed:
            self._printed = self._line
            self._unchanged = 0
            return self._line
        self._unchanged += 1
        if self._unchanged % _QUIET_TURNS or not self._line:
            return ""
        return f"{self._line}, unchanged for {self._unchanged * _EVERY_SECONDS / 60:.0f} min"


@contextmanager
def _printed_lines() -> Iterator[Report]:
    """A thread prints, so that what was reported last is seen while nothing else is reported."""
    log = ProgressLog()
    ended = threading.Event()

    def print_turns() -> None:
        while not ended.wait(min(_EVERY_SECONDS, threading.TIMEOUT_MAX)):
            if line := log.turn():
                show_error(line)

    thread = threading.Thread(target=print_turns, name="augkit-progress", daemon=True)
    thread.start()
    try:
        yield log.show
    finally:
        ended.set()
        thread.join()


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
    for handled in _SIGNALS:
        signal.signal(handled, signal.SIG_DFL)
    raise Stopped(number)
