"""``Logged``: every exchange with a model, as a record of plain values; keys are in none."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM

Log = Callable[[dict[str, Any]], None]


class Logged:
    """Hands each request with its reply to a log, and the replies on."""

    def __init__(self, inner: LLM, tool: str, log: Log) -> None:
        """Log the exchanges of ``inner``, which is used as ``tool``."""
        self._inner = inner
        self._tool = tool
        self._log = log

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request, in order."""
        replies = self._inner.generate(requests)
        for request, reply in zip(requests, replies, strict=True):
            self._log(exchange_record(self._tool, request, reply))
        return replies


def exchange_record(tool: str, request: Request, reply: Reply) -> dict[str, Any]:
    """A request and its reply as plain values."""
    parsed = reply.answer.model_dump(mode="json") if isinstance(reply.answer, BaseModel) else None
    return {
        "tool": tool,
        "prompt": request.prompt,
        "messages": [asdict(message) for message in request.messages],
        "choices": list(request.choices),
        "temperature": request.temperature,
        "seed": request.seed,
        "max_tokens": request.max_tokens,
        "reply": reply.text,
        "parsed": parsed,
        "probabilities": dict(reply.probabilities),
        "fault": reply.fault,
        "detail": reply.detail,
        "cached": reply.cached,
        "cost": asdict(reply.cost),
    }


def log_file(path: Path) -> Log:
    """A log that appends lines of JSON to a file, from any thread."""
    lock = threading.Lock()

    def log(record: dict[str, Any]) -> None:
        line = json.dumps(record, ensure_ascii=True)
        with lock, path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    return log
