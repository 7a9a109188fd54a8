"""The work on a Ray cluster: blocks of rows as tasks, and their chunks in the order of the rows.

Ray itself repeats a task whose worker or node is lost. What is left for this module: to send only
a few tasks for each processor, and to end with a sentence where the cluster is gone.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import lru_cache
from multiprocessing import parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from augkit.core.errors import BackendFailed, ConfigError, MissingExtra
from augkit.core.process_memory import set_up_memory
from augkit.core.protocols import Step, Tools
from augkit.runs.engines.processes import AHEAD
from augkit.runs.ledger import Chunk
from augkit.runs.row_work import StepSpec, Task, build_step, process_rows

_RETRIES = 10
"""How often a block is done again after its worker or its node was lost."""
_LOOK_SECONDS = 5.0
"""How often the cluster is looked at, and how long its head has to answer."""
_NODE_SECONDS = 300.0
"""So long a cluster may have no processor: another machine takes minutes to start."""
_RAY_WAITS = "RAY_gcs_rpc_server_reconnect_timeout_s"
"""Ray ends this process without a word when the head of the cluster has been gone for so long."""
_HEAD_SECONDS = float(os.environ.get(_RAY_WAITS, "60")) / 2
"""So long it may be gone for us, who have a word to say."""
_FOLDERS = ("artifact", "fitted_finder", "classifier")
"""The fields of a ``StepSpec`` that name folders, without those for language models."""


class RayCluster:
    """A cluster that this process is connected to."""

    def __init__(self, workers: int | None) -> None:
        """Use all processors of the cluster, or no more than ``workers`` of them."""
        ray = import_ray()
        self.address = str(ray.get_runtime_context().gcs_address)
        cpus = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._window = cpus * AHEAD
        if workers is not None and workers < cpus:
            self._window = workers  # Ray would start the tasks that wait beyond them
        self._looked = time.monotonic()
        self._worked = self._looked

    def chunks(self, spec: StepSpec, tasks: Iterable[Task]) -> Iterator[Chunk]:
        """Work through the tasks; every worker builds the step of ``spec`` once."""
        ray = import_ray()
        work = ray.remote(num_cpus=1, max_retries=_RETRIES)(_work)
        pending: deque[Future[Chunk]] = deque()
        with _errors_of_ray():
            stored = ray.put((spec, pack_folders(spec)))
        for task in tasks:
            with _errors_of_ray():
                # In a list, because Ray would replace the bare reference by its content.
                pending.append(work.remote([stored], task).future())
            if len(pending) >= self._window:
                yield self._result(pending.popleft())
        while pending:
            yield self._result(pending.popleft())

    def _result(self, future: Future[Chunk]) -> Chunk:
        """Wait for a task, and look at the cluster meanwhile."""
        with _errors_of_ray():
            # Not by ``ray.get``: it swallows what a handler of signals raises.
            while not wait([future], _LOOK_SECONDS).done:
                self._look()
            self._look()
            return future.result()

    def _look(self) -> None:
        """Raise an error where the cluster has been unable to work for too long."""
        now = time.monotonic()
        if now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        if not _answers(self.address):
            fault = f"its head at {self.address} has not answered"
            most = _HEAD_SECONDS
        elif not import_ray().cluster_resources().get("CPU"):
            fault = "no node of it has had a processor"
            most = _NODE_SECONDS
        else:
            self._worked = now
            return
        if now - self._worked > most:
            raise _gone(f"{fault} for {now - self._worked:.0f} seconds")


@contextmanager
def connect_ray(address: str | None, workers: int | None, advice: str) -> Iterator[RayCluster]:
    """Connect to the cluster at ``address``, or start one with ``workers`` processes here.

    A process that is connected already (a program of the user's) stays connected. ``advice`` says
    how to go on where Ray ends this process.
    """
    ray = import_ray()
    if ray.is_initialized():
        yield RayCluster(workers)
        return
    with ExitStack() as closing:
        if parent_process() is None:  # in a worker process of a study, the parent speaks
            closing.enter_context(_last_words(advice))
        closing.callback(ray.shutdown)
        _init(address, workers)
        yield RayCluster(workers)


def check_ray(address: str | None) -> None:
    """Raise an error where Ray is not installed, or its head is not at the ``address``."""
    import_ray()
    if address is None or ":" not in address:  # "auto"
        return
    if address.startswith("ray://"):
        raise ConfigError(
            f"ray_address={address}: start the command on a machine of the cluster, whose disk "
            "then has the run folder, and give the address of the head: --set ray_address=HOST:6379"
        )
    if not _answers(address):  # Ray would try for many minutes
        raise _not_connected(f"ray_address={address}: cannot connect: nothing answers there")


def _init(address: str | None, workers: int | None) -> None:
    check_ray(address)
    where = {"address": "local", "num_cpus": workers, "include_dashboard": False}
    if address is not None:
        where = {"address": address}
    before = signal.getsignal(signal.SIGTERM)
    try:
        import_ray().init(**where, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        fault = f"ray_address={address}: cannot connect" if address else "Ray does not start"
        raise _not_connected(f"{fault}: {str(error).strip().splitlines()[0]}") from error
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)  # Ray has set a handler of its own


def _not_connected(fault: str) -> BackendFailed:
    return BackendFailed(
        f"{fault}. Check that 'ray status' works on this machine (a cluster with a token needs "
        "RAY_AUTH_MODE=token and RAY_AUTH_TOKEN), and that all machines have the same versions of "
        "Python, Ray and augkit"
    )


@contextmanager
def _last_words(advice: str) -> Iterator[None]:
    """Start a process that speaks for this one if Ray ends it: Ray exits without an error."""
    words = (
        "augkit: this command was ended before its work was done. Ray does so where the head of "
        f"the cluster, or its node on this machine, is lost. Finished work is kept: {advice}"
    )
    # It waits for one byte. Where the pipe is closed without it, it prints the words.
    watch = "import sys; sys.stdin.buffer.read() or sys.exit(sys.argv[1])"
    with subprocess.Popen(  # noqa: S603 - the words are no command
        [sys.executable, "-S", "-E", "-c", watch, words],
        stdin=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            yield
        finally:
            process.communicate(b".")


@contextmanager
def _errors_of_ray() -> Iterator[None]:
    """Raise the error of a task as it was, and a fault of the cluster as one of ours."""
    ray = import_ray()
    try:
        yield
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except (ray.exceptions.RayError, OSError) as error:
        # Ray has an ``OSError``, such as a broken pipe, where the node on this machine is gone.
        raise _gone(f"{type(error).__name__}: {str(error).strip().splitlines()[0]}") from error


def _gone(reason: str) -> BackendFailed:
    return BackendFailed(
        f"the Ray cluster cannot go on with the work: {reason}. Finished work is kept. Start the "
        "cluster again, or go on without it (--set engine=local)"
    )


def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _LOOK_SECONDS):
            return True
    except (OSError, ValueError):  # also where it is no port
        return False


def _work(stored: list[Any], task: Task) -> Chunk:
    """Process the rows of a task in a worker."""
    return process_rows(_step(stored[0]), task.layout, task.examples())


@lru_cache(maxsize=1)
def _step(stored: Any) -> Step:
    set_up_memory()
    spec, files = import_ray().get(stored)
    return unpack_step(spec, files)


def pack_folders(spec: StepSpec) -> dict[str, bytes]:
    """Read the files of a step's folders, as field/file → content, to send them to workers."""
    files: dict[str, bytes] = {}
    for field in _FOLDERS:
        folder = getattr(spec, field)
        if not folder:
            continue
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                files[f"{field}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    return files


def unpack_step(spec: StepSpec, files: dict[str, bytes]) -> Step:
    """Build the step on a machine without the run folder, from the ``files`` of its folders."""
    with TemporaryDirectory(prefix="augkit-") as place:
        for name, content in files.items():
            path = Path(place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        folders: dict[str, Any] = {
            field: str(Path(place, field)) for field in _FOLDERS if getattr(spec, field)
        }
        return build_step(replace(spec, **folders), Tools())


def import_ray() -> Any:
    """Import Ray, or raise an error that names the extra to install."""
    # Nothing is sent anywhere unless the user asks for it; Ray reads this when it is imported.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("ray", "engine=ray") from error
    return ray
