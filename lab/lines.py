"""From the JSON lines that a benchmark prints to tables, as ``list.yaml`` says.

A table is ``{each: PATH, names: [HEADING], where: {PATH: VALUE}, columns: {HEADING: PATH}}``, and
every part may be left out. The rows are the lines, or what is at ``each`` in them: a star stands
for every key of an object or every item of a list, and the keys are kept under ``names``.
``last: true`` takes the last line alone.

A path is keys joined by dots. One that ends in "?" may be missing, and one that ends in "%" is a
share that is shown in per cent. A path with braces is a template, such as
``"{mean} [{low}, {high}]"``. Without any table, one line gives a row a figure, and several lines a
row each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lab.tables import value_text

Record = Mapping[str, Any]


def json_lines(text: str) -> list[Record]:
    """The JSON objects among the lines; RuntimeError if there is none."""
    found = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    if not found:
        raise RuntimeError("printed no figures")
    return found


def make_tables(lines: Sequence[Record], specs: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The tables by title; KeyError where a line lacks what a table asks for."""
    if specs:
        return {title: make_rows(lines, spec or {}) for title, spec in specs.items()}
    flat = [flatten({key: line[key] for key in line if key != "benchmark"}) for line in lines]
    if len(flat) == 1:
        return {"Figures": [{"figure": key, "value": value} for key, value in flat[0].items()]}
    return {"Figures": flat}


def make_rows(lines: Sequence[Record], spec: Mapping[str, Any]) -> list[Any]:
    """The rows of one table."""
    if spec.get("last"):
        lines = lines[-1:]
    keys = spec["each"].split(".") if "each" in spec else []
    names = spec.get("names", [])
    records = [record for line in lines for record in pick(line, keys, names)]
    for place, value in spec.get("where", {}).items():
        records = [record for record in records if look_up(record, place) == value]
    columns = spec.get("columns")
    if columns is None:
        return [flatten(record) for record in records]
    return [
        {heading: look_up(record, path) for heading, path in columns.items()} for record in records
    ]


def pick(found: Any, keys: Sequence[str], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The records at a path with stars, each with the keys that the stars stood for.

    >>> list(pick({"a": {"x": {"n": 1}, "y": {"n": 2}}}, ["a", "*"], ["arm"]))
    [{'arm': 'x', 'n': 1}, {'arm': 'y', 'n': 2}]
    """
    if not keys:
        yield dict(found) if isinstance(found, Mapping) else {"value": found}
    elif keys[0] != "*":
        yield from pick(look_up(found, keys[0]), keys[1:], names)
    elif isinstance(found, Mapping):
        for key, value in found.items():
            for record in pick(value, keys[1:], names[1:]):
                yield {names[0]: key, **record} if names else record
    else:
        for value in found:
            yield from pick(value, keys[1:], names)


def look_up(record: Any, path: str) -> Any:
    """What is at a path, or a template filled in; numbers index lists."""
    if "{" in path:
        parts = {name: look_up(record, name) for name in re.findall(r"\{(.+?)\}", path)}
        if all(part is None for part in parts.values()):
            return None
        return re.sub(r"\{(.+?)\}", lambda match: value_text(parts[match[1]]), path)
    if path.endswith("%") and len(path) > 1:
        share = look_up(record, path[:-1])
        return None if share is None else round(100 * share, 1)
    if path.endswith("?"):
        try:
            return look_up(record, path[:-1])
        except KeyError:
            return None
    keys = path.split(".")
    for depth, key in enumerate(keys):
        rest = ".".join(keys[depth:])
        if isinstance(record, Mapping) and rest in record:  # a key with dots in it
            return record[rest]
        try:
            record = record[int(key)] if isinstance(record, list) else record[key]
        except (KeyError, IndexError, ValueError, TypeError):
            raise KeyError(f"the output has no '{path}'") from None
    return record


def flatten(record: Record, before: str = "") -> dict[str, Any]:
    """All figures of nested objects, keys joined by a space; lists of objects are left out.

    >>> flatten({"a": {"b": 1}, "c": [1, 2], "d": [{}]})
    {'a b': 1, 'c': [1, 2]}
    """
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{before}{key} ")
        elif not (isinstance(value, list) and any(isinstance(one, dict | list) for one in value)):
            flat[f"{before}{key}".replace("_", " ")] = value
    return flat
