"""Columns that seem to refer to the texts, and were not declared: edits would make them untrue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from augkit.core.errors import DataError
from augkit.datasets.readers.blocks import Row
from augkit.datasets.schema import Schema
from augkit.datasets.shapes.offsets import entries_of, is_entry
from augkit.datasets.shapes.texts import is_token_list

_ROWS = 200
"""Rows that are looked at."""
_MOST = 0.8
"""So many values must occur in a text for a column to quote it."""


def undeclared_columns(rows: Sequence[Row], schema: Schema) -> Iterator[str]:
    """A warning with the option's name, for each column that refers to a text that may change."""
    rows = rows[:_ROWS]
    texts = {
        column: [_text(row.get(column)) for row in rows]
        for field, column in schema.fields.items()
        if field not in schema.locked
    }
    known = {*schema.fields.values(), schema.label, schema.id_column}
    known |= {held.column for held in schema.span_columns}
    for column in dict.fromkeys(name for row in rows for name in row if name not in known):
        values = [row.get(column) for row in rows]
        if said := _what(column, values, texts, rows, schema):
            yield f"Warning: {said}"


def _what(
    column: str,
    values: Sequence[Any],
    texts: Mapping[str, Sequence[str]],
    rows: Sequence[Row],
    schema: Schema,
) -> str:
    given = [value for value in values if value not in _EMPTY]
    if not given:
        return ""
    if all(map(_holds_offsets, given)):
        return (
            f"'{column}' seems to hold offsets, which edits make untrue. Have them follow: "
            f"--span-column {column}"
        )
    tokens = [held for field, held in schema.fields.items() if field in schema.shapes]
    if any(all(_is_parallel(row.get(column), row.get(held)) for row in rows) for held in tokens):
        return (
            f"'{column}' has one value per token, which edits make untrue. Have entity tags "
            f"follow: --span-column {column}"
        )
    for held, of_rows in texts.items():
        if all(map(is_token_list, given)) and _join(values) == _join(of_rows):
            return (
                f"'{column}' has the tokens of '{held}', which will differ after edits. Edit "
                f"the tokens instead: --text-column {column}"
            )
        if _share_quoted(values, of_rows) >= _MOST:
            return (
                f"'{column}' seems to quote '{held}', and edits may change what it quotes. Have "
                f"it follow: --answer-column {column}"
            )
    return ""


def _holds_offsets(value: Any) -> bool:
    try:
        entries = entries_of(value, "")
    except DataError:
        return False
    return bool(entries) and all(map(is_entry, entries))


def _is_parallel(value: Any, tokens: Any) -> bool:
    lists = isinstance(value, list) and is_token_list(tokens)
    return lists and len(value) == len(tokens) and not any(isinstance(v, list) for v in value)


def _share_quoted(values: Sequence[Any], texts: Sequence[str]) -> float:
    """The share of the values that occur in the text of their row."""
    quotes = [
        (quote, text)
        for value, text in zip(values, texts, strict=True)
        for quote in (value if isinstance(value, list) else [value])
        if isinstance(quote, str) and any(map(str.isalpha, quote))
    ]
    return sum(quote in text for quote, text in quotes) / len(quotes) if quotes else 0.0


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(one for one in value if isinstance(one, str))
    return value if isinstance(value, str) else ""


def _join(values: Sequence[Any]) -> str:
    return "".join("".join(_text(value).split()) for value in values)


_EMPTY: tuple[Any, ...] = (None, "", [], {})
