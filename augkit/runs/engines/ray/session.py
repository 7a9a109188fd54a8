"""The connection to Ray: an existing cluster, or one on this machine that ends with the run."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from augkit.core.errors import BackendFailed, ConfigError, MissingExtra

_LOOK_SECONDS = 5.0
"""How often the head is looked for, and how long it has to answer."""
_RAY_WAITS = "RAY_gcs_rpc_server_reconnect_timeout_s"
"""Ray ends this process, without a word of ours, when the head has been gone for so long."""
_ENDING_SECONDS = 35.0
"""What the end of a run may take until then."""
_WATCH = "import sys; sys.stdin.buffer.read() or sys.exit(sys.argv[1])"
"""Waits for one byte. Where the other end is closed without it, it prints its argument."""
_LAST_WORDS = (
    "augkit: the Ray cluster is gone: Ray ended this command, which it does where the node on this "
    "machine or the head was killed. Finished work is kept: repeat the command (run: with --resume)"
)


class Link:
    """What this process knows of its cluster: whether the head, and this node, are still there."""

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        """The head is at ``address``, and answers now."""
        self._address, self._clock = address, clock
        self._looked = self._answered = clock()
        self._patience = max(
            _LOOK_SECONDS, float(os.environ.get(_RAY_WAITS, "60")) - _ENDING_SECONDS
        )
        self._reason = ""

    @property
    def is_lost(self) -> bool:
        """Whether Ray can be asked no more."""
        return bool(self._reason)

    def look(self) -> bool:
        """Whether the head was looked for, and answers; not more often than makes sense."""
        if self.is_lost:
            raise self.failure(self._reason)
        if self._clock() - self._looked < _LOOK_SECONDS:
            return False
        answers = self._answers()
        self._looked = self._clock()
        if answers:
            self._answered = self._looked
        elif self._looked - self._answered >= self._patience:
            since = round(self._looked - self._answered)
            raise self.failure(f"its head at {self._address} has not answered for {since} seconds")
        return answers

    def get(self, reference: Any) -> Any:
        """``ray.get`` that ends where the cluster does."""
        while not self.wait([reference], _LOOK_SECONDS):
            self.look()
        with self.asking():
            return import_ray().get(reference)

    def wait(self, references: list[Any], timeout: float) -> list[Any]:
        """A reference whose result is there, if one is within ``timeout`` seconds."""
        if not references:
            return []
        with self.asking():
            done: list[Any] = import_ray().wait(references, timeout=timeout)[0]
        return done

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Ray has an ``OSError``, such as a broken pipe, where this machine's node is gone."""
        try:
            yield
        except OSError as error:
            if isinstance(error, import_ray().exceptions.RayTaskError):  # a worker's error
                raise
            raise self.failure(f"its node on this machine does not answer ({error})") from error

    def failure(self, reason: str) -> BackendFailed:
        """The error for a cluster that is gone."""
        self._reason = reason
        return BackendFailed(
            f"the Ray cluster is gone: {reason}. Finished work is kept. Start the cluster again, "
            "or go on without it (--engine local)"
        )

    def _answers(self) -> bool:
        host, _, port = self._address.rpartition(":")
        try:
            with socket.create_connection((host.strip("[]"), int(port)), _LOOK_SECONDS):
                return True
        except OSError:
            return False


@dataclass(frozen=True)
class Session:
    """A Ray cluster that this process is connected to."""

    address: str
    node: str
    """The node of this process, which holds the run folder."""
    cpus: int
    """CPUs of all machines together."""
    link: Link


@contextmanager
def connect_ray(address: str | None, workers: int | None = None) -> Iterator[Session]:
    """Connect to the cluster at ``address``, or start one with ``workers`` processes here.

    A process that is connected already (a program of the user's) stays connected.
    """
    ray = import_ray()
    ours = not ray.is_initialized()
    with _last_words() if ours else nullcontext():
        yield from _connected(ray, address, workers, ours)


def _connected(ray: Any, address: str | None, workers: int | None, ours: bool) -> Iterator[Session]:
    if ours:
        _init(ray, address, workers)
    try:
        context = ray.get_runtime_context()
        cpus = int(ray.cluster_resources().get("CPU", 1))
        link = Link(context.gcs_address)
        yield Session(context.gcs_address, this_node(), max(1, cpus), link)
    finally:
        if ours:
            ray.shutdown()


@contextmanager
def _last_words() -> Iterator[None]:
    """A process that speaks for this one if Ray ends it: Ray exits at once, without an error."""
    watch = [sys.executable, "-S", "-E", "-c", _WATCH, _LAST_WORDS]
    with subprocess.Popen(  # noqa: S603 - constant words
        watch, stdin=subprocess.PIPE, start_new_session=True
    ) as process:
        try:
            yield
        finally:
            process.communicate(b".")


def this_node() -> str:
    """The id of the node that this process is on."""
    return str(import_ray().get_runtime_context().get_node_id())


def nodes_alive() -> set[str]:
    """The ids of the nodes that the head has not given up."""
    return {node["NodeID"] for node in import_ray().nodes() if node["Alive"]}


def import_ray() -> Any:
    """Ray, or an error that names the extra to install."""
    # Nothing is sent anywhere unless the user asks for it; Ray reads this when it is imported.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("ray", "--engine ray") from error
    return ray


def _init(ray: Any, address: str | None, workers: int | None) -> None:
    if address is not None and address.startswith("ray://"):
        raise ConfigError(
            f"--ray-address {address}: start the command on a machine of the cluster, whose disk "
            "then has the run folder, and give the address of the head: --ray-address HOST:6379"
        )
    target = {"address": "local", "num_cpus": workers} if address is None else {"address": address}
    try:
        ray.init(
            **target,
            include_dashboard=None if address else False,
            log_to_driver=False,
            logging_level="ERROR",
        )
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        where = f"--ray-address {address}: cannot connect" if address else "Ray does not start"
        reason = str(error).strip().splitlines()[0]
        raise BackendFailed(
            f"{where}: {reason}. Check that 'ray status' works on this machine (a cluster with a "
            "token needs RAY_AUTH_MODE=token and RAY_AUTH_TOKEN), and that all machines have the "
            "same versions of Python, Ray and augkit"
        ) from error
