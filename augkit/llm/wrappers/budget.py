"""``Budgeted``: a hard limit in money, tokens or calls; a call that could exceed it is not made.

Every call is entered before it is made, and settled after. The entries are in the run's sqlite
file, so a killed and resumed run still counts calls that were in flight. All models of a run share
one budget.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Literal, NamedTuple

from augkit.core.errors import BudgetExhausted, ConfigError, UserError
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Backend
from augkit.core.results import Spent
from augkit.core.types import FREE, Cost
from augkit.llm.database import Database
from augkit.llm.faults import UNASKED, UNBILLED
from augkit.llm.prices import Price
from augkit.llm.structured_output import schema_text
from augkit.text.printable import counted

TOKENS_PER_MESSAGE = 16
"""More than any known chat template adds to a message."""
TOKENS_FOR_SCHEMA = 128
"""More than the instruction that introduces a schema in a prompt."""
ROUNDING = 1e-9
"""Sums of prices are not exact: the limit may be exceeded by this much."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS spend (
    id INTEGER PRIMARY KEY, model TEXT NOT NULL, settled INTEGER NOT NULL, calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, usd REAL NOT NULL,
    priced INTEGER NOT NULL, created REAL NOT NULL
);
"""

_DAMAGED = """
SELECT COUNT(*) FROM spend WHERE NOT (
    typeof(calls) = 'integer' AND calls BETWEEN 0 AND 1000000000
    AND typeof(prompt_tokens) = 'integer' AND prompt_tokens BETWEEN 0 AND 9007199254740992
    AND typeof(completion_tokens) = 'integer' AND completion_tokens BETWEEN 0 AND 9007199254740992
    AND typeof(usd) = 'real' AND usd BETWEEN 0 AND 1e12 AND typeof(model) = 'text'
    AND settled IN (0, 1) AND priced IN (0, 1)
)
"""
"""Counts the entries that no run writes."""

Unit = Literal["usd", "tokens", "calls"]
_BUDGET = re.compile(
    r"\s*(?:\$\s*)?(\d+(?:\.\d+)?)\s*(?:(usd|\$|calls?|tokens?)\s*)?", re.IGNORECASE
)
_UNITS: dict[str, Unit] = {"call": "calls", "token": "tokens"}


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


def parse_budget(text: str) -> Limit:
    """Parse a limit; a bare number is in US dollars.

    >>> parse_budget("2.00"), parse_budget("500calls")
    (Limit(amount=2.0, unit='usd'), Limit(amount=500.0, unit='calls'))
    """
    match = _BUDGET.fullmatch(text)
    if match is None:
        raise ConfigError(
            f"budget '{text}': expected an amount, as in 2.00 (US dollars), 2usd, 500calls "
            "or 100000tokens"
        )
    word = (match.group(2) or "usd").lower().rstrip("s")
    return Limit(float(match.group(1)), _UNITS.get(word, "usd"))


def max_cost(request: Request, reasoning: int = 0) -> Cost:
    """The most a call can use: no tokenizer makes more tokens than there are UTF-8 bytes.

    ``reasoning`` is what the model may write beyond the request's limit.
    """
    texts = [message.content for message in request.messages]
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    size += TOKENS_PER_MESSAGE * (len(texts) + 1)
    if request.answer is not None:
        # The schema is sent as strict JSON and may be repeated in the prompt.
        size += TOKENS_FOR_SCHEMA + 3 * len(schema_text(request.answer))
    return Cost(1, size, request.max_tokens + reasoning)


@dataclass(frozen=True)
class Budget:
    """Where the calls of a model are entered, at which price and up to which limit."""

    spending: SpendingTable
    model: str
    price: Price | None
    limit: Limit | None

    def reserve(self, requests: Sequence[Request], reasoning: int = 0) -> list[int]:
        """Enter calls at their maximum cost, or raise ``BudgetExhausted``."""
        max_costs = [self._priced(max_cost(request, reasoning)) for request in requests]
        return self.spending.reserve(
            self.model, max_costs, self.limit, priced=self.price is not None
        )

    def settle(self, entry: int, reply: Reply) -> Reply:
        """Settle what a call has cost, and return its reply with the price in ``cost.usd``.

        The price is None where it is unknown.
        """
        # A replayed reply keeps the price it had.
        cost = reply.cost if reply.cached else self._priced(reply.cost)
        paid: Cost | None = cost
        if reply.cached or reply.fault in UNASKED:
            paid = FREE
        elif reply.fault in UNBILLED:
            paid = Cost(calls=1)
        elif not cost.prompt_tokens:
            paid = None  # unknown, so that the reservation counts as spent
        self.spending.settle(entry, paid)
        has_tokens = bool(cost.prompt_tokens or cost.completion_tokens)
        if self.price is None and has_tokens and not reply.cached:
            cost = replace(cost, usd=None)
        return replace(reply, cost=cost)

    def _priced(self, cost: Cost) -> Cost:
        if self.price is None:
            return cost
        return replace(cost, usd=self.price.usd(cost))


@dataclass(frozen=True)
class Budgeted:
    """Reserve the maximum cost of a call before it is made, and settle its actual cost after.

    A list of requests is reserved as a whole.
    """

    inner: Backend
    budget: Budget

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """The inner replies, priced; a call that could exceed the limit raises instead."""
        entries = self.budget.reserve(requests, self.inner.reasoning_tokens)
        try:
            replies = self.inner.generate(requests)
        except BaseException:
            for entry in entries:
                self.budget.spending.settle(entry, None)
            raise
        settled = zip(entries, replies, strict=True)
        return [self.budget.settle(entry, reply) for entry, reply in settled]


class SpendingTable:
    """Entries of calls in a table; the totals are also kept in memory."""

    def __init__(self, database: Database) -> None:
        """Read what was spent before."""
        self._database = database
        if damaged := database.run(_DAMAGED)[0][0]:
            raise UserError(
                f"{database.path}: damaged: {counted(damaged, 'record')} of what was "
                "spent cannot be read, so no budget could be kept. Restore it from a copy, or "
                "start a new run with another --out"
            )
        self._changed = threading.Condition()
        self._in_flight: dict[int, Cost] = {}
        self._last: int = database.run("SELECT COALESCE(MAX(id), 0) FROM spend")[0][0]
        # Calls that an earlier process left unsettled may have been paid: they count fully.
        spent = database.run(
            "SELECT SUM(calls), SUM(prompt_tokens), SUM(completion_tokens), SUM(usd) FROM spend"
        )[0]
        self._spent = Cost(*(value or 0 for value in spent))

    def reserve(
        self, model: str, max_costs: Sequence[Cost], limit: Limit | None, *, priced: bool = True
    ) -> list[int]:
        """Enter calls at their maximum cost; raises ``BudgetExhausted`` if that is too much.

        Calls in flight are entered at their maximum too and will turn out cheaper: while there
        are any, a call that does not fit waits instead of ending the run.
        """
        with self._changed:
            while limit is not None and not self._fits(max_costs, limit):
                self._changed.wait()
            return [self._enter(model, cost, priced=priced) for cost in max_costs]

    def _enter(self, model: str, cost: Cost, *, priced: bool) -> int:
        self._last += 1
        self._database.run(
            "INSERT INTO spend VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?)",
            *(self._last, model, *astuple(cost), priced, time.time()),
        )
        self._in_flight[self._last] = cost
        return self._last

    def settle(self, entry: int, cost: Cost | None) -> None:
        """Replace the maximum by the actual cost; None: unknown, the maximum counts as spent."""
        with self._changed:
            reserved = self._in_flight.pop(entry)
            if cost is not None:
                self._database.run(
                    "UPDATE spend SET settled = 1, calls = ?, prompt_tokens = ?, "
                    "completion_tokens = ?, usd = ? WHERE id = ?",
                    *(*astuple(cost), entry),
                )
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

    def _fits(self, max_costs: Sequence[Cost], limit: Limit) -> bool:
        """Whether these calls, at their maximum, fit beside those in flight; an error if never."""
        costs = [self._spent, *self._in_flight.values(), *max_costs]
        if sum(map(limit.share, costs)) <= limit.amount + ROUNDING:
            return True
        if self._in_flight:
            return False
        spent = Limit(limit.share(self._spent), limit.unit)
        needed = Limit(limit.share(sum(max_costs, FREE)), limit.unit)
        raise BudgetExhausted(
            f"the next call could exceed the budget of {limit}: {spent} spent, and the call may "
            f"take up to {needed}. Finished work is kept: continue with a higher --budget"
        )
