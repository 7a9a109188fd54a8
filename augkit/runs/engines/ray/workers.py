"""The two kinds of Ray workers: one applies functions to blocks, one holds models."""

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
from augkit.runs.engines.ray.actor_pool import ActorPool, Failure, actor_pool
from augkit.runs.engines.ray.session import Session, import_ray, this_node
from augkit.runs.engines.threads import run_in_threads
from augkit.runs.ledger import Chunk, Counts
from augkit.runs.row_work import StepSpec, Task, build_step, process_rows

_ROWS_PER_CALL = 16
"""Rows of a shard per call in flight: calls wait for the slowest only at the end of a shard."""

_FOLDERS = ("artifact", "fitted_finder", "classifier", "dataset_rows", "label_check")
"""The fields of a ``StepSpec`` that name folders."""
ArtifactFiles = dict[str, bytes]
"""Folders as they are sent to workers: field/file → content."""


@dataclass(frozen=True)
class WorkerSetup:
    """What every worker with models needs."""

    spec: StepSpec
    files: ArtifactFiles
    models: dict[str, str]
    """Tool → back end, as ``llm`` → ``openai:gpt-4o-mini``."""
    connection: ConnectOptions
    remote: bool
    """Whether the models take one request at a time, over the network."""


class FunctionWorker:
    """Applies functions to blocks; steps that they build are kept between calls."""

    def ready(self) -> str:
        """The node of the worker, once it has started."""
        return this_node()

    def work(self, number: int, job: tuple[Callable[[Any], Any], Any]) -> tuple[int, Any]:
        """The number with the result."""
        function, item = job
        try:
            return number, function(item)
        except AugkitError as error:
            return number, Failure.of(error)


class ModelWorker:
    """Holds the models and the augmenter; the store actor has the replies, budget and rates."""

    def __init__(self, number: int, setup: WorkerSetup, store: Any) -> None:
        """Connect to the store actor, maybe in place of a killed worker with this number."""
        from augkit.runs.engines.ray.store_client import StoreClient

        self._setup = setup
        self._store = StoreClient(store, number, claims=setup.remote)
        self._store.call("give_up", number)
        self._step: Step | None = None

    def ready(self) -> str:
        """The node of the worker, once it has started."""
        return this_node()

    def work(self, number: int, task: Task) -> tuple[int, Any]:
        """The number with the chunk of all rows of the shard."""
        try:
            step = self._load_step()
            if not self._setup.remote:
                return number, process_rows(step, task.layout, task.examples())
            return number, join_chunks(run_in_threads(step, [task], self._setup.connection.workers))
        except AugkitError as error:
            return number, Failure.of(error)

    def _load_step(self) -> Step:
        from augkit.llm.stack import open_llm

        if self._step is None:
            setup = self._setup
            llms = {
                tool: open_llm(spec, setup.connection, self._store)
                for tool, spec in setup.models.items()
            }
            tools = Tools(llm=llms.get("llm"), judge=llms.get("judge"))
            self._step = unpack_step(setup.spec, setup.files, tools)
        return self._step


@dataclass(frozen=True)
class FunctionPool:
    """A pool that maps functions over blocks, as local processes do."""

    actors: ActorPool

    def in_order(self, function: Callable[[Any], Any], items: Any) -> Iterator[Any]:
        """Results in the order of the items."""
        return self.actors.in_order((function, item) for item in items)


@contextmanager
def function_pool(session: Session, workers: int) -> Iterator[FunctionPool]:
    """Workers without models, at most one per CPU."""
    actor = import_ray().remote(FunctionWorker)
    size = min(workers, session.cpus)
    make = lambda options, _: actor.options(**options).remote()  # noqa: E731
    with actor_pool(make, size, session.link) as pool:
        yield FunctionPool(pool)


def model_chunks(
    session: Session, setup: WorkerSetup, store: Any, tasks: Iterator[Task]
) -> Iterator[Chunk]:
    """The chunks of all tasks, made by workers that share the calls in flight."""
    calls = setup.connection.workers if setup.remote else session.cpus
    size = min(session.cpus, calls)
    calls_each = max(1, calls // size)
    connection = setup.connection.model_copy(update={"workers": calls_each})
    ray = import_ray()
    shared_setup = ray.put(replace(setup, connection=connection))
    actor = ray.remote(ModelWorker)

    def make(options: dict[str, Any], index: int) -> Any:
        return actor.options(**options).remote(index + 1, shared_setup, store)

    def give_up(index: int) -> None:
        store.give_up.remote(index + 1)

    with actor_pool(make, size, session.link, give_up) as pool:
        shards = split(tasks, _ROWS_PER_CALL * calls_each) if setup.remote else tasks
        yield from pool.in_order(shards)


def split(tasks: Iterator[Task], rows: int) -> Iterator[Task]:
    """The tasks split into ones of at most ``rows`` rows."""
    for task in tasks:
        for start in range(0, len(task.indexes), rows):
            yield replace(task, indexes=task.indexes[start : start + rows])


def join_chunks(chunks: Iterator[Chunk]) -> Chunk:
    """Several consecutive chunks as one."""
    lines: list[list[bytes]] = [[], [], []]
    counts = Counts()
    for chunk in chunks:
        for collected, part in zip(lines, chunk.lines, strict=True):
            collected.append(part)
        counts.add(chunk.counts)
    variants, rejected, dataset = map(b"".join, lines)
    return Chunk((variants, rejected, dataset), counts)


def pack_folders(spec: StepSpec) -> ArtifactFiles:
    """The files of a step's folders, to be sent to other machines."""
    return {
        f"{name}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for name in _FOLDERS
        if (folder := getattr(spec, name))
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


def unpack_step(spec: StepSpec, files: ArtifactFiles, tools: Tools) -> Step:
    """The step, on a machine without the run folder."""
    with TemporaryDirectory(prefix="augkit-") as folder:
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        unpacked: dict[str, Any] = {
            name: str(Path(folder, name)) for name in _FOLDERS if getattr(spec, name)
        }
        return build_step(replace(spec, **unpacked), tools)


@dataclass(frozen=True)
class StoredSpec:
    """A spec, and the reference to the files of its folders in Ray's object store."""

    spec: StepSpec
    files: Any


def offline_chunk(job: tuple[StoredSpec, Task]) -> Chunk:
    """The chunk of one block, made by a worker without models."""
    spec, task = job
    return process_rows(_cached_step(spec), task.layout, task.examples())


@lru_cache(maxsize=1)
def _cached_step(stored: StoredSpec) -> Step:
    return unpack_step(stored.spec, import_ray().get(stored.files), Tools())


def store_spec(spec: StepSpec) -> StoredSpec:
    """The spec with its files in Ray's object store, put there once for all workers."""
    return StoredSpec(spec, import_ray().put(pack_folders(spec)))
