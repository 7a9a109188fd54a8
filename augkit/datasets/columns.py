"""Which columns hold texts, label and id: those the user gives, or those with usual names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field

from augkit.core.choices import PROMPT
from augkit.core.config import StrictModel
from augkit.core.errors import DataError, did_you_mean, listed
from augkit.datasets.choices.shapes import find_shape, known_shapes, no_choice
from augkit.datasets.readers.blocks import Row
from augkit.datasets.schema import LabelEncoding, Schema
from augkit.datasets.settings import ReadOptions
from augkit.datasets.shapes.find import (
    TagsAreNoLabel,
    find_span_columns,
    find_text_shapes,
    tagged_tokens,
)
from augkit.text.printable import shell_line

PAIRS = [
    ("premise", "hypothesis"),
    ("evidence", "claim"),
    ("text_a", "text_b"),
    ("sentence1", "sentence2"),
    ("question1", "question2"),
    ("question", "sentence"),
]
GROUPS = [
    ("prompt", "chosen", "rejected"),
    ("question", "context"),
    ("question", "passage"),
    ("instruction", "input", "output"),
    ("instruction", "output"),
    ("prompt", "response"),
    ("prompt", "completion"),
    ("question", "answer"),
    ("messages",),
    ("conversations",),
    ("conversation",),
    ("tokens",),
    ("words",),
]
"""Texts that are looked for where there is no pair and no single text; the first wins."""
SINGLES = ["text", "sentence", "review", "content", "body", "comment", "tweet", "document"]
LABELS = ["label", "labels", "gold_label", "class", "target", "sentiment"]
RESERVED = frozenset({"augkit_id", "augkit_origin", "augkit_parent", "augkit_method"})
"""Columns that augkit adds to the rows it writes."""


class ColumnHints(StrictModel):
    """What is known about the columns of a dataset before its rows are read."""

    fields: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict, description="field → columns that may hold it, the first one wins"
    )
    label_columns: tuple[str, ...] = ()
    label_names: tuple[str, ...] = Field((), description="names of the labels 0, 1, 2 ...")


def find_schema(
    where: str,
    rows: Sequence[Row],
    options: ReadOptions,
    hints: ColumnHints,
    names: Mapping[str, tuple[str, ...]],
) -> Schema:
    """The schema that fits the first rows of a dataset; an error says how to fix it.

    ``names`` are label names that the data has for some of its columns.
    """
    columns = list(dict.fromkeys(column for row in rows for column in row))
    taken = sorted(RESERVED.intersection(columns))
    if taken and not options.augmented:
        raise DataError(reserved(where, taken))
    if options.choices:
        return _choice_schema(where, columns, rows, options)
    label = _label_column(where, columns, options, hints)
    label_names = _label_names(hints.label_names, names.get(label or "", ()))
    fields = _fields(where, columns, options, hints)
    if not options.text_columns:
        _require_texts(where, fields, columns, rows)
    used = [*fields.values(), *([label] if label else [])]
    if twice := [column for column in used if used.count(column) > 1]:
        raise DataError(
            f"{where}: the column '{twice[0]}' is used twice. Give each text and the label its own "
            "column: --text-column, --label-column"
        )
    spans = options.span_columns
    declared = {"--span-column": spans, "--answer-column": options.answer_columns}
    tag_names = {**names, "": options.tag_names}
    try:
        span_columns = find_span_columns(where, rows, fields, declared, tag_names)
    except DataError as error:  # of one of the first rows
        named = str(error).startswith(where)
        raise error if named else DataError(f"{where}: {error}") from None
    shapes = find_text_shapes(rows, fields, options.edit_roles)
    if label and (tokens := tagged_tokens(rows, label, fields, shapes)):
        flags = ["--text-column", tokens, "--span-column", label]
        raise TagsAreNoLabel(
            f"{where}: '{label}' has a tag for each token of '{tokens}', and a label belongs to a "
            "whole row: such rows have no label to check. Methods rewrite them and keep the tags",
            flags,
        )
    return Schema(
        fields=fields,
        label=label,
        label_names=label_names,
        encoding=_encoding([row.get(label) for row in rows if label], label_names),
        id_column=options.id_column and _existing(where, columns, options.id_column, "id_column"),
        augmented=options.augmented,
        shapes=shapes,
        span_columns=span_columns,
        locked=_locked(where, fields, options.edit_columns),
    )


def _require_texts(
    where: str, fields: Mapping[str, str], columns: list[str], rows: Sequence[Row]
) -> None:
    """Raise where a column that was guessed has numbers in every row."""
    for column in fields.values():
        values = [row[column] for row in rows if row.get(column) is not None]
        if values and all(isinstance(value, int | float) for value in values):
            is_choice = find_shape(columns, rows) is not None
            hint = "Methods for choices, such as prune and positions, read these rows. " * is_choice
            raise DataError(
                f"{where}: '{column}' holds numbers, no texts. {hint}Choose the text columns with "
                f"--text-column NAME. {_listed(columns)}"
            )


def _choice_schema(
    where: str, columns: list[str], rows: Sequence[Row], options: ReadOptions
) -> Schema:
    """The schema of rows that are choices; their columns are known by their names."""
    for setting, flag in (("text_columns", "--text-column"), ("label_column", "--label-column")):
        if getattr(options, setting):
            raise DataError(
                f"{where}: {flag} is for rows with a label. {known_shapes()}: rename the columns"
            )
    shape = find_shape(columns, rows)
    if shape is None:
        raise DataError(f"{where}: {no_choice(columns)}")
    id_column = options.id_column and _existing(where, columns, options.id_column, "id_column")
    return Schema(
        fields={name: name for name in shape.text_columns},
        id_column=id_column,
        augmented=options.augmented,
        locked=frozenset({PROMPT}),
        choice=shape.fit(rows),
    )


def _locked(where: str, fields: Mapping[str, str], edited: Sequence[str]) -> frozenset[str]:
    """The fields that must not change: all but those named, where some are."""
    for name in edited:
        if name not in fields and name not in fields.values():
            raise DataError(
                f"{where}: '{name}' (--edit-column) is not one of the text columns: "
                f"{', '.join(fields.values())}. Name them with --text-column"
            )
    if not edited:
        return frozenset()
    return frozenset(name for name, column in fields.items() if not {name, column} & {*edited})


def reserved(where: str, taken: Iterable[str]) -> str:
    """The message for input columns with the names of those that augkit adds."""
    return (
        f"{where}: augkit adds columns called {', '.join(sorted(taken))}. "
        "Rename or drop them in the input"
    )


def _fields(
    where: str, columns: list[str], options: ReadOptions, hints: ColumnHints
) -> dict[str, str]:
    if options.text_columns:
        roles: Sequence[str] = options.text_columns if len(options.text_columns) > 1 else ("text",)
        if len(hints.fields) == len(options.text_columns):
            roles = list(hints.fields)
        named = zip(roles, options.text_columns, strict=True)
        return {role: _existing(where, columns, column, "--text-column") for role, column in named}
    if hints.fields:
        fields = {}
        for field, candidates in hints.fields.items():
            column = next((name for name in candidates if name in columns), None)
            if column is None:
                raise DataError(
                    f"{where}: no column holds the {field} (tried {', '.join(candidates)}). "
                    f"{_listed(columns)} Choose the text columns with --text-column"
                )
            fields[field] = column
        return fields
    return _guess(where, columns)


def _guess(where: str, columns: list[str]) -> dict[str, str]:
    """Guess the columns of the texts: by their exact names, else whatever their capitals are."""
    by_name = {column: column for column in columns}
    texts = _guess_texts(where, by_name)
    if not texts:
        by_name = _in_lower_case(columns)
        texts = _guess_texts(where, by_name)
    if not texts:
        raise DataError(
            f"{where}: Could not guess the text column. {_listed(columns)} "
            "Choose it: --text-column NAME, or for a pair of texts --text-column A --text-column B"
        )
    if len(texts) == 1:
        return {"text": by_name[texts[0]]}
    return {name: by_name[name] for name in texts}


def _guess_texts(where: str, by_name: Mapping[str, str]) -> tuple[str, ...]:
    """Find the usual names of texts in ``by_name`` (name → column); an error if several fit."""
    pairs = [pair for pair in PAIRS if by_name.keys() >= set(pair)]
    inside = {name for pair in pairs for name in pair}
    singles = [(name,) for name in SINGLES if name in by_name and name not in inside]
    candidates: list[tuple[str, ...]] = [*pairs, *singles]
    if len(candidates) > 1:
        named = [[by_name[name] for name in texts] for texts in candidates]
        listed = " or ".join("/".join(texts) for texts in named)
        raise DataError(
            f"{where}: which column holds the text? It could be {listed}. "
            f"Choose one: {shell_line(['--text-column', named[0][0]])}"
        )
    candidates = candidates or [group for group in GROUPS if by_name.keys() >= set(group)]
    return candidates[0] if candidates else ()


def _in_lower_case(columns: Sequence[str]) -> dict[str, str]:
    """Map names in lower case to the columns; of columns that differ in capitals alone, none."""
    names = [column.lower() for column in columns]
    counts = Counter(names)
    named = zip(names, columns, strict=True)
    return {name: column for name, column in named if counts[name] == 1}


def _label_column(
    where: str, columns: list[str], options: ReadOptions, hints: ColumnHints
) -> str | None:
    if options.label_column:
        return _existing(where, columns, options.label_column, "--label-column")
    possible = [column for column in columns if column not in options.text_columns]
    if hints.label_columns:
        return next((column for column in hints.label_columns if column in possible), None)
    labels = [name for name in LABELS if name in possible]
    if not labels:
        labels = [column for column in possible if column.lower() in LABELS]
    if len(labels) > 1:
        raise DataError(
            f"{where}: which column holds the label? It could be {' or '.join(labels)}. "
            f"Choose one: {shell_line(['--label-column', labels[0]])}"
        )
    return labels[0] if labels else None


def _label_names(ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """Our names for the numbers, unless the names in the data show that the numbers differ.

    >>> _label_names(("negative", "positive"), ("neg", "pos"))
    ('negative', 'positive')
    >>> _label_names(("negative", "positive"), ("positive", "negative"))
    ('positive', 'negative')
    """
    differ = len(ours) != len(theirs) or set(ours) == set(theirs)
    return theirs if theirs and differ else ours


def _existing(where: str, columns: list[str], column: str, flag: str) -> str:
    if column in columns:
        return column
    hint = did_you_mean(column, columns)
    raise DataError(f"{where}: no column '{column}' ({flag}).{hint} {_listed(columns)}")


def _listed(columns: list[str]) -> str:
    return f"Columns: {listed(columns)}." if columns else "There are no columns."


def _encoding(labels: Sequence[object], names: tuple[str, ...]) -> LabelEncoding:
    """The encoding of labels, judged by the first rows."""
    filled = [label for label in labels if label is not None and label != ""]
    if not all(isinstance(label, str) for label in filled):
        return "json"
    digits = filled and all(str(label).strip().lstrip("-").isdecimal() for label in filled)
    return "digits" if names and digits else "text"
