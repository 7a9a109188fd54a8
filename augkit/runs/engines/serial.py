"""The work in this process, without workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from augkit.core.protocols import Step
from augkit.core.types import Example
from augkit.runs.ledger import Chunk
from augkit.runs.row_work import Task, process_rows


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
