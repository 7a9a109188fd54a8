"""Structured answers: the schema asked for, how to ask for it, and how to read what came.

Servers differ in how they take a schema, so there are three forms, best first. Whatever the form,
the answer is validated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

from augkit.core.model_types import AnswerModel, Message, Reply, Request
from augkit.llm.faults import CUT, EMPTY, NOT_JSON

Form = Literal["json_schema", "json_object", "prompt"]
FORMS: tuple[Form, ...] = ("json_schema", "json_object", "prompt")

_FENCED = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL | re.IGNORECASE)
_ORDER = "Answer with one JSON object that fits this JSON schema, and nothing else:\n"


@lru_cache(maxsize=256)
def schema_text(answer: type[AnswerModel]) -> str:
    """The JSON schema of an answer in one canonical line; worked out once per class."""
    return json.dumps(answer.model_json_schema(), sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=256)
def strict_schema(answer: type[AnswerModel]) -> dict[str, Any]:
    """The schema as strict servers want it: every key required, none besides."""
    closed: dict[str, Any] = _closed(json.loads(schema_text(answer)))
    return closed


def response_format(request: Request, form: Form) -> dict[str, Any] | None:
    """What to send as ``response_format``; None where nothing is to be sent."""
    if request.answer is None or form == "prompt":
        return None
    schema = strict_schema(request.answer)
    if form == "json_object":
        return {"type": "json_object", "schema": schema}
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", str(schema.get("title", "answer")))[:64]
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": schema, "strict": True},
    }


def with_schema(request: Request, form: Form) -> Sequence[Message]:
    """The messages to send: where the server may not know the schema, they state it."""
    if request.answer is None or form == "json_schema":
        return request.messages
    order = _ORDER + schema_text(request.answer)
    first, rest = request.messages[:1], request.messages[1:]
    if first and first[0].role == "system":
        return [Message("system", f"{first[0].content}\n\n{order}"), *rest]
    return [Message("system", order), *request.messages]


def read_answer(request: Request, reply: Reply, *, cut: bool = False) -> Reply:
    """Judge the text of a reply: the validated answer goes in, or a fault."""
    if cut:
        detail = f"the answer reached max_tokens ({request.max_tokens})"
        return replace(reply, fault=CUT, detail=detail)
    if not reply.text.strip():
        return replace(reply, fault=EMPTY, transient=True)
    if request.answer is None:
        return reply
    try:
        answer = request.answer.model_validate_json(unfenced(reply.text))
    except ValueError as error:
        return replace(reply, fault=NOT_JSON, detail=_problem(error), transient=True)
    return replace(reply, answer=answer)


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
