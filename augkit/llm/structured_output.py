"""Structured output: the schema of a request, how it is sent, and how the reply is read.

Servers differ in how they take a schema, so there are three output formats, best first. Whatever
the format, the reply is validated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

from augkit.core.characters import half_a_character, surrogate_in
from augkit.core.json_files import Refused, check_content, refuse_halves
from augkit.core.model_types import AnswerModel, Message, Reply, Request
from augkit.llm.choices import choice_model, read_choice
from augkit.llm.faults import EMPTY, MALFORMED, TRUNCATED, WRONG_SCHEMA
from augkit.llm.repair import json_values, reshaped

OutputFormat = Literal["json_schema", "json_object", "prompt"]
OUTPUT_FORMATS: tuple[OutputFormat, ...] = ("json_schema", "json_object", "prompt")

NO_JSON = "no JSON in the answer"
"""The detail of a fault where a server does not seem to know the schema at all."""
SHOWN_CHARS = 2000
"""At most so much of a bad answer is shown to the model."""

_INSTRUCTION = "Answer with one JSON object that fits this JSON schema, and nothing else:\n"


CONSTRAINTS = frozenset(
    {"minItems", "maxItems", "minLength", "maxLength", "pattern", "format", "uniqueItems"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "prefixItems"}
)
"""Keywords that some servers refuse; without them the answer is validated here all the same."""
_NOTES = frozenset({"title", "default"})


@lru_cache(maxsize=256)
def canonical_schema(answer: type[AnswerModel]) -> str:
    """The JSON schema with sorted keys, for cache keys."""
    return json.dumps(answer.model_json_schema(), sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=256)
def strict_schema(
    answer: type[AnswerModel], without: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The schema as it is sent: every key required, no others allowed, in the order defined.

    Servers with constrained decoding write the fields in this order, so a field for reasoning
    must come before the verdict that follows from it. ``without``: keywords that are left out.
    """
    closed: dict[str, Any] = _closed(answer.model_json_schema(), without)
    return closed


@lru_cache(maxsize=256)
def schema_text(answer: type[AnswerModel]) -> str:
    """The schema in one line, for prompts."""
    return json.dumps(strict_schema(answer), separators=(",", ":"))


def response_format(
    request: Request, output_format: OutputFormat, without: frozenset[str] = frozenset()
) -> dict[str, Any] | None:
    """The ``response_format`` to send, its schema without some keywords; None: send none."""
    if request.answer is None or output_format == "prompt":
        return None
    schema = strict_schema(request.answer, without)
    if output_format == "json_object":
        return {"type": "json_object", "schema": schema}
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", getattr(request.answer, "__name__", "answer"))[:64]
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": schema, "strict": True},
    }


def with_schema(request: Request, output_format: OutputFormat) -> Sequence[Message]:
    """The messages to send; they state the schema where the server may not enforce it."""
    if request.answer is None or output_format == "json_schema":
        return request.messages
    instruction = _INSTRUCTION + schema_text(request.answer)
    first = request.messages[:1]
    rest = request.messages[1:]
    if first and first[0].role == "system":
        return [Message("system", f"{first[0].content}\n\n{instruction}"), *rest]
    return [Message("system", instruction), *request.messages]


def read_answer(request: Request, reply: Reply, *, truncated: bool = False) -> Reply:
    """The reply with its text parsed and validated, or with a fault."""
    if surrogate := surrogate_in(reply.text):
        # No file could hold the text, nor could the store of replies.
        detail = half_a_character("answer", surrogate)
        return replace(reply, text="", fault=MALFORMED, detail=detail, transient=True)
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
    return _validated(request.answer, reply)


def _validated(answer: type[AnswerModel], reply: Reply) -> Reply:
    try:
        check_content(reply.text)
        return replace(reply, answer=answer.model_validate_json(reply.text), repairs=())
    except Refused as error:
        return replace(reply, fault=WRONG_SCHEMA, detail=str(error), transient=True)
    except ValueError as error:
        problem = error
    fitting: dict[str, Reply] = {}
    has_json = False
    try:
        values = list(json_values(reply.text))
        refuse_halves([value for value, _ in values])
    except Refused as error:
        return replace(reply, fault=WRONG_SCHEMA, detail=str(error), transient=True)
    for value, repairs in values:
        has_json = True
        try:
            shaped, more = reshaped(value, strict_schema(answer))
            text = json.dumps(shaped, ensure_ascii=False)
            valid = answer.model_validate_json(text)
        except RecursionError:
            problem = ValueError("nested too deep")
        except ValueError as error:
            problem = error
        else:
            fitting.setdefault(text, replace(reply, answer=valid, repairs=(*repairs, *more)))
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    # Pydantic repeats the input and links to its site: the first three lines say what is wrong.
    lines = [line.strip() for line in str(problem).splitlines()[:3]]
    detail = " ".join(line for line in lines if line)[:300]
    detail = f"{len(fitting)} different answers" if fitting else detail
    detail = detail if has_json else NO_JSON
    return replace(reply, fault=WRONG_SCHEMA, detail=detail, transient=True)


def with_error_shown(request: Request, reply: Reply) -> Request:
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


def _closed(schema: Any, without: frozenset[str]) -> Any:
    if isinstance(schema, list):
        return [_closed(item, without) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # strict servers refuse other keywords beside it
    closed = {
        key: {name: _closed(inner, without) for name, inner in value.items()}
        if key in {"properties", "$defs"}
        else _closed(value, without)
        for key, value in schema.items()
        if key not in _NOTES | without
    }
    if "properties" in closed:
        closed |= {"required": list(closed["properties"]), "additionalProperties": False}
    if "prefixItems" in schema and "prefixItems" in without:
        items = [_closed(item, without) for item in schema["prefixItems"]]
        closed["items"] = {"anyOf": [item for n, item in enumerate(items) if item not in items[:n]]}
    return closed
