"""Rows in threads: what a method hears of them before, and what comes out."""

import signal
import threading
from dataclasses import replace

import pytest

from augkit.augmenters.base import Augmenter
from augkit.augmenters.compose import gated
from augkit.core.config import MethodConfig
from augkit.core.errors import Stopped
from augkit.core.protocols import Gate
from augkit.core.types import Variant
from augkit.datasets.load import open_dataset
from augkit.runs import row_work
from augkit.runs.engines.threads import run_in_threads, run_serial
from augkit.runs.row_work import RowLayout, Task


class Listener(Augmenter[MethodConfig]):
    """Shouts, and notes which rows it heard of."""

    name = "listener"
    Config = MethodConfig

    def __init__(self, config, tools=None):
        super().__init__(config, tools)
        self.heard = []

    def prefetch(self, examples):
        self.heard.append([row.fields["text"] for row in examples])

    def propose(self, batch):
        for row in batch:
            yield Variant(row, {"text": row.fields["text"].upper()}, row.label, "kept")


class AllPass(Gate):
    name = "all pass"

    def __call__(self, pair):
        return ""


def tasks(path, selected):
    dataset = open_dataset(str(path))
    layout = RowLayout(dataset.schema, "append", 3)
    return [
        Task(dataset.name, block, {}, layout, range(block.count), frozenset(range(selected)))
        for block in dataset.blocks()
    ]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 4])
def test_a_method_hears_of_all_its_rows_some_at_a_time(write_rows, workers):
    """As many together as there are threads, in their order; of rows beyond the limit never."""
    path = write_rows([{"text": f"row {n}", "label": "a"} for n in range(300)])
    for wrapped in (lambda step: step, lambda step: gated(step, AllPass())):
        listener = Listener(MethodConfig())
        chunks = list(run_in_threads(wrapped(listener), tasks(path, 250), workers))
        assert max(len(some) for some in listener.heard) == workers
        assert [text for some in listener.heard for text in some] == [
            f"row {n}" for n in range(250)
        ]
        assert sum(chunk.counts.accepted for chunk in chunks) == 250
        assert b"".join(chunk.lines[0] for chunk in chunks).count(b"\n") == 250


class Waiting(Listener):
    """Waits until its calls are interrupted."""

    name = "waiting"

    def __init__(self, config, tools=None):
        super().__init__(config, tools)
        self.begun, self.interrupted = threading.Event(), threading.Event()

    def propose(self, batch):
        self.begun.set()
        self.interrupted.wait()
        return super().propose(batch)


def test_threads_of_a_stopped_run_do_not_wait_for_their_calls(write_rows):
    """A signal while rows are read interrupts the calls, and the threads end."""
    waiting = Waiting(MethodConfig())

    def rows():
        yield from tasks(write_rows([{"text": "row", "label": "a"}]), 1)
        waiting.begun.wait()
        raise Stopped(signal.SIGTERM)

    with pytest.raises(Stopped):
        list(run_in_threads(waiting, rows(), 1, waiting.interrupted.set))
    assert waiting.interrupted.is_set()


def test_rows_of_a_block_are_reported_while_it_is_worked_on(write_rows, monkeypatch):
    """A block of many slow rows is not silent: the rows that are done are counted on."""
    monkeypatch.setattr(row_work, "_REPORT_EVERY", 0.0)
    (task,) = tasks(write_rows([{"text": f"row {n}", "label": "a"} for n in range(6)]), 6)
    reports = []
    step = Listener(MethodConfig())
    chunks = list(run_serial(step, [task, task], reports.append))
    assert [chunk.counts.selected for chunk in chunks] == [6, 6]
    assert reports == list(range(12))
    assert [chunk.lines for chunk in run_serial(step, [task])] == [chunks[0].lines]


@pytest.mark.parametrize("read", [2, 4, 9])
def test_rows_for_a_local_model_are_parted_by_their_number(write_rows, read):
    """Whatever the blocks are: so many rows to augment in each part, and the same lines in all."""
    (task,) = tasks(write_rows([{"text": f"row {n}", "label": "a"} for n in range(9)]), 9)
    indexes = [range(start, min(9, start + read)) for start in range(0, 9, read)]
    examples = [replace(task, indexes=some) for some in indexes]
    step = Listener(MethodConfig())
    blocks = [chunk.lines for chunk in run_serial(step, examples)]
    chunks = list(run_serial(step, examples, size=4))
    assert [chunk.counts.selected for chunk in chunks] == [4, 4, 1]
    parts = [chunk.lines for chunk in chunks]
    assert [b"".join(lines) for lines in zip(*parts, strict=True)] == [
        b"".join(lines) for lines in zip(*blocks, strict=True)
    ]


def test_rows_beside_those_for_a_local_model_stay_in_their_order(write_rows):
    """Rows that are not augmented come along, in the part that they follow."""
    (task,) = tasks(write_rows([{"text": f"row {n}", "label": "a"} for n in range(6)]), 6)
    some = replace(task, augmented=frozenset({1, 3, 4}))
    chunks = list(run_serial(Listener(MethodConfig()), [some], size=2))
    assert [(chunk.counts.read, chunk.counts.selected) for chunk in chunks] == [(4, 2), (2, 1)]
