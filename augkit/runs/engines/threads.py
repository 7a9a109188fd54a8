"""The work in this process: block by block, all at once, or in threads that await an LLM server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice

from augkit.core.errors import Stopped
from augkit.core.protocols import Step
from augkit.llm.unanswered import noting_unanswered
from augkit.runs.engines.processes import map_in_order
from augkit.runs.ledger import Chunk
from augkit.runs.row_work import RowLayout, Task, TaskRows, augmenter_of, process_rows


def run_serial(
    step: Step,
    tasks: Iterable[Task],
    report: Callable[[int], None] | None = None,
    size: int | None = None,
) -> Iterator[Chunk]:
    """One task after the other; ``report`` is told how many rows are done.

    With a ``size`` the rows of all tasks are parted anew, so many augmented ones to a part.
    """
    done = 0
    parts = (
        ((task.layout, task.examples()) for task in tasks) if size is None else _parts(tasks, size)
    )
    for layout, rows in parts:
        shown = None if report is None else partial(_report_after, done, report)
        yield process_rows(step, layout, rows, shown)
        done += len(rows.augmented)


def _parts(tasks: Iterable[Task], size: int) -> Iterator[tuple[RowLayout, TaskRows]]:
    part = TaskRows([], [], [])
    layout = None
    for task in tasks:
        layout = task.layout
        rows = task.examples()
        chosen = {example.id for example in rows.augmented}
        for example, number in zip(rows.all, rows.numbers, strict=True):
            part.all.append(example)
            part.numbers.append(number)
            if example.id in chosen:
                part.augmented.append(example)
            if len(part.augmented) == size:
                yield layout, part
                part = TaskRows([], [], [])
    if layout is not None and part.all:
        yield layout, part


def _report_after(before: int, report: Callable[[int], None], done: int) -> None:
    report(before + done)


def run_whole_corpus(step: Step, tasks: Iterable[Task]) -> Iterator[Chunk]:
    """All rows in one chunk, for methods that need to see them together."""
    rows = TaskRows([], [], [])
    layout = None
    for task in tasks:
        layout = task.layout
        task_rows = task.examples()
        rows.all.extend(task_rows.all)
        rows.numbers.extend(task_rows.numbers)
        rows.augmented.extend(task_rows.augmented)
    if layout is not None:
        yield process_rows(step, layout, rows)


def run_in_threads(
    step: Step, tasks: Iterable[Task], workers: int, interrupt: Callable[[], None] | None = None
) -> Iterator[Chunk]:
    """A chunk per row; calls of several rows are in flight at the same time.

    Where the run is stopped, ``interrupt`` ends the calls that the threads wait for.
    """
    rows = _prefetching(step, tasks, workers)
    with ThreadPoolExecutor(workers) as executor:
        try:
            yield from map_in_order(executor, lambda row: process_rows(step, *row), rows, workers)
        except (KeyboardInterrupt, Stopped):
            if interrupt is not None:
                interrupt()
            raise


def _prefetching(
    step: Step, tasks: Iterable[Task], size: int
) -> Iterator[tuple[RowLayout, TaskRows]]:
    """The rows one by one; the method prefetches some of them at a time.

    It does so right after they were handed to the threads, so that the first calls do not wait
    for it; later rows stand in line for longer than it takes.
    """
    augmenter = augmenter_of(step)
    rows = (
        (task.layout, TaskRows([example], [number], [example] if example.id in ids else []))
        for task in tasks
        for examples, numbers, augmented in [task.examples()]
        for ids in [{example.id for example in augmented}]
        for example, number in zip(examples, numbers, strict=True)
    )
    while batch := list(islice(rows, size)):
        yield from batch
        upcoming = [example for _, row in batch for example in row.augmented]
        if augmenter is not None and upcoming:
            with noting_unanswered():  # of no row: what is missing is asked for again
                augmenter.prefetch(upcoming)
