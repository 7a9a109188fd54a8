"""The book of what a run has spent: every call is entered before it is made, settled after.

The entries are in the run's sqlite file, so a killed and resumed run still counts what was under
way; the budget of a run is one, whichever of its models makes the call.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from augkit.core.errors import BudgetExhausted
from augkit.core.types import FREE, Cost
from augkit.llm.database import Database

SCHEMA = """
CREATE TABLE IF NOT EXISTS spend (
    id INTEGER PRIMARY KEY, model TEXT NOT NULL, settled INTEGER NOT NULL, calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, usd REAL NOT NULL,
    priced INTEGER NOT NULL, created REAL NOT NULL
);
"""

ROUNDING = 1e-9
"""Sums of prices are not exact; less than this is not a passing of the limit."""

Unit = Literal["usd", "tokens", "calls"]


class Limit(NamedTuple):
    """So much, and no more."""

    amount: float
    unit: Unit

    def share(self, cost: Cost) -> float:
        """The part of a cost that this limit counts."""
        if self.unit == "usd":
            return cost.usd
        return cost.calls if self.unit == "calls" else cost.prompt_tokens + cost.completion_tokens

    def __str__(self) -> str:
        """As people write it."""
        return f"{self.amount:.4g} usd" if self.unit == "usd" else f"{self.amount:.0f} {self.unit}"


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has spent, before a resume and since.

    ``calls`` were made (tries included), ``cached`` answers came from the shared cache instead.
    ``usd`` is None where a model's price is not known. ``unsettled`` calls never told their usage
    (a timeout, a kill): they are in ``calls``, and only the budget counts them at their most.
    """

    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = 0.0
    unsettled: int = 0


class SpendBook:
    """Entries of calls, in a file; the totals are kept in memory as well."""

    def __init__(self, database: Database) -> None:
        """Read what was spent before, where the run is resumed."""
        self._database = database
        self._changed = threading.Condition()
        self._under_way: dict[int, Cost] = {}
        self._last: int = database.run("SELECT COALESCE(MAX(id), 0) FROM spend")[0][0]
        self._read_spent()

    def reserve(
        self, model: str, most: Sequence[Cost], limit: Limit | None, *, priced: bool = True
    ) -> list[int]:
        """Enter calls at the most they can cost; raises ``BudgetExhausted`` if that is too much.

        Calls under way are entered at their most too and will turn out cheaper: while there are
        any, a call that does not fit waits instead of ending the run.
        """
        with self._changed:
            while (entries := self.try_reserve(model, most, limit, priced=priced)) is None:
                self._changed.wait()
            return entries

    def try_reserve(
        self, model: str, most: Sequence[Cost], limit: Limit | None, *, priced: bool = True
    ) -> list[int] | None:
        """As ``reserve``, but None where it would wait."""
        with self._changed:
            if limit is not None and not self.fits(most, limit):
                if not self._under_way:
                    raise BudgetExhausted(self._refusal(most, limit))
                return None
            return [self._enter(model, cost, priced=priced) for cost in most]

    def settle(self, entry: int, cost: Cost | None) -> None:
        """Replace the most by what a call did cost; None: not known, the most counts as spent."""
        with self._changed:
            reserved = self._under_way.pop(entry, None)
            if cost is not None:
                self._database.run(
                    "UPDATE spend SET settled = 1, calls = ?, prompt_tokens = ?, "
                    "completion_tokens = ?, usd = ? WHERE id = ?",
                    *(cost.calls, cost.prompt_tokens, cost.completion_tokens, cost.usd),
                    entry,
                )
            if reserved is None:
                # Entered by a process that was killed since: there it is in the sum at its most.
                self._read_spent()
            else:
                self._spent += reserved if cost is None else cost
            self._changed.notify_all()

    def spent(self) -> Spent:
        """Sums over all entries; tokens and money of the settled ones only."""
        calls, prompt, completion, usd, unpriced, unsettled = self._database.run(
            "SELECT COALESCE(SUM(calls), 0), COALESCE(SUM(settled * prompt_tokens), 0), "
            "COALESCE(SUM(settled * completion_tokens), 0), COALESCE(SUM(settled * usd), 0.0), "
            "COALESCE(SUM(1 - priced), 0), COALESCE(SUM(1 - settled), 0) FROM spend"
        )[0]
        return Spent(calls, 0, prompt, completion, None if unpriced else usd, unsettled)

    def _read_spent(self) -> None:
        """What an earlier process left unsettled may have been paid: it counts at its most."""
        under_way = json.dumps(list(self._under_way))
        spent = self._database.run(
            "SELECT SUM(calls), SUM(prompt_tokens), SUM(completion_tokens), SUM(usd) "
            "FROM spend WHERE id NOT IN (SELECT value FROM json_each(?))",
            under_way,
        )[0]
        self._spent = Cost(*(value or 0 for value in spent))

    def fits(self, most: Sequence[Cost], limit: Limit) -> bool:
        """Whether these calls, at their most, could be made besides those under way."""
        costs = [self._spent, *self._under_way.values(), *most]
        return sum(map(limit.share, costs)) <= limit.amount + ROUNDING

    def _enter(self, model: str, cost: Cost, *, priced: bool) -> int:
        self._last += 1
        self._database.run(
            "INSERT INTO spend VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?)",
            *(self._last, model, cost.calls, cost.prompt_tokens, cost.completion_tokens),
            *(cost.usd, priced, time.time()),
        )
        self._under_way[self._last] = cost
        return self._last

    def _refusal(self, most: Sequence[Cost], limit: Limit) -> str:
        spent = Limit(limit.share(self._spent), limit.unit)
        needed = Limit(limit.share(sum(most, FREE)), limit.unit)
        return (
            f"the next call could pass the budget of {limit}: {spent} spent, and the call may "
            f"take up to {needed}. What is done is kept: go on with --resume --budget MORE"
        )
