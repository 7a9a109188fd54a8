"""Progress: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_EVERY_SECONDS = 10.0


@contextmanager
def watching() -> Iterator[Callable[[int, int], None]]:
    """A callback that shows rows done out of all."""
    if sys.stderr.isatty():
        with _bar() as watch:
            yield watch
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = ("rows", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("rows", total=None)
        yield lambda done, total: progress.update(bar, completed=done, total=total)


def _lines() -> Callable[[int, int], None]:
    last = time.monotonic()

    def watch(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY_SECONDS:
            last = time.monotonic()
            print(f"{done:,} of {total:,} rows", file=sys.stderr, flush=True)  # noqa: T201

    return watch
