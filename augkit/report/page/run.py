"""The page of a run: the verdict, charts, and every variant with its changed words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from augkit.core.edits import undo
from augkit.core.results import SURVEY_FILE
from augkit.core.types import Edit
from augkit.report.label_shift import label_shift
from augkit.report.page.chart import Bar, chart, curve
from augkit.report.page.render import as_script, part, read_json_file, write
from augkit.report.shortcut_lines import shortcut_name

_MOST_REASONS = 8
_MOST_SHORTCUTS = 12
_MOST_STRENGTHS = 20


def write_run_page(folder: Path, most: int) -> Path:
    """Write the page of a run folder, with at most ``most`` variants and rejections."""
    manifest, run_info = (
        read_json_file(folder / "manifest.json"),
        read_json_file(folder / "run_info.json"),
    )
    scores = read_json_file(folder / "scores.json")
    return write(
        folder,
        "run.html",
        manifest=manifest,
        scores=scores,
        charts=list(_charts((scores or {}).get("results", []))),
        shortcuts=_shortcuts(read_json_file(folder / "shortcuts" / SURVEY_FILE)),
        trajectory=_trajectory((run_info or {}).get("trajectory", [])),
        strengths=_strengths((run_info or {}).get("shortcuts", [])),
        caveats=[*(run_info or {}).get("caveats", []), *label_shift(manifest or {})],
        reasons=_reasons(manifest),
        rows=_script(read_rows(folder, most)),
        script=part("page.js"),
    )


def _script(rows: PageRows) -> Any:
    return as_script({"fields": rows.fields, "names": rows.names, "rows": rows.rows})


def _charts(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A chart of each metric's main score, and one of each breakdown (``axis: gender``)."""
    bars: dict[str, list[Bar]] = {}
    captions: dict[str, str] = {}
    for record in records:
        for title, name, score in _scores(record):
            bars.setdefault(title, []).append(Bar.of(name, record["train"], score))
            captions[title] = _caption(record["direction"])
    for title, own in bars.items():
        yield chart(title, own, captions[title])


def _scores(record: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Which chart, which line of it, and the score."""
    for index, (name, score) in enumerate(record.get("scores", {}).items()):
        kind, colon, value = name.partition(": ")
        if colon:
            yield f"{record['metric']} by {kind}", f"{value}, {record['test']}", score
        elif index == 0:
            metric, main = record["metric"], name.replace("_", " ")
            same = main == metric.replace("-", " ")
            yield metric if same else f"{metric} ({main})", record["test"], score


def _caption(direction: str) -> str:
    better = "" if direction == "neither" else f"; {direction} is better"
    return f"dots are scores, lines their 95 % intervals{better}"


def _shortcuts(survey: Any) -> Any:
    """How often the strongest features occur with their label, before and after."""
    rows = [row for row in (survey or {}).get("rows", []) if row.get("after")]
    bars = []
    several = len({row.get("field") for row in rows}) > 1
    for row in rows[:_MOST_SHORTCUTS]:
        base = f" (base {100 * row['base']:.0f} %)" if "base" in row else ""
        name = f"{shortcut_name(row, several=several)} → {row['label']}{base}"
        bars.append(Bar(name, "before", row["share"]))
        bars.append(Bar(name, "after", row["after"]["share"]))
    title = "Rows with the feature that have the label"
    caption = "the strongest before; the further from the base, the label's share, the stronger"
    return chart(title, bars, caption, together=True) if bars else None


def _trajectory(rounds: list[dict[str, Any]]) -> Any:
    """Of a method that works in rounds: its objective by round, and the strongest features."""
    if not rounds:
        return None
    title = "Objective by round (minimised)"
    strongest = [[*_strongest(one)] for one in (rounds[0], rounds[-1])]
    return {
        "curve": curve(title, [(one["round"], one["objective"]) for one in rounds]),
        "header": ("strongest before", "z", "strongest after", "z"),
        "rows": [(*a, *b) for a, b in zip(*strongest, strict=False)],
    }


def _strengths(shortcuts: list[dict[str, Any]]) -> Any:
    """Each shortcut's strength before and after, and how many only a model could rewrite."""
    if not shortcuts:
        return None
    rows = []
    for one in shortcuts[:_MOST_STRENGTHS]:
        state = "left" if one["left"] else "removed"
        state = "kept: it judges or negates" if one["left"] and one["judges"] else state
        documents = f"{one['documents']:,} → {one['documents after']:,}"
        name = f"{one['feature']} ({one['kind']}) → {one['label']}"
        rows.append((name, f"{one['z']:.1f}", f"{one['z after']:.1f}", documents, state))
    return {
        "header": ("shortcut", "z before", "z after", "rows", "now"),
        "rows": rows,
        "left": sum(one["left"] for one in shortcuts),
        "all": len(shortcuts),
    }


def _strongest(one: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for feature in one["strongest"][:10]:
        yield f"{feature['feature']} → {feature['label']}", f"{feature['z']:.1f}"


def _reasons(manifest: dict[str, Any]) -> list[tuple[str, int, float]]:
    """Reason, count, and the count as a share of the most frequent one."""
    found = sorted(manifest["rejected_by_reason"].items(), key=lambda item: -item[1])
    most = found[0][1] if found else 1
    return [(reason, count, count / most) for reason, count in found[:_MOST_REASONS]]


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
