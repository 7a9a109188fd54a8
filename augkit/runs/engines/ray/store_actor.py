"""One process that keeps the replies, the budget and the rate limits of a run for all workers.

It runs as a Ray actor on the machine of the run folder; workers reach it through ``store_client``.
All its methods are coroutines on one loop, so nothing here needs a lock, and those that wait look
again after each change. A worker that was killed loses its claims (``give_up``).
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from augkit.core.model_types import Reply, Request
from augkit.core.results import Spent
from augkit.core.types import Cost
from augkit.llm.reply_store import Key
from augkit.llm.stack import RunStore
from augkit.llm.wrappers.budget import Limit
from augkit.llm.wrappers.cache import Replies

T = TypeVar("T")


class StoreActor:
    """The store of a run; ``worker`` is the number of the worker that calls."""

    def __init__(self, path: str) -> None:
        """Open the run's file; no other process does."""
        self._store = RunStore(Path(path))
        self._claims: dict[tuple[str, str], int] = {}
        self._in_flight: defaultdict[int, set[int]] = defaultdict(set)
        self._changed = asyncio.Event()

    async def give_up(self, worker: int) -> None:
        """A worker was killed, with its node or not: its claims and its calls are given up."""
        for claim in [claim for claim, holder in self._claims.items() if holder == worker]:
            del self._claims[claim]
        for entry in self._in_flight.pop(worker, set()):
            self._store.spending.settle(entry, None)
        self._notify()

    async def find(self, worker: int, cache: str, key: Key, claim: bool) -> Reply | None:
        """A recorded reply, also one that another worker is asking for; None: the worker asks."""

        def look() -> tuple[Reply | None] | None:
            reply = self._replies(cache).get(key)
            holder = self._claims.get((cache, key.full), worker)
            if reply is None and claim and holder != worker:
                return None
            if reply is None and claim:
                self._claims[cache, key.full] = worker
            return (reply,)

        return (await self._when_found(look))[0]

    async def put(self, cache: str, key: Key, request: Request, reply: Reply) -> None:
        """Record a reply; it is on disk when this returns."""
        self._replies(cache).put(key, request, reply)
        await self.release(cache, key)

    async def release(self, cache: str, key: Key) -> None:
        """Give a claim up."""
        self._claims.pop((cache, key.full), None)
        self._notify()

    async def reserve(
        self, worker: int, model: str, max_costs: Sequence[Cost], terms: tuple[Limit | None, bool]
    ) -> list[int]:
        """Enter calls; beyond the limit of ``terms`` this waits for calls in flight.

        Where there are none it raises ``BudgetExhausted``.
        """
        limit, priced = terms
        entries = await self._when_found(
            lambda: self._store.spending.try_reserve(model, max_costs, limit, priced=priced)
        )
        self._in_flight[worker].update(entries)
        return entries

    async def settle(self, worker: int, entry: int, cost: Cost | None) -> None:
        """Replace the maximum of a call by its actual cost."""
        self._in_flight[worker].discard(entry)
        self._store.spending.settle(entry, cost)
        self._notify()

    async def take(self, name: str, per_minute: float, amount: float) -> float:
        """Take from a rate limit of the run; seconds to wait before using it."""
        return self._store.rate_limit(name, per_minute).take(amount)

    async def spent(self) -> Spent:
        """What the run has spent."""
        return self._store.spent()

    async def prompts(self) -> list[str]:
        """The prompts in the store."""
        return self._store.replies.prompts()

    async def close(self) -> None:
        """Close the file."""
        self._store.close()

    def _replies(self, cache: str) -> Replies:
        """The run's own replies, or the shared ones in the file ``cache``."""
        # Never one that waits: all workers would wait with it.
        return self._store.shared(Path(cache), waits=False) if cache else self._store.replies

    async def _when_found(self, look: Callable[[], T | None]) -> T:
        """The result of ``look``, now or after some change."""
        while (result := look()) is None:
            await self._changed.wait()
        return result

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
