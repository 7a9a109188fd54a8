"""Lines about an LLM under test, for the results of all commands that ask one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from augkit.llm.prices import no_price
from augkit.text.printable import counted


def money_spent(cost: Mapping[str, Any]) -> str:
    """What calls cost; where some have no price, what the others cost.

    >>> money_spent({"calls": 5, "usd": 0.02})
    '$0.0200'
    >>> money_spent({"calls": 5, "usd": None, "priced_usd": 0.01, "unpriced": {"qwen3": 3}})
    '$0.0100 for 2 calls; cost of 3 unknown: no price is configured for qwen3 (--prices)'
    """
    if cost["usd"] is not None:
        return f"${cost['usd']:.4f}"
    unpriced: Mapping[str, int] = cost.get("unpriced", {})
    number, why = sum(unpriced.values()), no_price(unpriced or ["the model"])
    if cost.get("priced_usd"):
        known = counted(cost["calls"] - number, "call")
        return f"${cost['priced_usd']:.4f} for {known}; cost of {number:,} unknown: {why}"
    return f"cost unknown: {why}"


def is_local(url: str | None) -> bool:
    """Whether a server is on this machine or in a private network, where most are free.

    >>> [is_local(f"http://{host}:80/v1") for host in ("localhost", "10.0.0.7", "example.com")]
    [True, True, False]
    """
    host = urlsplit(url or "").hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == "localhost"


def llm_notes(answers: Mapping[str, Any]) -> Iterator[str]:
    """How an LLM under test answered: its position effect, and what it cost."""
    for name, score in answers.get("position effect", {}).items():
        interval = f"{score['low']:.3f} to {score['high']:.3f}"
        yield f"position effect, {name}: {score['value']:.3f} ({interval})"
    if cost := answers.get("cost"):
        money = f", {money_spent(cost)}" if cost["usd"] != 0 else ""
        yield (
            f"{cost['calls']:,} calls, {cost['prompt_tokens']:,} tokens read and "
            f"{cost['completion_tokens']:,} written{money}"
        )
