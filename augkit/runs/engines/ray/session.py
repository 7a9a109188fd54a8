"""The connection to Ray: an existing cluster, or one on this machine that ends with the run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from augkit.core.errors import BackendFailed, ConfigError, MissingExtra


@dataclass(frozen=True)
class Session:
    """A Ray cluster that this process is connected to."""

    address: str
    node: str
    """The node of this process, which holds the run folder."""
    cpus: int
    """CPUs of all machines together."""


@contextmanager
def connect_ray(address: str | None, workers: int | None = None) -> Iterator[Session]:
    """Connect to the cluster at ``address``, or start one with ``workers`` processes here.

    A process that is connected already (a program of the user's) stays connected.
    """
    ray = import_ray()
    ours = not ray.is_initialized()
    if ours:
        _init(ray, address, workers)
    try:
        context = ray.get_runtime_context()
        cpus = int(ray.cluster_resources().get("CPU", 1))
        yield Session(context.gcs_address, context.get_node_id(), max(1, cpus))
    finally:
        if ours:
            ray.shutdown()


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
