"""A worker's client of the run's store actor, with the interface of a ``Store``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augkit.core.model_types import Reply, Request
from augkit.core.results import Spent
from augkit.core.types import Cost, digest
from augkit.llm.reply_store import Key
from augkit.llm.wrappers.budget import Limit
from augkit.runs.engines.ray.session import Session, import_ray


@contextmanager
def start_actor(session: Session, path: Path) -> Iterator[Any]:
    """The store actor of the run with this file, on the machine that holds it."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    from augkit.runs.engines.ray.store_actor import StoreActor

    ray = import_ray()
    remote = ray.remote(StoreActor).options(
        name=f"augkit-store-{digest(str(path.absolute()))}",
        num_cpus=0,
        max_restarts=-1,
        max_task_retries=-1,
        scheduling_strategy=NodeAffinitySchedulingStrategy(session.node, soft=False),
    )
    actor = remote.remote(str(path.absolute()))
    try:
        yield actor
        result_of(actor.close.remote())
    finally:
        ray.kill(actor)


def result_of(reference: Any) -> Any:
    """The result of an actor's method; its error is raised here as it was raised there."""
    import ray

    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, Exception):
            raise error.cause from error
        raise


@dataclass(frozen=True)
class StoreClient:
    """One worker's client of the store actor."""

    actor: Any
    worker: int
    claims: bool = True
    """Whether to wait for a reply that another worker is asking for."""

    @property
    def replies(self) -> RemoteReplies:
        """The replies of the run."""
        return RemoteReplies(self, "")

    @property
    def spending(self) -> RemoteSpending:
        """What the run has spent."""
        return RemoteSpending(self.actor, self.worker)

    def shared(self, path: Path, *, waits: bool) -> RemoteReplies:  # noqa: ARG002 - the actor decides
        """Replies that runs share; the file is on the actor's machine."""
        return RemoteReplies(self, str(path.absolute()))

    def rate_limit(self, name: str, per_minute: float) -> RemoteRateLimit:
        """The rate limit of this name, for the whole run."""
        return RemoteRateLimit(self.actor, name, per_minute)

    def spent(self) -> Spent:
        """What the whole run has spent."""
        spent: Spent = result_of(self.actor.spent.remote())
        return spent

    def prompts(self) -> list[str]:
        """The prompts in the store."""
        return list(result_of(self.actor.prompts.remote()))

    def close(self) -> None:
        """Nothing to close: the actor has the files."""


@dataclass(frozen=True)
class RemoteReplies:
    """The actor's replies; ``cache`` is empty for the run's own, or the path of shared ones."""

    client: StoreClient
    cache: str

    def get(self, key: Key) -> Reply | None:
        """The recorded reply; None: ask, and then ``put`` or ``release``."""
        client = self.client
        find = client.actor.find.remote(client.worker, self.cache, key, client.claims)
        reply: Reply | None = result_of(find)
        return reply

    def put(self, key: Key, request: Request, reply: Reply) -> None:
        """Record a reply; it is on disk when this returns."""
        plain = replace(reply, answer=None)
        result_of(
            self.client.actor.put.remote(self.cache, key, replace(request, answer=None), plain)
        )

    def release(self, key: Key) -> None:
        """No usable reply was received: another worker may ask."""
        result_of(self.client.actor.release.remote(self.cache, key))


@dataclass(frozen=True)
class RemoteSpending:
    """The actor's entries of calls."""

    actor: Any
    worker: int

    def reserve(
        self, model: str, max_costs: Sequence[Cost], limit: Limit | None, *, priced: bool = True
    ) -> list[int]:
        """Enter these calls."""
        terms = (limit, priced)
        return list(result_of(self.actor.reserve.remote(self.worker, model, max_costs, terms)))

    def settle(self, entry: int, cost: Cost | None) -> None:
        """Report what a call cost."""
        result_of(self.actor.settle.remote(self.worker, entry, cost))


@dataclass(frozen=True)
class RemoteRateLimit:
    """A rate limit of the whole run."""

    actor: Any
    name: str
    per_minute: float

    def take(self, amount: float) -> float:
        """Take ``amount`` (negative: give back); seconds to wait before using it."""
        return float(result_of(self.actor.take.remote(self.name, self.per_minute, amount)))
