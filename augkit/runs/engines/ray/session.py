"""A Ray to work on: one that is there, or one of our own that ends with the run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from augkit.core.errors import BackendFailed, ConfigError, MissingExtra


@dataclass(frozen=True)
class Session:
    """A Ray that this process has joined."""

    address: str
    node: str
    """The machine that this process runs on, where the run folder is."""
    cpus: int
    """Processors of all machines together."""


@contextmanager
def joined(address: str | None, workers: int | None = None) -> Iterator[Session]:
    """Join the Ray at ``address``, or start one with ``workers`` processes on this machine.

    A process that has joined one already (a program of the user's own) stays in it.
    """
    ray = imported()
    ours = not ray.is_initialized()
    if ours:
        _join(ray, address, workers)
    try:
        context = ray.get_runtime_context()
        cpus = int(ray.cluster_resources().get("CPU", 1))
        yield Session(context.gcs_address, context.get_node_id(), max(1, cpus))
    finally:
        if ours:
            ray.shutdown()


def imported() -> Any:
    """Ray, or what to do where it is not installed."""
    # Nothing is sent anywhere unless the user asks for it; Ray reads this when it is imported.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("ray", "--engine ray") from error
    return ray


def _join(ray: Any, address: str | None, workers: int | None) -> None:
    if address is not None and address.startswith("ray://"):
        raise ConfigError(
            f"--ray-address {address}: start the command on a machine of the cluster, whose disk "
            "then has the run folder, and give the address of the head: --ray-address HOST:6379"
        )
    how = {"address": "local", "num_cpus": workers} if address is None else {"address": address}
    try:
        ray.init(
            **how,
            include_dashboard=None if address else False,
            log_to_driver=False,
            logging_level="ERROR",
        )
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        where = f"--ray-address {address}: cannot join" if address else "Ray does not start"
        told = str(error).strip().splitlines()[0]
        raise BackendFailed(
            f"{where}: {told}. See that 'ray status' answers on this machine (a cluster with a "
            "token needs RAY_AUTH_MODE=token and RAY_AUTH_TOKEN), and that all machines have the "
            "same versions of Python, Ray and augkit"
        ) from error
