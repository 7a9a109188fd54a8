"""Which columns hold texts, label and id: given by the user, or found by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from augkit.core.config import StrictModel
from augkit.core.errors import DataError, nearest
from augkit.datasets.readers.blocks import Row
from augkit.datasets.schema import LabelEncoding, Schema
from augkit.datasets.selection import RowSelection
from augkit.datasets.shapes.find import find_span_columns, find_text_shapes

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


def _split(names: Any) -> Any:
    """``"O,B-PER"`` is short for ``["O", "B-PER"]``."""
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else names


class TextOptions(StrictModel):
    """Which columns hold texts, which refer to them, and what may change."""

    text_columns: tuple[str, ...] = Field((), description="the columns of the texts")
    edit_columns: tuple[str, ...] = Field(
        (), description="the text columns that may change; none given: all of them"
    )
    edit_roles: tuple[str, ...] = Field(
        ("user",), min_length=1, description="the roles of a chat whose messages may change"
    )
    span_columns: tuple[str, ...] = Field(
        (), description="columns of offsets, of SQuAD answers, or of tags of tokens"
    )
    answer_columns: tuple[str, ...] = Field(
        (), description="columns of strings that occur in a text"
    )
    tag_names: Annotated[tuple[str, ...], BeforeValidator(_split)] = Field(
        (), description="the names of the tags 0, 1, 2 ..., where tags are numbers"
    )


class DatasetColumns(TextOptions):
    """Which columns of a dataset are used, and how its file is read."""

    label_column: str | None = Field(None, description="the column that holds the label")
    id_column: str | None = Field(None, description="a column with a unique id for each row")
    subset: str | None = Field(None, description="the configuration of a dataset on the hub")
    quotes: bool = Field(
        default=True, description='false: a " in a CSV or TSV file is a character like any other'
    )


class ReadOptions(DatasetColumns, RowSelection):
    """How a dataset is read; the defaults fit most files."""

    data_folder: Path | None = Field(
        None,
        description="where named datasets are searched first: NAME/SPLIT.jsonl[.gz]; default: "
        "AUGKIT_DATA",
    )
    hub_cache: Path | None = Field(None, description="the hub's local cache, if not the usual one")
    augmented: bool = Field(
        default=False,
        description="whether columns of augkit may be present; they are ignored",
    )


class ColumnHints(StrictModel):
    """What is known about the columns of a dataset before its rows are read."""

    fields: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict, description="field → columns that may hold it, the first one wins"
    )
    label_columns: tuple[str, ...] = ()
    span_columns: tuple[str, ...] = Field(
        (), description="columns of spans, unless others are given"
    )
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
    label = _label_column(where, columns, options, hints)
    label_names = _label_names(hints.label_names, names.get(label or "", ()))
    fields = _fields(where, columns, options, hints)
    _check_distinct(where, [*fields.values(), *([label] if label else [])])
    spans = options.span_columns or hints.span_columns
    declared = {"--span-column": spans, "--answer-column": options.answer_columns}
    tag_names = {**names, "": options.tag_names}
    return Schema(
        fields=fields,
        label=label,
        label_names=label_names,
        encoding=_encoding([row.get(label) for row in rows if label], label_names),
        id_column=options.id_column and _given(where, columns, options.id_column, "--id-column"),
        augmented=options.augmented,
        shapes=find_text_shapes(rows, fields, options.edit_roles),
        span_columns=find_span_columns(where, rows, fields, declared, tag_names),
        locked=_locked(where, fields, options.edit_columns),
    )


def _locked(where: str, fields: Mapping[str, str], edited: Sequence[str]) -> frozenset[str]:
    """The fields that must not change: all but those named, where some are."""
    for name in edited:
        if name not in fields and name not in fields.values():
            raise DataError(
                f"{where}: '{name}' (--edit-column) is not one of the text columns: "
                f"{', '.join(fields.values())}. Name them with --text-column"
            )
    kept = {field for field, column in fields.items() if edited and not {field, column} & {*edited}}
    return frozenset(kept)


def reserved(where: str, taken: Iterable[str]) -> str:
    """The message for input columns with the names of those that augkit adds."""
    return (
        f"{where}: augkit adds columns called {', '.join(sorted(taken))}. "
        "Rename or drop them in the input"
    )


def _check_distinct(where: str, used: Sequence[str]) -> None:
    """One column cannot be two texts, or a text and its own label."""
    twice = next((column for column in used if used.count(column) > 1), None)
    if twice is not None:
        raise DataError(
            f"{where}: the column '{twice}' is used twice. Give each text and the label its own "
            "column: --text-column, --label-column"
        )


def _fields(
    where: str, columns: list[str], options: ReadOptions, hints: ColumnHints
) -> dict[str, str]:
    if options.text_columns:
        roles = _roles(options.text_columns, hints)
        named = zip(roles, options.text_columns, strict=True)
        return {role: _given(where, columns, column, "--text-column") for role, column in named}
    if hints.fields:
        return {
            field: _first(where, columns, field, candidates)
            for field, candidates in hints.fields.items()
        }
    return _guess(where, columns)


def _roles(text_columns: tuple[str, ...], hints: ColumnHints) -> Sequence[str]:
    if len(hints.fields) == len(text_columns):
        return list(hints.fields)
    return ("text",) if len(text_columns) == 1 else text_columns


def _guess(where: str, columns: list[str]) -> dict[str, str]:
    pairs = [pair for pair in PAIRS if set(pair) <= set(columns)]
    inside = {column for pair in pairs for column in pair}
    singles = [column for column in SINGLES if column in columns and column not in inside]
    found = [*pairs, *((single,) for single in singles)]
    if len(found) > 1:
        listed = " or ".join("/".join(texts) for texts in found)
        raise DataError(
            f"{where}: which column holds the text? It could be {listed}. "
            f"Choose one: --text-column {found[0][0]}"
        )
    found = found or [group for group in GROUPS if set(group) <= set(columns)]
    if not found:
        raise DataError(
            f"{where}: no column has the name of a text. {_listed(columns)} "
            "Choose one with --text-column NAME; give it again for each further text"
        )
    return {"text": found[0][0]} if len(found[0]) == 1 else {name: name for name in found[0]}


def _label_column(
    where: str, columns: list[str], options: ReadOptions, hints: ColumnHints
) -> str | None:
    if options.label_column:
        return _given(where, columns, options.label_column, "--label-column")
    texts = set(options.text_columns)
    candidates = hints.label_columns or LABELS
    found = [column for column in candidates if column in columns and column not in texts]
    if len(found) > 1 and not hints.label_columns:
        raise DataError(
            f"{where}: which column holds the label? It could be {' or '.join(found)}. "
            f"Choose one: --label-column {found[0]}"
        )
    return found[0] if found else None


def _label_names(ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """Our names for the numbers, unless the names in the data show that the numbers differ.

    >>> _label_names(("negative", "positive"), ("neg", "pos"))
    ('negative', 'positive')
    >>> _label_names(("negative", "positive"), ("positive", "negative"))
    ('positive', 'negative')
    """
    other = len(ours) != len(theirs) or set(ours) == set(theirs)
    return theirs if theirs and other else ours


def _given(where: str, columns: list[str], column: str, flag: str) -> str:
    if column in columns:
        return column
    near = nearest(column, columns)
    hint = f" Did you mean '{near}'?" if near else ""
    raise DataError(f"{where}: no column '{column}' ({flag}).{hint} {_listed(columns)}")


def _first(where: str, columns: list[str], field: str, candidates: Iterable[str]) -> str:
    for column in candidates:
        if column in columns:
            return column
    raise DataError(
        f"{where}: no column holds the {field} (tried {', '.join(candidates)}). "
        f"{_listed(columns)} Choose the text columns with --text-column"
    )


def _listed(columns: list[str]) -> str:
    return f"Columns: {', '.join(columns)}." if columns else "There are no columns."


def _encoding(labels: Sequence[object], names: tuple[str, ...]) -> LabelEncoding:
    """The encoding of labels, judged by the first rows."""
    given = [label for label in labels if label is not None and label != ""]
    if not all(isinstance(label, str) for label in given):
        return "json"
    digits = given and all(str(label).strip().lstrip("-").isdecimal() for label in given)
    return "digits" if names and digits else "text"
