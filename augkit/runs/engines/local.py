"""Who does the work here: this process, several processes, or threads that wait for a server.

Whatever the engine, chunks come out in the order of the rows, so the files are the same.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from typing import Protocol, TypeVar

from augkit.core.protocols import Step
from augkit.core.types import Example
from augkit.datasets.readers.blocks import Block
from augkit.datasets.to_examples import read_block
from augkit.runs.ledger import Chunk
from augkit.runs.row_work import Recipe, Shape, augmenter_of, offline_step, process_rows

A = TypeVar("A")
B = TypeVar("B")

_AHEAD = 4
"""Tasks under way per worker: enough that one slow row does not leave the others idle."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_KEPT_BYTES = 1 << 25


class Pool(Protocol):
    """Workers that apply a function to items: processes of this machine, or of others."""

    def in_order(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Results in the order of the items, which are not read far ahead."""
        ...


@dataclass(frozen=True)
class Processes:
    """Worker processes of this machine."""

    executor: Executor
    workers: int

    def in_order(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Results in the order of the items, which are not read far ahead."""
        return in_order(self.executor, function, items, self.workers * _AHEAD)


@dataclass(frozen=True)
class Task:
    """A block of rows, what of it is done already, and how much of it is to be augmented."""

    dataset: str
    block: Block
    repeats: dict[int, int]
    done: int
    selected: int
    shape: Shape
    count: int | None = None
    """How many rows after those done; None: all that are left."""

    def examples(self) -> list[Example]:
        """The rows to do."""
        rows = read_block(self.dataset, self.shape.schema, self.block, self.repeats)
        return rows[self.done : None if self.count is None else self.done + self.count]


def in_turn(step: Step, tasks: Iterable[Task]) -> Iterator[Chunk]:
    """One after the other, here."""
    for task in tasks:
        yield process_rows(step, task.shape, task.examples(), task.selected)


def in_processes(recipe: Recipe, tasks: Iterable[Task], pool: Pool) -> Iterator[Chunk]:
    """Whole blocks in worker processes, each of which makes the step for itself."""
    return pool.in_order(_offline_chunk, ((recipe, task) for task in tasks))


def in_threads(step: Step, tasks: Iterable[Task], workers: int) -> Iterator[Chunk]:
    """Row by row in threads: the time goes into waiting for a server."""
    with ThreadPoolExecutor(workers) as pool:
        rows = (_Row(step, task.shape, *row) for task in tasks for row in _rows(task))
        yield from in_order(pool, _row_chunk, _foreseen(step, rows, workers), workers * _AHEAD)


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
def process_pool(workers: int) -> Iterator[Processes]:
    """Fresh worker processes. Forking is unsafe once threads run, and other systems lack it.

    They hold one end of a pipe and end when the other is closed: at once where this process is
    stopped or killed, so that none is left behind.
    """
    context = get_context("spawn")
    watched, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, initializer=_settle_in, initargs=(watched,))
    try:
        _start_deaf(pool, workers)
        yield Processes(pool, workers)
    except BaseException:
        held.close()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        held.close()
        watched.close()


def _start_deaf(pool: Executor, workers: int) -> None:
    """Start the worker processes now, deaf to Ctrl-C from their first moment.

    What a process blocks its children block too. ``_settle_in`` alone comes too late: a worker
    that is still importing would die of a Ctrl-C with a page of traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows: they start with their first block
        return
    resource_tracker.ensure_running()  # the first worker would start it, and it unblocks Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for _ in range(workers):
            pool.submit(os.getpid)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _settle_in(watched: Connection) -> None:
    """Fit a worker process to blocks of rows, one after the other.

    Rows make many objects and hardly any cycles: looking for those cost a tenth of the time.
    What one block frees the next one needs: giving it back to the system in between cost another.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started it decides
    threading.Thread(target=_end_with, args=(watched,), daemon=True).start()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    with suppress(AttributeError, OSError, TypeError):  # only glibc can be told
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)
        libc.mallopt(_M_MMAP_THRESHOLD, _KEPT_BYTES)


def _end_with(watched: Connection) -> None:
    """End this process when the other end of the pipe is closed, whatever it is doing."""
    watched.poll(None)
    os._exit(1)


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


def _foreseen(step: Step, rows: Iterator[_Row], size: int) -> Iterator[_Row]:
    """The rows, of which the method hears some at a time.

    It hears of them right after they were handed to the threads, so that the first calls need not
    wait for it; later rows stand in line for longer than it takes.
    """
    augmenter = augmenter_of(step)
    while batch := list(islice(rows, size)):
        yield from batch
        soon = [row.example for row in batch if row.selected]
        if augmenter is not None and soon:
            augmenter.prefetch(soon)


def _row_chunk(row: _Row) -> Chunk:
    return process_rows(row.step, row.shape, [row.example], row.selected)


def _offline_chunk(job: tuple[Recipe, Task]) -> Chunk:
    recipe, task = job
    return process_rows(offline_step(recipe), task.shape, task.examples(), task.selected)
