"""Who does the work: this process, several processes, or threads that wait for a server.

Whatever the engine, chunks come out in the order of the rows, so the files are the same.
"""

from __future__ import annotations

import ctypes
import gc
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TypeVar

from augkit.corpora.blocks import Block
from augkit.corpora.read import read_block
from augkit.data import Example
from augkit.protocols import Step
from augkit.run.ledger import Chunk
from augkit.run.work import Recipe, Shape, offline_step, process_rows

A = TypeVar("A")
B = TypeVar("B")

_AHEAD = 4
"""Tasks under way per worker: enough that one slow row does not leave the others idle."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_KEPT_BYTES = 1 << 25


@dataclass(frozen=True)
class Task:
    """A block of rows, what of it is done already, and how much of it is to be augmented."""

    dataset: str
    block: Block
    repeats: dict[int, int]
    done: int
    selected: int
    shape: Shape

    def examples(self) -> list[Example]:
        """The rows still to do."""
        return read_block(self.dataset, self.shape.schema, self.block, self.repeats)[self.done :]


def in_turn(step: Step, tasks: Iterable[Task]) -> Iterator[Chunk]:
    """One after the other, here."""
    for task in tasks:
        yield process_rows(step, task.shape, task.examples(), task.selected)


def in_processes(
    recipe: Recipe, tasks: Iterable[Task], pool: Executor, workers: int
) -> Iterator[Chunk]:
    """Whole blocks in worker processes, each of which makes the step for itself."""
    jobs = ((recipe, task) for task in tasks)
    return in_order(pool, _offline_chunk, jobs, workers * _AHEAD)


def in_threads(step: Step, tasks: Iterable[Task], workers: int) -> Iterator[Chunk]:
    """Row by row in threads: the time goes into waiting for a server."""
    with ThreadPoolExecutor(workers) as pool:
        rows = (_Row(step, task.shape, *row) for task in tasks for row in _rows(task))
        yield from in_order(pool, _row_chunk, rows, workers * _AHEAD)


def all_at_once(step: Step, tasks: Iterable[Task]) -> Iterator[Chunk]:
    """Everything in one chunk, for methods that need to see all rows together."""
    examples: list[Example] = []
    selected = 0
    shape = None
    for task in tasks:
        shape = task.shape
        rows = task.examples()
        examples += rows
        selected += min(task.selected, len(rows))
    if shape is not None:
        yield process_rows(step, shape, examples, selected)


@contextmanager
def process_pool(workers: int) -> Iterator[Executor]:
    """Fresh worker processes. Forking is unsafe once threads run, and other systems lack it."""
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_settle_in)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _settle_in() -> None:
    """Fit a worker process to blocks of rows, one after the other.

    Rows make many objects and hardly any cycles: looking for those cost a tenth of the time.
    What one block frees the next one needs: giving it back to the system in between cost another.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    with suppress(AttributeError, OSError, TypeError):  # only glibc can be told
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)
        libc.mallopt(_M_MMAP_THRESHOLD, _KEPT_BYTES)


def in_order(
    pool: Executor, function: Callable[[A], B], items: Iterable[A], ahead: int
) -> Iterator[B]:
    """Results in the order of the items, at most ``ahead`` of them under way or waiting."""
    pending: deque[Future[B]] = deque()
    try:
        for item in items:
            pending.append(pool.submit(function, item))
            if len(pending) >= ahead:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


@dataclass(frozen=True)
class _Row:
    step: Step
    shape: Shape
    example: Example
    selected: int


def _rows(task: Task) -> Iterator[tuple[Example, int]]:
    for index, example in enumerate(task.examples()):
        yield example, int(index < task.selected)


def _row_chunk(row: _Row) -> Chunk:
    return process_rows(row.step, row.shape, [row.example], row.selected)


def _offline_chunk(job: tuple[Recipe, Task]) -> Chunk:
    recipe, task = job
    return process_rows(offline_step(recipe), task.shape, task.examples(), task.selected)
