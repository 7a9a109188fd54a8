"""The work in this process: block by block, all at once, or in threads that await an LLM server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import NamedTuple

from augkit.core.protocols import Step
from augkit.core.types import Example
from augkit.runs.engines.processes import map_in_order
from augkit.runs.ledger import Chunk
from augkit.runs.row_work import RowLayout, Task, augmenter_of, process_rows


def run_serial(step: Step, tasks: Iterable[Task]) -> Iterator[Chunk]:
    """One task after the other."""
    for task in tasks:
        yield process_rows(step, task.layout, task.examples(), task.selected)


def run_whole_corpus(step: Step, tasks: Iterable[Task]) -> Iterator[Chunk]:
    """All rows in one chunk, for methods that need to see them together."""
    examples: list[Example] = []
    selected = 0
    layout = None
    for task in tasks:
        layout = task.layout
        rows = task.examples()
        examples += rows
        selected += min(task.selected, len(rows))
    if layout is not None:
        yield process_rows(step, layout, examples, selected)


class _Row(NamedTuple):
    layout: RowLayout
    example: Example
    selected: bool


def run_in_threads(step: Step, tasks: Iterable[Task], workers: int) -> Iterator[Chunk]:
    """A chunk per row; calls of several rows are in flight at the same time."""

    def chunk(row: _Row) -> Chunk:
        return process_rows(step, row.layout, [row.example], int(row.selected))

    rows = (
        _Row(task.layout, example, index < task.selected)
        for task in tasks
        for index, example in enumerate(task.examples())
    )
    with ThreadPoolExecutor(workers) as executor:
        yield from map_in_order(executor, chunk, _prefetching(step, rows, workers), workers)


def _prefetching(step: Step, rows: Iterator[_Row], size: int) -> Iterator[_Row]:
    """The rows; the method prefetches some of them at a time.

    It does so right after they were handed to the threads, so that the first calls do not wait
    for it; later rows stand in line for longer than it takes.
    """
    augmenter = augmenter_of(step)
    while batch := list(islice(rows, size)):
        yield from batch
        upcoming = [row.example for row in batch if row.selected]
        if augmenter is not None and upcoming:
            augmenter.prefetch(upcoming)
