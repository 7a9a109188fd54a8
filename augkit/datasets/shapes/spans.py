"""Columns of spans: by character offsets, or by a string that occurs in a text.

Offsets are those of entities or of SQuAD's answers; a string is the answer to a question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from augkit.core.edits import LabelledSpan
from augkit.core.errors import DataError
from augkit.core.json_files import Refused, parse_json
from augkit.datasets.readers.blocks import Row, kind_of

STARTS = ("start", "begin", "start_offset", "start_char", "answer_start")
ENDS = ("end", "stop", "end_offset", "end_char")
LABELS = ("label", "type", "entity", "tag")
Entry = dict[str, Any] | list[Any]


@dataclass(frozen=True, slots=True)
class OffsetColumn:
    """Entries with a start and an end, or with a start and the text itself.

    The column is a list of objects or of ``[start, end, label]``, one object, an object of lists
    (``{"text": [...], "answer_start": [...]}``), or any of them as JSON text.
    """

    column: str
    field: str

    def read(self, row: Row, fields: Mapping[str, str]) -> list[LabelledSpan]:
        """The spans of a row; ``DataError`` where an entry does not fit its text."""
        text = fields[self.field]
        return [self._span(entry, text) for entry in entries_of(row.get(self.column), self.column)]

    def write(self, row: Row, spans: Sequence[LabelledSpan], fields: Mapping[str, str]) -> Any:
        """The column of a variant: other offsets and texts, all else as it was."""
        value = row.get(self.column)
        old = entries_of(value, self.column)
        text = fields[self.field]
        new = [_moved(entry, span, text) for entry, span in zip(old, spans, strict=True)]
        return _like(value, new)

    def _span(self, entry: Entry, text: str) -> LabelledSpan:
        where = f"column '{self.column}'"
        start, end, quoted, label = _parts(entry, where)
        if not 0 <= start < end <= len(text):
            raise DataError(
                f"{where}: the span {start}-{end} is not inside '{self.field}', which has "
                f"{len(text)} characters. Offsets count characters from 0, and the end is the "
                "first one after the span: correct the row, or drop it"
            )
        if quoted is not None and text[start:end] != quoted:
            raise DataError(
                f"{where}: '{self.field}' has {text[start:end]!r} at {start}, not {quoted!r}. "
                "Offsets count characters (not bytes) from 0: correct the row, or drop it"
            )
        return LabelledSpan(self.field, start, end, label, self.column)


def entries_of(value: Any, column: str) -> list[Entry]:
    """The entries of a column's value, whichever way it holds them."""
    parsed = value
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        try:
            parsed = parse_json(value, column)
        except DataError as error:
            if isinstance(error.__cause__, Refused):
                raise
    if parsed is None or parsed == "":
        return []
    if isinstance(parsed, dict) and parsed and all(isinstance(v, list) for v in parsed.values()):
        if len({len(values) for values in parsed.values()}) > 1:
            raise DataError(f"column '{column}': its lists differ in length. Correct the row")
        return [dict(zip(parsed, cells, strict=True)) for cells in zip(*parsed.values())]  # noqa: B905
    if isinstance(parsed, dict):
        return [parsed] if parsed else []
    if isinstance(parsed, list) and all(isinstance(entry, dict | list) for entry in parsed):
        return parsed
    raise DataError(
        f"column '{column}': expected spans, as a list of {{start, end, label}}, found "
        f"{kind_of(parsed)}. Name another column with --span-column"
    )


def is_entry(entry: Any) -> bool:
    """Whether this says where a span is."""
    if isinstance(entry, dict):
        return _key(entry, STARTS) is not None
    return isinstance(entry, list) and len(entry) > 1 and all(type(n) is int for n in entry[:2])


def _parts(entry: Entry, where: str) -> tuple[int, int, str | None, str]:
    """Start, end, the text it says to be there, and label of an entry."""
    if not is_entry(entry):
        raise DataError(
            f"{where}: {json.dumps(entry, default=str)[:80]} has no offsets. Expected "
            "{start, end, label}, [start, end, label] or {answer_start, text}"
        )
    if isinstance(entry, list):
        return entry[0], entry[1], None, str(entry[2]) if len(entry) > 2 else ""
    quoted = entry.get("text") if isinstance(entry.get("text"), str) else None
    start = entry[_key(entry, STARTS) or ""]
    end_key = _key(entry, ENDS)
    label = _key(entry, LABELS)
    end = entry[end_key] if end_key else start + len(quoted or "")
    return start, end, quoted, str(entry[label]) if label else ""


def _moved(entry: Entry, span: LabelledSpan, text: str) -> Entry:
    if isinstance(entry, list):
        return [span.start, span.end, *entry[2:]]
    places: dict[str | None, Any] = {
        _key(entry, STARTS): span.start,
        _key(entry, ENDS): span.end,
    }
    if isinstance(entry.get("text"), str):
        places["text"] = text[span.start : span.end]
    return {key: places.get(key, value) for key, value in entry.items()}


def _like(value: Any, entries: list[Entry]) -> Any:
    """The entries, held as in the original value."""
    if isinstance(value, str) and value:
        return json.dumps(_like(json.loads(value), entries), ensure_ascii=False)
    if isinstance(value, dict) and all(isinstance(part, list) for part in value.values()):
        return {key: [entry[key] for entry in entries] for key in value}
    if isinstance(value, dict):
        return entries[0] if entries else value
    return entries if isinstance(value, list) else value


def _key(entry: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """The first of the names under which the entry has a value of the right type."""
    kind = str if names is LABELS else int
    return next((name for name in names if isinstance(entry.get(name), kind)), None)


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """One string or several; each place where it occurs is a span."""

    column: str
    fields: tuple[str, ...]
    """Where it may occur."""
    kind: Literal["answer", "quote"] = "answer"
    """A quote may be missing, and what is quoted must not change."""

    def read(self, row: Row, fields: Mapping[str, str]) -> list[LabelledSpan]:
        """All places of the answers; ``DataError`` where one does not occur."""
        spans = []
        value = row.get(self.column)
        values = value if isinstance(value, list) else [value]
        answers = [text for text in values if isinstance(text, str) and text.strip()]
        for answer in dict.fromkeys(answers):
            places = [
                LabelledSpan(field, start, start + len(answer), answer, self.column, self.kind)
                for field in self.fields
                for start in places_of(answer, fields[field])
            ]
            if not places and self.kind == "answer":
                raise DataError(
                    f"column '{self.column}': {answer[:80]!r} does not occur in "
                    f"{' or '.join(self.fields)}. Correct the row or drop it, or leave out "
                    f"--answer-column {self.column} if answers need not be quotes"
                )
            spans += places
        return spans

    def write(self, row: Row, spans: Sequence[LabelledSpan], fields: Mapping[str, str]) -> Any:
        """The answers as the texts now have them."""
        changed = {span.label: fields[span.field][span.start : span.end] for span in spans}
        value: Any = row.get(self.column)
        values = value if isinstance(value, list) else [value]
        new = [changed.get(part, part) if isinstance(part, str) else part for part in values]
        return new if isinstance(value, list) else new[0]


def places_of(answer: str, text: str) -> list[int]:
    """Where a string starts in a text: as whole words, or anywhere if it is nowhere so.

    >>> places_of("5", "15 and 5"), places_of("5", "15")
    ([7], [1])
    """
    written = re.escape(answer)
    for pattern in (rf"(?<!\w){written}(?!\w)", written):
        if starts := [match.start() for match in re.finditer(pattern, text)]:
            return starts
    return []
