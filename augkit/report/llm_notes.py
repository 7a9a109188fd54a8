"""Lines about an LLM under test, for the results of all commands that ask one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit


def no_price(models: Iterable[str]) -> str:
    """For a cost in money that is not known.

    >>> no_price(["openai:qwen3"])
    'no price is configured for openai:qwen3 (--prices)'
    """
    return f"no price is configured for {' and '.join(models)} (--prices)"


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
        money = "" if not cost["usd"] else f", ${cost['usd']:.4f}"
        yield (
            f"{cost['calls']:,} calls, {cost['prompt_tokens']:,} tokens read and "
            f"{cost['completion_tokens']:,} written{money}"
        )
