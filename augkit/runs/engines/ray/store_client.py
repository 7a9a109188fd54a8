"""A worker's client of the run's store actor, with the interface of a ``Store``.

Calls are entered and rates are taken in blocks, so that a worker contacts the actor once for
several calls; the rest of a block is returned when a shard of rows is done.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from augkit.core.model_types import Reply, Request
from augkit.core.results import Spent
from augkit.core.types import Cost, digest
from augkit.llm.reply_store import Key
from augkit.llm.wrappers.budget import Limit
from augkit.runs.engines.ray.session import Session, import_ray

RATE_BLOCK_SECONDS = 0.25
"""At most this much of a rate is taken ahead."""
_LAPSE_SECONDS = 1.0
"""What is taken and not used within this time lapses."""


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
    """One worker's client of the store actor; ``block`` is how many calls it enters at a time."""

    actor: Any
    worker: int
    block: int = 1
    claims: bool = True
    """Whether to wait for a reply that another worker is asking for."""
    spending: LeasedSpending = field(init=False)
    _rate_limits: dict[str, LeasedRateLimit] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """All models of the worker share one ``spending``."""
        object.__setattr__(self, "spending", LeasedSpending(self.actor, self.worker, self.block))

    @property
    def replies(self) -> RemoteReplies:
        """The replies of the run."""
        return RemoteReplies(self, "")

    def shared(self, path: Path, *, waits: bool) -> RemoteReplies:  # noqa: ARG002 - the actor decides
        """Replies that runs share; the file is on the actor's machine."""
        return RemoteReplies(self, str(path.absolute()))

    def rate_limit(self, name: str, per_minute: float) -> LeasedRateLimit:
        """This worker's part of a rate limit of the whole run."""
        if name not in self._rate_limits:
            self._rate_limits[name] = LeasedRateLimit(
                lambda amount: float(result_of(self.actor.take.remote(name, per_minute, amount))),
                RATE_BLOCK_SECONDS * per_minute / 60.0,
            )
        return self._rate_limits[name]

    def spent(self) -> Spent:
        """What the whole run has spent."""
        spent: Spent = result_of(self.actor.spent.remote())
        return spent

    def prompts(self) -> list[str]:
        """The prompts in the store."""
        return list(result_of(self.actor.prompts.remote()))

    def close(self) -> None:
        """Return what was leased and not used."""
        self.spending.return_unused()


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


class LeasedSpending:
    """Calls entered in blocks. An entry serves any call that costs no more."""

    def __init__(self, actor: Any, worker: int, block: int) -> None:
        """Nothing is leased yet."""
        self._actor = actor
        self._worker = worker
        self._block = block
        self._lock = threading.Lock()
        self._spare: dict[tuple[str, Cost], list[int]] = {}

    def reserve(
        self, model: str, max_costs: Sequence[Cost], limit: Limit | None, *, priced: bool = True
    ) -> list[int]:
        """Entries for these calls, spare ones or a new block."""
        with self._lock:  # one thread fetches a block; the others then find it
            entry = self._take_spare(model, max_costs[0]) if len(max_costs) == 1 else None
            if entry is not None:
                return [entry]
            if any(self._spare.values()):
                self._return_spare()
            ahead = self._block - 1 if len(max_costs) == 1 else 0
            terms = (limit, priced, ahead)
            leased = self._actor.lease.remote(self._worker, model, list(max_costs), terms)
            entries = list(result_of(leased))
            if extra := entries[len(max_costs) :]:
                self._spare[model, max_costs[-1]] = extra
            return entries[: len(max_costs)]

    def settle(self, entry: int, cost: Cost | None) -> None:
        """Report what a call cost, without waiting for the actor to record it."""
        self._actor.settle.remote(self._worker, [entry], cost)

    def return_unused(self) -> None:
        """Return unused entries: they were no calls and cost nothing."""
        with self._lock:
            self._return_spare()

    def _take_spare(self, model: str, max_cost: Cost) -> int | None:
        for (spare_model, reserved), entries in self._spare.items():
            if (
                entries
                and spare_model == model
                and reserved.prompt_tokens >= max_cost.prompt_tokens
                and reserved.completion_tokens >= max_cost.completion_tokens
                and (reserved.usd or 0.0) >= (max_cost.usd or 0.0)
            ):
                return entries.pop()
        return None

    def _return_spare(self) -> None:
        unused = [entry for entries in self._spare.values() for entry in entries]
        self._spare.clear()
        # Also where nothing is left: earlier settlements have then reached the actor.
        result_of(self._actor.settle.remote(self._worker, unused, Cost()))


class LeasedRateLimit:
    """A rate limit of the whole run, taken in blocks that soon lapse."""

    def __init__(
        self,
        take: Callable[[float], float],
        block: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take at least ``block`` at a time by ``take``."""
        self._take = take
        self._block = block
        self._clock = clock
        self._lock = threading.Lock()
        self._remaining = 0.0
        self._due = 0.0

    def take(self, amount: float) -> float:
        """Take ``amount`` (negative: give back); seconds to wait before using it."""
        if amount <= 0:
            return self._take(amount)
        with self._lock:
            now = self._clock()
            if self._remaining < amount or now > self._due + _LAPSE_SECONDS:
                block = max(amount, self._block)
                wait = self._take(block)
                self._due = self._clock() + wait
                self._remaining = block
            self._remaining -= amount
            return max(0.0, self._due - now)
