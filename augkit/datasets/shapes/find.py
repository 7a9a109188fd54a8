"""Columns that are more than a text, judged by the first rows of a dataset.

The user declares those that refer to parts of the texts. Others that do so are an error, or what
they quote must not change: edits would make them untrue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from augkit.core.errors import DataError, did_you_mean
from augkit.core.options import options_field
from augkit.datasets.readers.blocks import Row
from augkit.datasets.schema import Schema, SpanColumn, TextShape
from augkit.datasets.shapes.spans import AnswerColumn, OffsetColumn, entries_of, is_entry
from augkit.datasets.shapes.tags import TagColumn, holds_tags, missing_tags, scheme_of
from augkit.datasets.shapes.texts import (
    Chat,
    OptionList,
    TokenList,
    is_chat,
    is_token_list,
    same_role,
)
from augkit.text.printable import shell_line

_CONTEXTS = ("context", "passage", "document")
"""Fields that offsets refer to where there are several texts."""
_ROWS = 200
"""Rows that are looked at."""
_MOST = 0.8
"""So many values must occur in a text for a column to quote it."""
_EMPTY: tuple[Any, ...] = (None, "", [], {})


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
            shapes[field] = OptionList() if options_field([column]) else TokenList()
    return shapes


def tagged_tokens(
    rows: Sequence[Row], column: str, fields: Mapping[str, str], shapes: Mapping[str, TextShape]
) -> str:
    """The column of tokens for each of which another column has a value; "" if none."""
    lists = [fields[name] for name, shape in shapes.items() if isinstance(shape, TokenList)]
    parallel = (held for held in lists if _is_parallel(column, held, rows[:_ROWS]))
    return next(parallel, "")


class TagsAreNoLabel(DataError):
    """The column of the label has a tag for each token."""

    def __init__(self, problem: str, flags: Sequence[str]) -> None:
        """``flags`` are the options with which the rows are rewritten."""
        super().__init__(f"{problem}: {shell_line(flags)}")
        self.problem = problem
        self.flags = flags


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
    span_columns: list[SpanColumn] = []
    for flag, declared in wanted.items():
        for name in declared:
            column, field = _column_and_field(where, rows, fields, name, flag)
            value = first_value(rows, column)
            if flag == "--answer-column":
                answered = (field,) if field else tuple(fields)
                span_columns.append(AnswerColumn(column, answered))
            elif isinstance(value, list) and not isinstance(value[0], dict | list):
                names = tag_names.get("") or tag_names.get(column, ())
                span_columns.append(_tag_column(where, rows, fields, column, names))
            else:
                entries_of(value, column)  # an error where it cannot be spans
                span_columns.append(OffsetColumn(column, field or _context(where, fields, column)))
    return tuple(span_columns)


def first_value(rows: Sequence[Row], column: str) -> Any:
    """The first value of a column that is not empty."""
    return next((row[column] for row in rows if row.get(column) not in _EMPTY), None)


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
                    "entity of more tokens needs. Give all names, the new ones last: "
                    f"--set tag_names={','.join([*names, *lacking])}"
                )
            return TagColumn(column, field, tokens, names, scheme)
    raise DataError(
        f"{where}: '{column}' has one tag per token, and no text column holds tokens. Name the "
        f"column of the tokens: --text-column TOKENS {shell_line(['--span-column', column])}"
    )


def _column_and_field(
    where: str, rows: Sequence[Row], fields: Mapping[str, str], name: str, flag: str
) -> tuple[str, str | None]:
    """``COLUMN`` or ``COLUMN=TEXT``; the text can be named by its column, too."""
    column, _, text = name.partition("=")
    columns = {key for row in rows for key in row}
    if column not in columns:
        hint = did_you_mean(column, columns)
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
    if contexts := [name for name in _CONTEXTS if name in fields]:
        return contexts[0]
    raise DataError(
        f"{where}: which text do the offsets of '{column}' refer to? Say it: "
        f"{shell_line(['--span-column', f'{column}={next(iter(fields))}'])}. Texts: "
        f"{', '.join(fields)}"
    )


def following_columns(rows: Sequence[Row], schema: Schema) -> list[str]:
    """The options with which the columns that refer to a text follow its edits."""
    rows = rows[:_ROWS]
    fields = {field: held for field, held in schema.fields.items() if field not in schema.locked}
    texts = {held: [_text(row.get(held)) for row in rows] for held in fields.values()}
    declared = {*schema.fields.values(), schema.label, schema.id_column}
    declared |= {held.column for held in schema.span_columns}
    flags: list[str] = []
    for column in dict.fromkeys(name for row in rows for name in row if name not in declared):
        values = [row.get(column) for row in rows]
        filled = [value for value in values if value not in _EMPTY]
        has_tags = any(map(holds_tags, filled)) and tagged_tokens(
            rows, column, fields, schema.shapes
        )
        has_offsets = bool(filled) and all(map(_holds_offsets, filled))
        if has_tags or has_offsets:
            flags += ["--span-column", column]
        elif any(_share_quoted(values, texts[held]) >= _MOST for held in texts):
            flags += ["--answer-column", column]
    return flags


def guarded_schema(where: str, rows: Sequence[Row], schema: Schema) -> tuple[Schema, list[str]]:
    """The schema with which no column that refers to a text becomes untrue, and warnings.

    A column of offsets, of tags or of the tokens of a text that may change is a ``DataError`` with
    what to do about it: edits would make it untrue. One that quotes a text gets a warning, and
    variants that would change what it quotes are rejected.
    """
    rows = rows[:_ROWS]
    texts = {
        column: [_text(row.get(column)) for row in rows]
        for field, column in schema.fields.items()
        if field not in schema.locked
    }
    field_of = {column: field for field, column in schema.fields.items()}
    declared = {*schema.fields.values(), schema.label, schema.id_column}
    declared |= {held.column for held in schema.span_columns}
    quoting: list[SpanColumn] = []
    warnings = []
    for column in dict.fromkeys(name for row in rows for name in row if name not in declared):
        values = [row.get(column) for row in rows]
        if fault := _untrue(column, values, texts, rows, schema):
            raise DataError(f"{where}: {fault}, or remove the column")
        quoted = [held for held in texts if _share_quoted(values, texts[held]) >= _MOST]
        if quoted:
            quoting.append(AnswerColumn(column, tuple(map(field_of.__getitem__, quoted)), "quote"))
            warnings.append(
                f"Warning: '{column}' seems to quote '{quoted[0]}': variants that change what it "
                f"quotes are rejected. Have it follow the edits instead: "
                f"{shell_line(['--answer-column', column])}"
            )
    if not quoting:
        return schema, []
    return replace(schema, span_columns=(*schema.span_columns, *quoting)), warnings


def _untrue(
    column: str,
    values: Sequence[Any],
    texts: Mapping[str, Sequence[str]],
    rows: Sequence[Row],
    schema: Schema,
) -> str:
    """How edits would make a column untrue, and the option that makes it follow; "" else."""
    filled = [value for value in values if value not in _EMPTY]
    if not filled:
        return ""
    if all(map(_holds_offsets, filled)):
        return (
            f"'{column}' looks like character offsets, and edits will break them. Add "
            f"{shell_line(['--span-column', column])}"
        )
    has_tags = any(map(holds_tags, filled))
    for field, held in schema.fields.items():
        is_edited = field not in schema.locked and isinstance(schema.shapes.get(field), TokenList)
        if is_edited and (has_tags or _is_parallel(column, held, rows)):
            return (
                f"'{column}' has one value for each token of '{held}', and edits will break it. "
                f"If these are entity tags, add {shell_line(['--span-column', column])}"
            )
    if has_tags and texts:
        return (
            f"'{column}' has tags of tokens, and edits of '{next(iter(texts))}' will break them. "
            f"Edit the tokens instead: --text-column TOKENS {shell_line(['--span-column', column])}"
        )
    for held, of_rows in texts.items():
        if quote := _quote_at(values, of_rows, rows, column):
            others = [name for name in texts if name not in {held, quote}]
            keep = (
                f", change other texts alone: {shell_line(['--edit-column', others[0]])}"
                if others
                else ""
            )
            return (
                f"'{column}' looks like the place of '{quote}' in '{held}', and edits will make it "
                'wrong. Write both as one column, {"text": ["Jane"], "answer_start": [17]}, and '
                f"name it with --span-column{keep}"
            )
        if all(map(is_token_list, filled)) and _join(values) == _join(of_rows):
            return (
                f"'{column}' has the tokens of '{held}', which will differ after edits. Edit "
                f"the tokens instead: {shell_line(['--text-column', column])}"
            )
    return ""


def _holds_offsets(value: Any) -> bool:
    try:
        entries = entries_of(value, "")
    except DataError:
        return False
    return bool(entries) and all(map(is_entry, entries))


def _quote_at(values: Sequence[Any], texts: Sequence[str], rows: Sequence[Row], column: str) -> str:
    """The column whose text begins, or ends, where the numbers say in every row; "" if none."""
    for name in (name for name in rows[0] if name != column):
        places = [
            _is_place(value, row.get(name), text)
            for value, row, text in zip(values, rows, texts, strict=True)
            if value not in _EMPTY
        ]
        if any(all(sides) for sides in zip(*places, strict=True)):
            return name
    return ""


def _is_place(value: Any, quote: Any, text: str) -> tuple[bool, bool]:
    """Whether a quote begins at a number in a text, and whether it ends there."""
    digits = "" if isinstance(value, bool) else str(value)
    if (
        not digits.isdecimal()
        or len(digits) > len(str(len(text)))
        or not isinstance(quote, str)
        or not 1 < len(quote) < len(text)
    ):
        return False, False
    place = int(digits)
    return text.startswith(quote, place), text[:place].endswith(quote)


def _is_parallel(column: str, tokens: str, rows: Sequence[Row]) -> bool:
    """Whether the lists of a column are as long as those of the tokens, in nearly all rows."""
    lists = [
        (value, row[tokens])
        for row in rows
        if is_token_list(row.get(tokens)) and (value := row.get(column)) not in _EMPTY
    ]
    as_long = sum(
        isinstance(value, list)
        and len(value) == len(held)
        and not any(isinstance(element, list) for element in value)
        for value, held in lists
    )
    return bool(lists) and as_long >= _MOST * len(lists)


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
        return " ".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _join(values: Sequence[Any]) -> str:
    return "".join("".join(_text(value).split()) for value in values)
