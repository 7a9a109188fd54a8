"""Pools of workers that keep the order of their items, and the work in processes by blocks."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from typing import TypeVar, cast

from augkit.core.process_memory import set_up_memory
from augkit.runs.ledger import Chunk
from augkit.runs.row_work import StepSpec, Task, offline_step, process_rows

A = TypeVar("A")
B = TypeVar("B")

AHEAD = 4
"""Items in flight per worker: enough that one slow item does not leave the others idle."""


def map_in_order(
    executor: Executor, function: Callable[[A], B], items: Iterable[A], workers: int
) -> Iterator[B]:
    """Results in the order of the items, at most ``AHEAD`` per worker in flight or waiting."""
    pending: deque[Future[B]] = deque()
    try:
        for item in items:
            pending.append(executor.submit(function, item))
            if len(pending) >= workers * AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


@dataclass(frozen=True)
class ProcessPool:
    """Worker processes of this machine."""

    executor: Executor
    workers: int

    def in_order(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Results in the order of the items, which are not read far ahead."""
        return map_in_order(self.executor, partial(_work, function), items, self.workers)


def run_in_processes(spec: StepSpec, tasks: Iterable[Task], pool: ProcessPool) -> Iterator[Chunk]:
    """A chunk per block; each process builds the step once."""
    return pool.in_order(partial(_offline_chunk, spec), tasks)


@contextmanager
def process_pool(workers: int) -> Iterator[ProcessPool]:
    """Fresh worker processes. Forking is unsafe once threads run, and other systems lack it.

    They hold one end of a pipe and exit when the other is closed: at once where this process is
    stopped or killed, so that none is left behind.
    """
    context = get_context("spawn")
    watched, held = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(workers, context, initializer=_initialize, initargs=(watched,))
    try:
        _start_ignoring_interrupts(executor, workers)
        yield ProcessPool(executor, workers)
    except BaseException:
        held.close()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        held.close()
        watched.close()


def _start_ignoring_interrupts(executor: Executor, workers: int) -> None:
    """Start the worker processes now, with Ctrl-C blocked from their first moment.

    Signals that a process blocks are blocked in its children. ``_initialize`` alone comes too
    late: a worker that is still importing would die of a Ctrl-C with a page of traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows: they start with their first block
        return
    resource_tracker.ensure_running()  # the first worker would start it, and it unblocks Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _interrupts_later():
            for _ in range(workers):
                executor.submit(os.getpid)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Have a Ctrl-C that arrives meanwhile take effect at the end.

    A signal that the main thread blocks is taken by a thread of a library, and Python then handles
    it in the main thread all the same: a worker that was started, and not yet told what to do,
    would complain that its input has ended.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: arrived.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if arrived:
            signal.raise_signal(signal.SIGINT)


def _initialize(watched: Connection) -> None:
    """Set a worker process up for blocks of rows."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process decides
    threading.Thread(target=_exit_with_parent, args=(watched,), daemon=True).start()
    set_up_memory()


class _Worker:
    """What a worker process is doing, for the thread that ends it."""

    is_working = False
    must_exit = False


def _work(function: Callable[[A], B], item: A) -> B:
    """Apply a function; while it runs, ``_exit_with_parent`` may end the process at any moment."""
    _Worker.is_working = True
    result = None if _Worker.must_exit else function(item)
    _Worker.is_working = False
    if _Worker.must_exit:
        os._exit(1)
    return cast("B", result)


def _exit_with_parent(watched: Connection) -> None:
    """Exit when the other end of the pipe is closed, but never while a result is being sent.

    Half a result would keep the parent waiting for the rest. A worker that is sending, or waits
    for its next block, is ended by the shutdown of the executor, or by the parent's death.
    """
    watched.poll(None)
    _Worker.must_exit = True
    if not _Worker.is_working and (parent := parent_process()) is not None:
        parent.join()
    os._exit(1)


def _offline_chunk(spec: StepSpec, task: Task) -> Chunk:
    return process_rows(offline_step(spec), task.layout, task.examples())
