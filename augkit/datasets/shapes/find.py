"""Which shape the columns have that the user declares, judged by the first rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from augkit.core.errors import DataError, nearest
from augkit.datasets.readers.blocks import Row
from augkit.datasets.schema import SpanColumn, TextShape
from augkit.datasets.shapes.answers import AnswerColumn
from augkit.datasets.shapes.offsets import OffsetColumn, entries_of
from augkit.datasets.shapes.tags import TagColumn, missing_tags, scheme_of
from augkit.datasets.shapes.texts import Chat, TokenList, is_chat, is_token_list, same_role

_CONTEXTS = ("context", "passage", "document")
"""Fields that offsets refer to where there are several texts."""


def find_text_shapes(
    rows: Sequence[Row], fields: Mapping[str, str], roles: Sequence[str]
) -> dict[str, TextShape]:
    """Field → shape, for the fields whose values are lists."""
    shapes: dict[str, TextShape] = {}
    for field, column in fields.items():
        value = first_value(rows, column)
        if any(isinstance(row.get(column), str) for row in rows):
            continue
        if is_chat(value):
            shapes[field] = Chat(tuple(map(same_role, roles)))
        elif is_token_list(value):
            shapes[field] = TokenList()
    return shapes


def find_span_columns(
    where: str,
    rows: Sequence[Row],
    fields: Mapping[str, str],
    wanted: Mapping[str, Sequence[str]],
    tag_names: Mapping[str, tuple[str, ...]],
) -> tuple[SpanColumn, ...]:
    """The columns of ``wanted["--span-column"]`` and ``wanted["--answer-column"]``.

    ``tag_names`` are the names that the data, or under "" the user, has for tags that are numbers.
    """
    found: list[SpanColumn] = []
    for flag, declared in wanted.items():
        for name in declared:
            column, field = _column_and_field(where, rows, fields, name, flag)
            if flag == "--answer-column":
                found.append(AnswerColumn(column, (field,) if field else tuple(fields)))
            else:
                names = tag_names.get("") or tag_names.get(column, ())
                found.append(_span_column(where, rows, fields, (column, field), names))
    return tuple(found)


def first_value(rows: Sequence[Row], column: str) -> Any:
    """The first value of a column that is not empty."""
    return next((row[column] for row in rows if row.get(column) not in _EMPTY), None)


def _span_column(
    where: str,
    rows: Sequence[Row],
    fields: Mapping[str, str],
    named: tuple[str, str | None],
    names: tuple[str, ...],
) -> SpanColumn:
    column, field = named
    value = first_value(rows, column)
    if isinstance(value, list) and not isinstance(value[0], dict | list):
        return _tag_column(where, rows, fields, column, names)
    entries_of(value, column)  # an error now where it cannot be spans
    return OffsetColumn(column, field or _context(where, fields, column))


def _tag_column(
    where: str,
    rows: Sequence[Row],
    fields: Mapping[str, str],
    column: str,
    names: tuple[str, ...],
) -> TagColumn:
    for field, tokens in fields.items():
        if is_token_list(first_value(rows, tokens)):
            tags = TagColumn(column, field, tokens, names)
            scheme = scheme_of(tags.named(rows))
            if lacking := missing_tags(names, scheme):
                raise DataError(
                    f"{where}: the tags of '{column}' have no number for {lacking[0]}, which an "
                    "entity of more tokens needs. Give all names, the new ones last: --tag-names "
                    f"{','.join([*names, *lacking])}"
                )
            return TagColumn(column, field, tokens, names, scheme)
    raise DataError(
        f"{where}: '{column}' has one tag per token, and no text column holds tokens. Name the "
        f"column of the tokens: --text-column tokens --span-column {column}"
    )


def _column_and_field(
    where: str, rows: Sequence[Row], fields: Mapping[str, str], name: str, flag: str
) -> tuple[str, str | None]:
    """``COLUMN`` or ``COLUMN=TEXT``; the text can be named by its column, too."""
    column, _, text = name.partition("=")
    columns = {key for row in rows for key in row}
    if column not in columns:
        near = nearest(column, columns)
        hint = f" Did you mean '{near}'?" if near else ""
        raise DataError(f"{where}: no column '{column}' ({flag}).{hint}")
    if column in fields.values():
        raise DataError(
            f"{where}: '{column}' is a text column and cannot be given with {flag} as well. "
            "Name the columns of the texts with --text-column"
        )
    by_column = {held: field for field, held in fields.items()}
    field = by_column.get(text, text) if text else None
    if field is not None and field not in fields:
        raise DataError(f"{where}: {flag} {name}: no text '{text}'. Texts: {', '.join(fields)}")
    return column, field


def _context(where: str, fields: Mapping[str, str], column: str) -> str:
    if len(fields) == 1:
        return next(iter(fields))
    if found := [name for name in _CONTEXTS if name in fields]:
        return found[0]
    raise DataError(
        f"{where}: which text do the offsets of '{column}' refer to? Say it: "
        f"--span-column {column}={next(iter(fields))}. Texts: {', '.join(fields)}"
    )


_EMPTY: tuple[Any, ...] = (None, "", [], {})
