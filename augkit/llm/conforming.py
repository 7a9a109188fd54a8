"""``conforming``: made-up answers that fit a request's schema, for dry runs and tests."""

from __future__ import annotations

import json
from typing import Any

from augkit.core.model_types import Request
from augkit.core.types import digest
from augkit.llm.structured_output import schema_text


def conforming(request: Request) -> str:
    """A text that fits the request's schema or choices; its strings are determined by the request.

    Enums give their first value, arrays one item (or as many as they need), unions their first
    branch that is not null; of choices it is any.
    """
    key = digest(*(m.content for m in request.messages), str(request.seed))
    if request.choices:
        return request.choices[int(key, 16) % len(request.choices)]
    word = f"made-up-{key}"
    if request.answer is None:
        return f"{word}."
    return json.dumps(fitting(json.loads(schema_text(request.answer)), word), ensure_ascii=False)


def fitting(schema: dict[str, Any], word: str) -> Any:
    """A value that fits a JSON schema; its strings begin with ``word``.

    >>> fitting({"type": "object", "properties": {"n": {"type": "integer"}}}, "w")
    {'n': 1}
    """
    return _value(schema, schema.get("$defs", {}), word)


def _value(schema: dict[str, Any], defs: dict[str, Any], word: str) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "$ref" in schema:
        return _value(defs[schema["$ref"].rpartition("/")[2]], defs, word)
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            return _value(_first(schema[union]), defs, word)
    return _plain(schema, defs, word)


def _plain(schema: dict[str, Any], defs: dict[str, Any], word: str) -> Any:
    kind = schema.get("type", "string")
    if kind == "object":
        return {
            name: _value(inner, defs, f"{word}-{name}")
            for name, inner in schema.get("properties", {}).items()
        }
    if kind == "array":
        count = max(1, schema.get("minItems", 1))
        items = schema.get("prefixItems") or [schema.get("items", {})] * count
        return [_value(item, defs, f"{word}-{index}") for index, item in enumerate(items)]
    if kind in {"integer", "number"}:
        return _number(schema, whole=kind == "integer")
    return {"boolean": True, "null": None}.get(kind, _string(schema, word))


def _number(schema: dict[str, Any], *, whole: bool) -> float:
    step = 1 if whole else 0.5
    if "exclusiveMinimum" in schema:
        least = schema["exclusiveMinimum"] + step
    else:
        least = schema.get("minimum", 1)
    highest = schema.get("maximum", schema.get("exclusiveMaximum", least + 1) - step)
    number: float = min(least, highest)
    return number


def _string(schema: dict[str, Any], word: str) -> str:
    padded = word.ljust(schema.get("minLength", 1), "x")
    return padded[: schema.get("maxLength", len(padded))]


def _first(branches: list[dict[str, Any]]) -> dict[str, Any]:
    return next((branch for branch in branches if branch.get("type") != "null"), branches[0])
