"""``Budgeted``: a hard limit in money, tokens or calls; a call that could exceed it is not made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from augkit.core.errors import ConfigError
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import FREE, Cost
from augkit.llm.faults import UNASKED, UNBILLED
from augkit.llm.prices import Price
from augkit.llm.structured_output import schema_text
from augkit.llm.wrappers.spending import Limit, Unit

TOKENS_PER_MESSAGE = 16
"""More than any known chat template adds to a message."""
TOKENS_FOR_SCHEMA = 128
"""More than the instruction that introduces a schema in a prompt."""

_BUDGET = re.compile(r"\s*\$?\s*(\d+(?:\.\d+)?)\s*(usd|\$|calls?|tokens?)?\s*", re.IGNORECASE)
_UNITS: dict[str, Unit] = {"call": "calls", "token": "tokens"}


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


class Spending(Protocol):
    """Where calls are entered: ``SpendingTable``, or one shared by several processes."""

    def reserve(
        self, model: str, max_costs: Sequence[Cost], limit: Limit | None, *, priced: bool = True
    ) -> list[int]:
        """Enter calls at their maximum cost, or raise ``BudgetExhausted``."""

    def settle(self, entry: int, cost: Cost | None) -> None:
        """Replace the maximum by the actual cost; None: unknown."""


@dataclass(frozen=True)
class Budgeted:
    """Reserve the maximum cost of a call before it is made, and settle its actual cost after.

    A list of requests is reserved as a whole. Replies leave with their price in ``cost.usd``:
    None where it is unknown.
    """

    inner: LLM
    spending: Spending
    model: str
    price: Price | None
    limit: Limit | None

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """The inner replies, priced; a call that could exceed the limit raises instead."""
        reasoning = getattr(self.inner, "reasoning_tokens", 0)
        reserved = [self._priced(max_cost(request, reasoning)) for request in requests]
        entries = self.spending.reserve(
            self.model, reserved, self.limit, priced=self.price is not None
        )
        try:
            replies = self.inner.generate(requests)
        except BaseException:
            for entry in entries:
                self.spending.settle(entry, None)
            raise
        # A replayed reply keeps the price it had.
        priced = [
            reply if reply.cached else replace(reply, cost=self._priced(reply.cost))
            for reply in replies
        ]
        for entry, reply in zip(entries, priced, strict=True):
            self.spending.settle(entry, paid_cost(reply))
        return priced if self.price is not None else [unpriced(reply) for reply in priced]

    def _priced(self, cost: Cost) -> Cost:
        return cost if self.price is None else replace(cost, usd=self.price.usd(cost))


def unpriced(reply: Reply) -> Reply:
    """The reply of a model without a known price: what its tokens cost is unknown."""
    cost = reply.cost
    if reply.cached or not (cost.prompt_tokens or cost.completion_tokens):
        return reply
    return replace(reply, cost=replace(cost, usd=None))


def paid_cost(reply: Reply) -> Cost | None:
    """What a call cost; None where it is unknown, so that the reservation counts as spent."""
    if reply.cached or reply.fault in UNASKED:
        return FREE
    if reply.fault in UNBILLED:
        return Cost(calls=1)
    return reply.cost if reply.cost.prompt_tokens else None
