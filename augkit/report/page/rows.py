"""The rows of the page: variants and rejections, compact enough for a hundred thousand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from augkit.core.types import Edit
from augkit.text.diff import undo

_LONGEST = 4_000
"""Characters of a text that are shown."""
_ORIGIN = "original"


@dataclass
class PageRows:
    """Compact rows: texts by field, edits, and numbers of repeated names (labels, reasons ...)."""

    fields: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """The number of a name; a new name gets the next one."""
        if name not in self.numbers:
            self.numbers[name] = len(self.names)
            self.names.append(name)
        return self.numbers[name]

    def add(self, texts: Mapping[str, str], edits: list[Edit], columns: tuple[str, ...]) -> None:
        """One row: ``columns`` are state, method, label before, label after, reason, note."""
        for name in texts:
            if name not in self.fields:
                self.fields.append(name)
        shown = {name: text[:_LONGEST] for name, text in texts.items()}
        kept = [
            [self.fields.index(edit.field), edit.start, edit.end, edit.after[:_LONGEST]]
            for edit in sorted(edits, key=lambda edit: (edit.field, edit.start))
            if edit.end <= _LONGEST
        ]
        texts_in_order = [shown.get(name, "") for name in self.fields]
        self.rows.append([texts_in_order, kept, *(self.number(name) for name in columns)])


def read_rows(folder: Path, most: int) -> PageRows:
    """Variants first, then rejections, at most ``most``; the files hold them all."""
    rows = PageRows()
    accepted = list(islice(_lines(folder / "variants.jsonl"), most))
    rejected = list(islice(_lines(folder / "rejected.jsonl"), most - len(accepted)))
    parents = {record["parents"][0] for record in (*accepted, *rejected)}
    originals = _originals(folder / "dataset.jsonl", parents, 2 * most)
    for record in accepted:
        edits = [Edit(**edit) for edit in record["edits"]]
        before = originals.get(record["parents"][0], {}).get("label")
        before = record["label"] if before is None and record["contract"] == "kept" else before
        labels = (_label(before), _label(record["label"]))
        columns = ("accepted", record["method"], *labels, "", _note(record))
        rows.add(undo(record["fields"], edits), edits, columns)
    for record in rejected:
        parent = originals.get(record["parents"][0], {})
        texts = {name: str(parent.get(name, "")) for name in rows.fields or ["text"]}
        label = _label(parent.get("label"))
        reason = (record["reason"], record["detail"])
        rows.add(texts, [], ("rejected", record["method"], label, label, *reason))
    return rows


def _originals(path: Path, wanted: set[str], most: int) -> dict[str, dict[str, Any]]:
    """The wanted originals by id, as far as they are in the first rows of the result."""
    return {
        row["augkit_id"]: row
        for row in islice(_lines(path), most)
        if row.get("augkit_origin") == _ORIGIN and row["augkit_id"] in wanted
    }


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.is_file():
        with path.open(encoding="utf-8") as lines:
            yield from map(_record, lines)


def _record(line: str) -> dict[str, Any]:
    try:
        record: dict[str, Any] = orjson.loads(line)
    except orjson.JSONDecodeError:  # half a surrogate pair, which a run writes as an escape
        record = json.loads(line)
    return record


def _label(label: object) -> str:
    return "no label" if label is None else str(label)


def _note(record: Mapping[str, Any]) -> str:
    """What the method recorded of the change (axis, triples ...): a line each, name, tab, value."""
    about = record.get("about") or {}
    return "\n".join(f"{key}\t{' '.join(str(value).split())}" for key, value in about.items())
