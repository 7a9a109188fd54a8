"""The two kinds of workers: one that applies a function, one that holds models and their desk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from augkit.core.errors import AugkitError
from augkit.core.protocols import Step, Tools
from augkit.llm.settings import ConnectOptions
from augkit.runs.counts import Tally
from augkit.runs.engines.local import Task, in_threads
from augkit.runs.engines.ray.actor_pool import Crew, Failure, crew
from augkit.runs.engines.ray.session import Session, imported
from augkit.runs.ledger import Chunk
from augkit.runs.row_work import Recipe, build_step, process_rows

_ROWS_PER_CALL = 16
"""Rows of a shard per call in flight: at its end calls wait for the slowest, once in so many."""

Packed = dict[str, bytes]
"""What a method learnt, as it travels: file → content."""


@dataclass(frozen=True)
class Orders:
    """What every worker with models is told once."""

    recipe: Recipe
    packed: Packed
    models: dict[str, str]
    """Tool → back end, as ``llm`` → ``openai:gpt-4o-mini``."""
    connection: ConnectOptions
    remote: bool
    """Whether the models answer one request at a time, over the network."""


class FunctionWorker:
    """Applies functions of blocks; what they make of a recipe is kept between calls."""

    def ready(self) -> None:
        """Answers once the worker is there."""

    def work(self, number: int, job: tuple[Callable[[Any], Any], Any]) -> tuple[int, Any]:
        """The number with the result."""
        function, item = job
        try:
            return number, function(item)
        except AugkitError as error:
            return number, Failure.of(error)


class ModelWorker:
    """Holds the models and the augmenter; answers, budget and rate are the clerk's."""

    def __init__(self, seat: int, orders: Orders, clerk: Any) -> None:
        """Take the seat, which another may have had who was killed."""
        from augkit.runs.engines.ray.store_client import Desk, answer

        answer(clerk.arrive.remote(seat))
        self._orders = orders
        self._desk = Desk(clerk, seat, orders.connection.workers, claims=orders.remote)
        self._step: Step | None = None

    def ready(self) -> None:
        """Answers once the worker is there."""

    def work(self, number: int, task: Task) -> tuple[int, Any]:
        """The number with the chunk of all rows of the shard."""
        try:
            step = self._built()
            if not self._orders.remote:
                return number, process_rows(step, task.shape, task.examples(), task.selected)
            return number, joined_chunks(in_threads(step, [task], self._orders.connection.workers))
        except AugkitError as error:
            return number, Failure.of(error)
        finally:
            self._desk.close()

    def _built(self) -> Step:
        from augkit.llm.stack import open_llm

        if self._step is None:
            orders = self._orders
            opened = {
                tool: open_llm(spec, orders.connection, self._desk)
                for tool, spec in orders.models.items()
            }
            self._step = unpacked_step(orders.recipe, orders.packed, Tools(**opened))
        return self._step


@dataclass(frozen=True)
class FunctionCrew:
    """A pool that maps functions over blocks, as local processes do."""

    crew: Crew

    def in_order(self, function: Callable[[Any], Any], items: Any) -> Iterator[Any]:
        """Results in the order of the items."""
        return self.crew.in_order((function, item) for item in items)


@contextmanager
def function_crew(session: Session, workers: int) -> Iterator[FunctionCrew]:
    """Workers without models, one a processor."""
    actor = imported().remote(FunctionWorker)
    with crew(
        lambda options, _number: actor.options(**options).remote(), min(workers, session.cpus)
    ) as made:
        yield FunctionCrew(made)


def model_chunks(
    session: Session, orders: Orders, clerk: Any, tasks: Iterator[Task]
) -> Iterator[Chunk]:
    """The work on all tasks, by workers that share the calls in flight among them."""
    calls = orders.connection.workers if orders.remote else session.cpus
    size = min(session.cpus, calls)
    each = max(1, calls // size)
    connection = orders.connection.model_copy(update={"workers": each})
    ray = imported()
    told = ray.put(replace(orders, connection=connection))
    actor = ray.remote(ModelWorker)

    def make(options: dict[str, Any], seat: int) -> Any:
        return actor.options(**options).remote(seat + 1, told, clerk)

    with crew(make, size) as made:
        shards = split(tasks, _ROWS_PER_CALL * each) if orders.remote else tasks
        yield from made.in_order(shards)


def split(tasks: Iterator[Task], rows: int) -> Iterator[Task]:
    """Tasks of at most so many rows, of the same blocks."""
    for task in tasks:
        done, end = task.done, task.block.count
        while done < end:
            count = min(rows, end - done)
            selected = max(0, min(count, task.selected - (done - task.done)))
            yield replace(task, done=done, selected=selected, count=count)
            done += count


def joined_chunks(chunks: Iterator[Chunk]) -> Chunk:
    """One chunk of several, in their order."""
    lines: list[list[bytes]] = [[], [], []]
    tally = Tally()
    for chunk in chunks:
        for collected, part in zip(lines, chunk.lines, strict=True):
            collected.append(part)
        tally.add(chunk.tally)
    variants, rejected, dataset = map(b"".join, lines)
    return Chunk((variants, rejected, dataset), tally)


def packed(artifact: str) -> Packed:
    """The files of an artifact's folder, to be sent to other machines."""
    home = Path(artifact)
    files = sorted(path for path in home.rglob("*") if path.is_file()) if artifact else []
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in files}


def unpacked_step(recipe: Recipe, files: Packed, tools: Tools) -> Step:
    """The step with what it learnt, on a machine that has not got the run folder."""
    if not files:
        return build_step(recipe, tools)
    with TemporaryDirectory(prefix="augkit-") as place:
        for name, content in files.items():
            path = Path(place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return build_step(replace(recipe, artifact=place), tools)


@dataclass(frozen=True)
class SentRecipe:
    """A recipe, and where in Ray's store the files of its artifact are."""

    recipe: Recipe
    files: Any


def offline_chunk(job: tuple[SentRecipe, Task]) -> Chunk:
    """The work on one block by a worker without models."""
    sent, task = job
    return process_rows(_kept_step(sent), task.shape, task.examples(), task.selected)


@lru_cache(maxsize=1)
def _kept_step(sent: SentRecipe) -> Step:
    return unpacked_step(sent.recipe, imported().get(sent.files), Tools())


def sent(recipe: Recipe) -> SentRecipe:
    """The recipe with its files in Ray's store, put there once for all workers."""
    return SentRecipe(replace(recipe, artifact=""), imported().put(packed(recipe.artifact)))
