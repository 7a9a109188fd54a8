"""What a run has spent: every call is entered before it is made, and settled after.

The entries are in the run's sqlite file, so a killed and resumed run still counts calls that were
in flight. All models of a run share one budget.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from typing import Literal, NamedTuple

from augkit.core.errors import BudgetExhausted
from augkit.core.types import FREE, Cost
from augkit.llm.database import Database
from augkit.text.printable import counted

SCHEMA = """
CREATE TABLE IF NOT EXISTS spend (
    id INTEGER PRIMARY KEY, model TEXT NOT NULL, settled INTEGER NOT NULL, calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, usd REAL NOT NULL,
    priced INTEGER NOT NULL, created REAL NOT NULL
);
"""

ROUNDING = 1e-9
"""Sums of prices are not exact: the limit may be exceeded by this much."""

Unit = Literal["usd", "tokens", "calls"]


class Limit(NamedTuple):
    """The limit of a budget."""

    amount: float
    unit: Unit

    def share(self, cost: Cost) -> float:
        """The part of a cost that counts towards this limit."""
        if self.unit == "usd":
            return cost.usd or 0.0
        return cost.calls if self.unit == "calls" else cost.prompt_tokens + cost.completion_tokens

    def __str__(self) -> str:
        """The amount with its unit."""
        if self.unit == "usd":
            return f"{self.amount:.4g} usd"
        return counted(self.amount, self.unit.removesuffix("s"))


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has spent, before a resume and since.

    ``calls`` includes retries; ``cached`` replies came from the shared cache instead. ``usd`` is
    None where a model's price is not known: ``unpriced`` counts the calls of such models, and
    ``priced_usd`` is the cost of the others. ``unsettled`` calls never reported their usage (a
    timeout, a kill): ``calls`` includes them, and the budget counts them at their maximum.
    ``prompt_cached`` are prompt tokens that servers found in their caches; ``repaired`` answers
    could be read after a repair of their form.
    """

    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = 0.0
    priced_usd: float = 0.0
    unpriced: dict[str, int] = field(default_factory=dict)
    unsettled: int = 0
    prompt_cached: int = 0
    repaired: int = 0


class SpendingTable:
    """Entries of calls in a table; the totals are also kept in memory."""

    def __init__(self, database: Database) -> None:
        """Read what was spent before a resume."""
        self._database = database
        self._changed = threading.Condition()
        self._in_flight: dict[int, Cost] = {}
        self._last: int = database.run("SELECT COALESCE(MAX(id), 0) FROM spend")[0][0]
        self._read_spent()

    def reserve(
        self, model: str, max_costs: Sequence[Cost], limit: Limit | None, *, priced: bool = True
    ) -> list[int]:
        """Enter calls at their maximum cost; raises ``BudgetExhausted`` if that is too much.

        Calls in flight are entered at their maximum too and will turn out cheaper: while there
        are any, a call that does not fit waits instead of ending the run.
        """
        with self._changed:
            while (entries := self.try_reserve(model, max_costs, limit, priced=priced)) is None:
                self._changed.wait()
            return entries

    def try_reserve(
        self, model: str, max_costs: Sequence[Cost], limit: Limit | None, *, priced: bool = True
    ) -> list[int] | None:
        """As ``reserve``, but None where that would wait."""
        with self._changed:
            if limit is not None and not self.fits(max_costs, limit):
                if not self._in_flight:
                    raise BudgetExhausted(self._exhausted(max_costs, limit))
                return None
            return [self._enter(model, cost, priced=priced) for cost in max_costs]

    def settle(self, entry: int, cost: Cost | None) -> None:
        """Replace the maximum by the actual cost; None: unknown, the maximum counts as spent."""
        with self._changed:
            reserved = self._in_flight.pop(entry, None)
            if cost is not None:
                self._database.run(
                    "UPDATE spend SET settled = 1, calls = ?, prompt_tokens = ?, "
                    "completion_tokens = ?, usd = ? WHERE id = ?",
                    *(*astuple(cost), entry),
                )
            if reserved is None:
                # Entered by a process that was killed since: the sum holds it at its maximum.
                self._outdated = True
            else:
                self._spent += reserved if cost is None else cost
            self._changed.notify_all()

    def spent(self) -> Spent:
        """Sums over all entries; tokens and money of the settled ones only."""
        calls, prompt, completion, usd, unsettled = self._database.run(
            "SELECT COALESCE(SUM(calls), 0), COALESCE(SUM(settled * prompt_tokens), 0), "
            "COALESCE(SUM(settled * completion_tokens), 0), COALESCE(SUM(settled * usd), 0.0), "
            "COALESCE(SUM(1 - settled), 0) FROM spend"
        )[0]
        unpriced = self._database.run(
            "SELECT model, SUM(calls) FROM spend WHERE NOT priced AND calls GROUP BY model"
        )
        return Spent(
            calls=calls,
            prompt_tokens=prompt,
            completion_tokens=completion,
            usd=None if unpriced else usd,
            priced_usd=usd,
            unpriced=dict(unpriced),
            unsettled=unsettled,
        )

    def _read_spent(self) -> None:
        """Calls that an earlier process left unsettled may have been paid: they count fully."""
        in_flight = json.dumps(list(self._in_flight))
        spent = self._database.run(
            "SELECT SUM(calls), SUM(prompt_tokens), SUM(completion_tokens), SUM(usd) "
            "FROM spend WHERE id NOT IN (SELECT value FROM json_each(?))",
            in_flight,
        )[0]
        self._spent = Cost(*(value or 0 for value in spent))
        self._outdated = False

    def fits(self, max_costs: Sequence[Cost], limit: Limit) -> bool:
        """Whether these calls, at their maximum, fit beside those in flight."""
        if self._outdated:
            self._read_spent()
        costs = [self._spent, *self._in_flight.values(), *max_costs]
        return sum(map(limit.share, costs)) <= limit.amount + ROUNDING

    def _enter(self, model: str, cost: Cost, *, priced: bool) -> int:
        self._last += 1
        self._database.run(
            "INSERT INTO spend VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?)",
            *(self._last, model, *astuple(cost), priced, time.time()),
        )
        self._in_flight[self._last] = cost
        return self._last

    def _exhausted(self, max_costs: Sequence[Cost], limit: Limit) -> str:
        spent = Limit(limit.share(self._spent), limit.unit)
        needed = Limit(limit.share(sum(max_costs, FREE)), limit.unit)
        return (
            f"the next call could exceed the budget of {limit}: {spent} spent, and the call may "
            f"take up to {needed}. Finished work is kept: continue with a higher --budget"
        )
