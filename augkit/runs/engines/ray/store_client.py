"""A worker's client of the run's store actor, with the interface of a ``Store``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augkit.core.model_types import Reply, Request
from augkit.core.results import Spent
from augkit.core.types import Cost, digest
from augkit.llm.reply_store import Key
from augkit.llm.wrappers.budget import Limit
from augkit.runs.engines.ray.session import Link, Session, import_ray

_CLOSE_SECONDS = 5.0


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
        result_of(actor.close.remote(), session.link)
    finally:
        if session.link.is_lost:  # without the head nobody is killed, but no more calls are made
            with suppress(ray.exceptions.RayError, OSError):
                ray.get(actor.close.remote(), timeout=_CLOSE_SECONDS)
        ray.kill(actor)


def result_of(reference: Any, link: Link | None = None) -> Any:
    """The result of an actor's method; its error is raised here as it was raised there.

    With a ``link`` this ends where the cluster does; workers end with their nodes.
    """
    import ray

    try:
        return ray.get(reference) if link is None else link.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, Exception):
            raise error.cause from error
        raise
    except ray.exceptions.ActorDiedError as error:
        if link is None:
            raise
        raise link.failure("it has ended the actor that keeps the answers") from error


@dataclass(frozen=True)
class StoreClient:
    """One worker's client of the store actor."""

    actor: Any
    worker: int
    claims: bool = True
    """Whether to wait for a reply that another worker is asking for."""
    link: Link | None = None
    path: Path | None = None
    """The file of the actor, on its machine."""

    @property
    def replies(self) -> RemoteReplies:
        """The replies of the run."""
        return RemoteReplies(self, "")

    @property
    def spending(self) -> RemoteSpending:
        """What the run has spent."""
        return RemoteSpending(self)

    def shared(self, path: Path, *, waits: bool) -> RemoteReplies:  # noqa: ARG002 - the actor decides
        """Replies that runs share; the file is on the actor's machine."""
        return RemoteReplies(self, str(path.absolute()))

    def rate_limit(self, name: str, per_minute: float) -> RemoteRateLimit:
        """The rate limit of this name, for the whole run."""
        return RemoteRateLimit(self, name, per_minute)

    def spent(self) -> Spent:
        """What the whole run has spent."""
        spent: Spent = self._read("spent")
        return spent

    def prompts(self) -> list[str]:
        """The prompts in the store."""
        return list(self._read("prompts"))

    def close(self) -> None:
        """Nothing to close: the actor has the files."""

    def call(self, method: str, *values: Any) -> Any:
        """What a method of the actor returns."""
        return result_of(getattr(self.actor, method).remote(*values), self.link)

    def _read(self, method: str) -> Any:
        if self.link is None or self.path is None or not self.link.is_lost:
            return self.call(method)
        from augkit.llm.stack import RunStore

        with closing(RunStore(self.path)) as store:  # the cluster is gone, its file is not
            return getattr(store, method)()


@dataclass(frozen=True)
class RemoteReplies:
    """The actor's replies; ``cache`` is empty for the run's own, or the path of shared ones."""

    client: StoreClient
    cache: str

    def get(self, key: Key) -> Reply | None:
        """The recorded reply; None: ask, and then ``put`` or ``release``."""
        client = self.client
        reply: Reply | None = client.call("find", client.worker, self.cache, key, client.claims)
        return reply

    def put(self, key: Key, request: Request, reply: Reply) -> None:
        """Record a reply; it is on disk when this returns."""
        plain = replace(reply, answer=None)
        self.client.call("put", self.cache, key, replace(request, answer=None), plain)

    def release(self, key: Key) -> None:
        """No usable reply was received: another worker may ask."""
        self.client.call("release", self.cache, key)


@dataclass(frozen=True)
class RemoteSpending:
    """The actor's entries of calls."""

    client: StoreClient

    def reserve(
        self, model: str, max_costs: Sequence[Cost], limit: Limit | None, *, priced: bool = True
    ) -> list[int]:
        """Enter these calls."""
        terms = (limit, priced)
        return list(self.client.call("reserve", self.client.worker, model, max_costs, terms))

    def settle(self, entry: int, cost: Cost | None) -> None:
        """Report what a call cost."""
        self.client.call("settle", self.client.worker, entry, cost)


@dataclass(frozen=True)
class RemoteRateLimit:
    """A rate limit of the whole run."""

    client: StoreClient
    name: str
    per_minute: float

    def take(self, amount: float) -> float:
        """Take ``amount`` (negative: give back); seconds to wait before using it."""
        return float(self.client.call("take", self.name, self.per_minute, amount))
