"""What a worker has of the run's store: the counter of the clerk, in the shape of a ``Store``.

Calls are entered and rates are taken in blocks, so that a worker asks the clerk once for several
calls; what is left of a block goes back when a shard of rows is done.
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
from augkit.core.types import Cost, digest
from augkit.llm.reply_store import Key
from augkit.llm.wrappers.spending import Limit, Spent
from augkit.runs.engines.ray.session import Session, imported

RATE_BLOCK_SECONDS = 0.25
"""At most so much of a rate is taken ahead, and what is not used within a second lapses."""
_LAPSE_SECONDS = 1.0


@contextmanager
def employed(session: Session, path: Path) -> Iterator[Any]:
    """A clerk for the run whose file this is, on the machine where it lies."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    from augkit.runs.engines.ray.store_actor import Clerk

    ray = imported()
    actor = ray.remote(Clerk).options(
        name=f"augkit-clerk-{digest(str(path.absolute()))}",
        num_cpus=0,
        max_restarts=-1,
        max_task_retries=-1,
        scheduling_strategy=NodeAffinitySchedulingStrategy(session.node, soft=False),
    )
    clerk = actor.remote(str(path.absolute()))
    try:
        yield clerk
        answer(clerk.close.remote())
    finally:
        ray.kill(clerk)


def answer(reference: Any) -> Any:
    """What an actor answers; its error is raised here as it was raised there."""
    import ray

    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, Exception):
            raise error.cause from error
        raise


@dataclass(frozen=True)
class Desk:
    """One worker's way to the clerk. ``block``: calls to be entered at a time."""

    clerk: Any
    seat: int
    block: int = 1
    claims: bool = True
    """Whether a question that another worker is asking is waited for."""
    spending: LeasedSpending = field(init=False)
    _rate_limits: dict[str, LeasedRateLimit] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """The spending is one for all models of the worker."""
        object.__setattr__(self, "spending", LeasedSpending(self.clerk, self.seat, self.block))

    @property
    def replies(self) -> RemoteReplies:
        """The answers of the run."""
        return RemoteReplies(self, "")

    def shared(self, path: Path, *, waits: bool) -> RemoteReplies:  # noqa: ARG002 - the clerk's
        """Answers that runs share; the file is on the clerk's machine."""
        return RemoteReplies(self, str(path.absolute()))

    def rate_limit(self, name: str, per_minute: float) -> LeasedRateLimit:
        """This worker's part of a rate of the whole run."""
        if name not in self._rate_limits:
            self._rate_limits[name] = LeasedRateLimit(
                lambda amount: float(answer(self.clerk.take.remote(name, per_minute, amount))),
                RATE_BLOCK_SECONDS * per_minute / 60.0,
            )
        return self._rate_limits[name]

    def spent(self) -> Spent:
        """What the whole run has spent."""
        spent: Spent = answer(self.clerk.spent.remote())
        return spent

    def prompts(self) -> list[str]:
        """The prompts that were answered."""
        return list(answer(self.clerk.prompts.remote()))

    def close(self) -> None:
        """Give back what was leased and not used."""
        self.spending.give_back()


@dataclass(frozen=True)
class RemoteReplies:
    """The clerk's answers; ``shelf`` is empty for the run's own, or the path of shared ones."""

    desk: Desk
    shelf: str

    def get(self, key: Key) -> Reply | None:
        """The recorded reply; None: ask, and then ``put`` or ``release``."""
        desk = self.desk
        asked = desk.clerk.find.remote(desk.seat, self.shelf, key, desk.claims)
        reply: Reply | None = answer(asked)
        return reply

    def put(self, key: Key, request: Request, reply: Reply) -> None:
        """Record a reply; it is on disk when this returns."""
        plain = replace(reply, answer=None)
        answer(self.desk.clerk.keep.remote(self.shelf, key, replace(request, answer=None), plain))

    def release(self, key: Key) -> None:
        """No usable reply came: another worker may ask."""
        answer(self.desk.clerk.release.remote(self.shelf, key))


class LeasedSpending:
    """Calls entered with the clerk in blocks. An entry serves any call that costs no more."""

    def __init__(self, clerk: Any, seat: int, block: int) -> None:
        """Nothing is leased yet."""
        self._clerk = clerk
        self._seat = seat
        self._block = block
        self._lock = threading.Lock()
        self._spare: dict[tuple[str, Cost], list[int]] = {}

    def reserve(
        self, model: str, max_costs: Sequence[Cost], limit: Limit | None, *, priced: bool = True
    ) -> list[int]:
        """Entries for these calls, of those at hand or of a new block."""
        with self._lock:  # one asks the clerk; the others then find the block
            entry = self._at_hand(model, most[0]) if len(most) == 1 else None
            if entry is not None:
                return [entry]
            if any(self._spare.values()):
                self._return_spare()
            ahead = self._block - 1 if len(most) == 1 else 0
            terms = (limit, priced, ahead)
            entries = list(answer(self._clerk.lease.remote(self._seat, model, list(most), terms)))
            if extra := entries[len(most) :]:
                self._spare[model, most[-1]] = extra
            return entries[: len(most)]

    def settle(self, entry: int, cost: Cost | None) -> None:
        """Tell what a call did cost; nobody waits for the clerk to write it down."""
        self._clerk.settle.remote(self._seat, [entry], cost)

    def give_back(self) -> None:
        """Return what is not used: it was no call and cost nothing."""
        with self._lock:
            self._return_spare()

    def _at_hand(self, model: str, most: Cost) -> int | None:
        for (of, enough), entries in self._spare.items():
            if entries and of == model and _covers(enough, most):
                return entries.pop()
        return None

    def _return_spare(self) -> None:
        unused = [entry for entries in self._spare.values() for entry in entries]
        self._spare.clear()
        # Also where nothing is left: what was settled before has then reached the clerk.
        answer(self._clerk.settle.remote(self._seat, unused, Cost()))


def _covers(enough: Cost, most: Cost) -> bool:
    return (
        enough.prompt_tokens >= most.prompt_tokens
        and enough.completion_tokens >= most.completion_tokens
        and enough.usd >= most.usd
    )


class LeasedRateLimit:
    """A rate of the whole run, taken from the clerk in blocks that soon lapse."""

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
        self._left = 0.0
        self._due = 0.0

    def take(self, amount: float) -> float:
        """Take ``amount`` (negative: give back); seconds to wait before using it."""
        if amount <= 0:
            return self._take(amount)
        with self._lock:
            now = self._clock()
            if self._left < amount or now > self._due + _LAPSE_SECONDS:
                asked = max(amount, self._block)
                wait = self._take(asked)
                self._due = self._clock() + wait
                self._left = asked
            self._left -= amount
            return max(0.0, self._due - now)
