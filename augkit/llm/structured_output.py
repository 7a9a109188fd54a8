"""Structured output: the schema of a request, how it is sent, and how the reply is read.

Servers differ in how they take a schema, so there are three output formats, best first. Whatever
the format, the reply is validated.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

from augkit.core.model_types import AnswerModel, Message, Reply, Request
from augkit.llm.choices import choice_model, read_choice
from augkit.llm.faults import EMPTY, TRUNCATED, WRONG_SCHEMA

OutputFormat = Literal["json_schema", "json_object", "prompt"]
OUTPUT_FORMATS: tuple[OutputFormat, ...] = ("json_schema", "json_object", "prompt")
SUSPICIONS = 2
"""Unexplained failures in a row, in a format that has never worked, before the next is tried."""

SHOWN_CHARS = 2000
"""At most so much of a bad answer is shown to the model."""

_FENCED = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL | re.IGNORECASE)
_INSTRUCTION = "Answer with one JSON object that fits this JSON schema, and nothing else:\n"


@lru_cache(maxsize=256)
def schema_text(answer: type[AnswerModel]) -> str:
    """The JSON schema of an answer in one line, its fields in the order of their definition.

    Servers with constrained decoding write the fields in this order, so a field for reasoning
    must come before the verdict that follows from it.
    """
    return json.dumps(answer.model_json_schema(), separators=(",", ":"))


@lru_cache(maxsize=256)
def canonical_schema(answer: type[AnswerModel]) -> str:
    """The JSON schema with sorted keys, for cache keys."""
    return json.dumps(answer.model_json_schema(), sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=256)
def strict_schema(answer: type[AnswerModel]) -> dict[str, Any]:
    """The schema for strict servers: every key required, no others allowed."""
    closed: dict[str, Any] = _closed(json.loads(schema_text(answer)))
    return closed


def response_format(request: Request, output_format: OutputFormat) -> dict[str, Any] | None:
    """The ``response_format`` to send; None: send none."""
    if request.answer is None or output_format == "prompt":
        return None
    schema = strict_schema(request.answer)
    if output_format == "json_object":
        return {"type": "json_object", "schema": schema}
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", str(schema.get("title", "answer")))[:64]
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": schema, "strict": True},
    }


def with_schema(request: Request, output_format: OutputFormat) -> Sequence[Message]:
    """The messages to send; they state the schema where the server may not enforce it."""
    if request.answer is None or output_format == "json_schema":
        return request.messages
    instruction = _INSTRUCTION + schema_text(request.answer)
    first, rest = request.messages[:1], request.messages[1:]
    if first and first[0].role == "system":
        return [Message("system", f"{first[0].content}\n\n{instruction}"), *rest]
    return [Message("system", instruction), *request.messages]


def read_answer(request: Request, reply: Reply, *, truncated: bool = False) -> Reply:
    """The reply with its text parsed and validated, or with a fault."""
    if request.choices and (choice := read_choice(request.choices, reply.text)) is not None:
        return replace(reply, text=choice)
    if truncated and not request.choices:
        detail = f"the answer reached max_tokens ({request.max_tokens})"
        return replace(reply, fault=TRUNCATED, detail=detail)
    if not reply.text.strip():
        return replace(reply, fault=EMPTY, transient=True)
    if request.choices:
        detail = f"the answer is none of: {', '.join(request.choices)}"
        return replace(reply, fault=WRONG_SCHEMA, detail=detail, transient=True)
    if request.answer is None:
        return reply
    try:
        answer = request.answer.model_validate_json(unfenced(reply.text))
    except ValueError as error:
        return replace(reply, fault=WRONG_SCHEMA, detail=_problem(error), transient=True)
    return replace(reply, answer=answer)


def corrected(request: Request, reply: Reply) -> Request:
    """The request to send after a reply: with the answer and its error where it did not fit.

    A choice that was not stated plainly is asked for in JSON.
    """
    if reply.fault != WRONG_SCHEMA:
        return request
    asked = f"That answer does not fit: {reply.detail}. Answer again, without any other text."
    shown = Message("assistant", reply.text[:SHOWN_CHARS]), Message("user", asked)
    answer = choice_model(request.choices) if request.choices else request.answer
    return replace(request, messages=(*request.messages, *shown), answer=answer, choices=())


def as_choice(request: Request, reply: Reply) -> Reply:
    """The reply to a request with choices, also where it was asked for in JSON."""
    if not request.choices or reply.answer is None:
        return reply
    return replace(reply, text=str(vars(reply.answer)["choice"]), answer=None)


def unfenced(text: str) -> str:
    r"""The inside of a Markdown code fence, if the whole text is one.

    >>> unfenced('```json\n{"a": 1}\n```')
    '{"a": 1}'
    """
    fenced = _FENCED.match(text)
    return fenced.group(1) if fenced else text


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(value) for key, value in schema.items()}
    if isinstance(closed.get("properties"), dict):
        closed["required"] = list(closed["properties"])
        closed["additionalProperties"] = False
    return closed


def _problem(error: ValueError) -> str:
    lines = [line.strip() for line in str(error).splitlines()]
    # Pydantic repeats the input and links to its site: the first three lines say what is wrong.
    return " ".join(line for line in lines[:3] if line)[:300]


class FormatMemory:
    """The best output format a server has not rejected; one that has worked once is kept.

    Many threads send at the same time, so each failure names the format it was sent in: it counts
    only where that format is still in use.
    """

    def __init__(self) -> None:
        """Begin with the best format."""
        self._lock = threading.Lock()
        self._index = 0
        self._suspicions = 0
        self._proven = False

    @property
    def current(self) -> OutputFormat:
        """The format for the next request."""
        return OUTPUT_FORMATS[self._index]

    def worked(self, used: OutputFormat) -> None:
        """A reply in this format was valid."""
        with self._lock:
            self._proven |= used == self.current

    def rejected(self, used: OutputFormat) -> bool:
        """The server does not take this format; returns whether another one is now in use."""
        return self._failed(used, suspicions=SUSPICIONS)

    def suspected(self, used: OutputFormat) -> bool:
        """The format may have caused a failure; returns whether another one is now in use."""
        return self._failed(used, suspicions=1)

    def _failed(self, used: OutputFormat, suspicions: int) -> bool:
        with self._lock:
            if used == self.current and not self._proven:
                self._suspicions += suspicions
                if self._suspicions >= SUSPICIONS:
                    self._index = min(self._index + 1, len(OUTPUT_FORMATS) - 1)
                    self._suspicions = 0
            return used != self.current
