"""The clerk: one process that keeps a run's answers, its budget and its rate for all workers.

It runs as a Ray actor on the machine of the run folder and is asked by ``desk``. All its methods
are coroutines on one loop, so that nothing here needs a lock; whoever must wait is woken by the
next change. A worker that was killed and comes again (``arrive``) loses what it had claimed.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from augkit.core.model_types import Reply, Request
from augkit.core.types import Cost
from augkit.llm.reply_store import Key
from augkit.llm.stack import RunStore
from augkit.llm.wrappers.cache import Replies
from augkit.llm.wrappers.spending import Limit, Spent

T = TypeVar("T")


class Clerk:
    """The store of a run behind a counter; ``seat`` is the number of the worker that asks."""

    def __init__(self, path: str) -> None:
        """Open the run's file, here and nowhere else."""
        self._store = RunStore(Path(path))
        self._claims: dict[tuple[str, str], int] = {}
        self._leased: defaultdict[int, set[int]] = defaultdict(set)
        self._changed = asyncio.Event()

    async def arrive(self, seat: int) -> None:
        """A worker begins: of one that had this seat and was killed, nothing is waited for."""
        for claim in [claim for claim, holder in self._claims.items() if holder == seat]:
            del self._claims[claim]
        for entry in self._leased.pop(seat, set()):
            self._store.spending.settle(entry, None)
        self._tell()

    async def find(self, seat: int, shelf: str, key: Key, claim: bool) -> Reply | None:
        """A recorded reply; None: the worker is to ask. Another's question is waited for."""

        def look() -> tuple[Reply | None] | None:
            reply = self._shelf(shelf).get(key)
            holder = self._claims.get((shelf, key.full), seat)
            if reply is None and claim and holder != seat:
                return None
            if reply is None and claim:
                self._claims[shelf, key.full] = seat
            return (reply,)

        return (await self._once(look))[0]

    async def keep(self, shelf: str, key: Key, request: Request, reply: Reply) -> None:
        """Record a reply; it is on disk when this returns."""
        self._shelf(shelf).put(key, request, reply)
        await self.release(shelf, key)

    async def release(self, shelf: str, key: Key) -> None:
        """Whoever waits for this answer looks again."""
        self._claims.pop((shelf, key.full), None)
        self._tell()

    async def lease(
        self, seat: int, model: str, max_costs: Sequence[Cost], terms: tuple[Limit | None, bool, int]
    ) -> list[int]:
        """Enter calls in the spending, and as many spare ones like the last as ``terms`` ask for.

        Near the limit there are no spare ones; beyond it this waits for calls under way, or
        raises ``BudgetExhausted`` where there are none.
        """
        limit, priced, spare = terms
        spending = self._store.spending
        block = [*most, *[most[-1]] * spare]
        wanted = block if limit is None or spending.fits(block, limit) else most
        entries = await self._once(lambda: spending.try_reserve(model, wanted, limit, priced=priced))
        self._leased[seat].update(entries)
        return entries

    async def settle(self, seat: int, entries: Sequence[int], cost: Cost | None) -> None:
        """Replace the most of leased calls by what each did cost."""
        for entry in entries:
            self._leased[seat].discard(entry)
            self._store.spending.settle(entry, cost)
        self._tell()

    async def take(self, name: str, per_minute: float, amount: float) -> float:
        """A part of the run's rate_limit: seconds to wait before it is used."""
        return self._store.rate_limit(name, per_minute).take(amount)

    async def spent(self) -> Spent:
        """What the run has spent."""
        return self._store.spent()

    async def prompts(self) -> list[str]:
        """The prompts that were answered."""
        return self._store.replies.prompts()

    async def close(self) -> None:
        """Fold the file's log into it."""
        self._store.close()

    def _shelf(self, shelf: str) -> Replies:
        """The run's own answers, or the file of shared ones that is named."""
        # Never one that waits: all workers would wait with it.
        return self._store.shared(Path(shelf), waits=False) if shelf else self._store.replies

    async def _once(self, look: Callable[[], T | None]) -> T:
        """What ``look`` finds, now or after some change."""
        while (found := look()) is None:
            await self._changed.wait()
        return found

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
