"""Lines about an LLM under test, for the results of all commands that ask one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


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
