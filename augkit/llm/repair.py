"""Repairs of structured answers: of their form only, never of what they say.

A repair is made where just one reading fits the schema. It is named in ``Reply.repairs`` and
counted in the manifest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from augkit.core.json_files import Refused, unique_keys

CODE_FENCE = "code fence"
TEXT_AROUND = "text around the JSON"
TRAILING_COMMA = "trailing comma"
ONE_ITEM = "one item for a list"
BARE_LIST = "bare list for its object"
IN_A_LIST = "object in a list of one"

_FENCE = re.compile(r"```[a-zA-Z]*(?![a-zA-Z])\n?(.*?)```", re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:\\.|[^"\\])*("?)|,(?=\s*[}\]])')
_COMMA = re.compile(r",(?=\s*[}\]])")
_DECODER = json.JSONDecoder(object_pairs_hook=unique_keys)


def json_values(text: str) -> Iterator[tuple[Any, tuple[str, ...]]]:
    r"""The objects and lists in a text, each with the repairs that it took to read it.

    >>> list(json_values('Here: {"a": [1,]}'))
    [({'a': [1]}, ('trailing comma', 'text around the JSON'))]
    """
    fenced = [(inner, (CODE_FENCE,)) for inner in _FENCE.findall(text)]
    for part, repairs in [*fenced, (text, ())]:
        without = _STRING_OR_COMMA.sub(_without_comma, part)
        commas = (TRAILING_COMMA,) if without != part else ()
        for value, alone in _decoded(without):
            yield value, (*repairs, *commas, *(() if alone else (TEXT_AROUND,)))


def _without_comma(match: re.Match[str]) -> str:
    """Nothing for a comma, a string as it is; one that does not end may hold such commas."""
    if match[0] == ",":
        return ""
    if match[1]:
        return match[0]
    return _COMMA.sub("", match[0])


def _decoded(text: str) -> Iterator[tuple[Any, bool]]:
    """Values at the top level of a text, and whether there is nothing else in it."""
    start = _bracket(text, 0)
    while start is not None:
        value, end = _value_at(text, start)
        if end is None:  # a value that was cut off: what is inside it is only a part
            return
        if value is not None:
            yield value, not (text[:start] + text[end:]).strip()
        start = _bracket(text, end)


def _value_at(text: str, start: int) -> tuple[Any, int | None]:
    """The value that begins here and its end; where it is none, the end of its brackets."""
    try:
        return _DECODER.raw_decode(text, start)
    except Refused:  # a key that is given twice: no repair says which of the values is meant
        raise
    except (ValueError, RecursionError):  # a model that falls apart writes bracket on bracket
        depth = 0
        for index in range(start, len(text)):
            depth += (text[index] in "{[") - (text[index] in "}]")
            if depth == 0:
                return None, index + 1
        return None, None


def _bracket(text: str, start: int) -> int | None:
    return next((index for index in range(start, len(text)) if text[index] in "{["), None)


def reshaped(value: Any, schema: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """A value in the shape of a schema, where only a list around it is missing or too much.

    >>> listed = {"type": "array", "items": {"type": "string"}}
    >>> reshaped({"texts": "a"}, {"type": "object", "properties": {"texts": listed}})
    ({'texts': ['a']}, ('one item for a list',))
    """
    repairs: list[str] = []
    return _shaped(value, schema, schema.get("$defs", {}), repairs), tuple(repairs)


def _shaped(value: Any, schema: dict[str, Any], defs: dict[str, Any], repairs: list[str]) -> Any:
    schema = _resolved(schema, defs)
    if schema.get("type") == "array":
        if not isinstance(value, list) and _of_type(
            value, _resolved(schema.get("items", {}), defs)
        ):
            repairs.append(ONE_ITEM)
            value = [value]
        if isinstance(value, list):
            return [_shaped(item, schema.get("items", {}), defs, repairs) for item in value]
    if schema.get("type") == "object":
        value = _as_object(value, schema, defs, repairs)
        if isinstance(value, dict):
            properties = schema.get("properties", {})
            return {
                name: _shaped(inner, properties.get(name, {}), defs, repairs)
                for name, inner in value.items()
            }
    return value


def _as_object(value: Any, schema: dict[str, Any], defs: dict[str, Any], repairs: list[str]) -> Any:
    properties = schema.get("properties", {})
    name, field = next(iter(properties.items()), ("", {}))
    field = _resolved(field, defs)
    alone = len(properties) == 1 and field.get("type") == "array"
    if isinstance(value, list) and len(value) == 1 and value[0] and _of_type(value[0], schema):
        repairs.append(IN_A_LIST)
        return value[0]
    if isinstance(value, list) and alone:
        repairs.append(BARE_LIST)
        return {name: value}
    item = _resolved(field.get("items", {}), defs) if alone else {}
    if alone and isinstance(value, dict) and name not in value and _of_type(value, item):
        repairs.append(ONE_ITEM)
        return {name: [value]}
    return value


def _resolved(schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    resolved: dict[str, Any] = defs.get(str(schema.get("$ref", "")).rpartition("/")[2], schema)
    return resolved


def _of_type(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is of the schema's type; an object has no other keys than the schema."""
    kind = schema.get("type")
    if kind == "object":
        return isinstance(value, dict) and value.keys() <= schema.get("properties", {}).keys()
    if kind in {"integer", "number"}:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return kind == "string" and isinstance(value, str)
