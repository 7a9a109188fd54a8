"""The page of a run: the verdict, the figures, and every variant with its changed words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from augkit.core.survey import SURVEY_FILE
from augkit.report.page.chart import Bar, chart, curve
from augkit.report.page.render import as_script, part, read, write
from augkit.report.page.rows import Rows, read_rows

_MOST_REASONS = 8
_MOST_SHORTCUTS = 12


def write_run_page(folder: Path, most: int) -> Path:
    """Write the page of a run folder; at most so many variants and rejections stand on it."""
    manifest, run_info = read(folder / "manifest.json"), read(folder / "run_info.json")
    scores = read(folder / "scores.json")
    return write(
        folder,
        "run.html",
        manifest=manifest,
        scores=scores,
        charts=list(_charts((scores or {}).get("results", []))),
        shortcuts=_shortcuts(read(folder / "shortcuts" / SURVEY_FILE)),
        trajectory=_trajectory((run_info or {}).get("trajectory", [])),
        reasons=_reasons(manifest),
        command=command_of(manifest),
        rows=_told(read_rows(folder, most)),
        script=part("page.js"),
    )


def _told(rows: Rows) -> Any:
    return as_script({"fields": rows.fields, "names": rows.names, "rows": rows.rows})


def _charts(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A chart for each metric: every test set before and after; fairscore also by axis."""
    by_metric: dict[str, list[Bar]] = {}
    for record in records:
        for metric, test, score in _scores(record):
            by_metric.setdefault(metric, []).append(Bar.of(test, record["train"], score))
    for metric, bars in by_metric.items():
        yield chart(metric, bars, "dots are scores, lines their 95 % intervals")


def _scores(record: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Which chart, which line of it, and the score."""
    if "difference" in record:
        return
    if "changed_rows" in record:
        name = f"{record['metric']} (changed rows)"
        yield name, record["test"], record["changed_rows"]
        for axis, score in record.get("by_axis", {}).items():
            yield f"{name} by axis", f"{axis}, {record['test']}", score
        return
    for score in list(record.get("scores", {}).values())[:1]:
        yield record["metric"], record["test"], score


def _shortcuts(survey: Any) -> Any:
    """How often the strongest features went with their label before, and do after."""
    compared = [row for row in (survey or {}).get("rows", []) if row.get("after")]
    bars = []
    for row in compared[:_MOST_SHORTCUTS]:
        name = f"{row['feature']} → {row['label']}"
        bars.append(Bar(name, "before", row["share"]))
        bars.append(Bar(name, "after", row["after"]["share"]))
    title = "Rows with the feature that have the label"
    caption = "the strongest before; far from the other labels' share: it gives the label away"
    return chart(title, bars, caption, together=True) if bars else None


def _trajectory(rounds: list[dict[str, Any]]) -> Any:
    """A method that works in rounds: its objective as it fell, and the strongest features."""
    if not rounds:
        return None
    title = "What is minimised, by round"
    strongest = [[*_strongest(one)] for one in (rounds[0], rounds[-1])]
    return {
        "curve": curve(title, [(one["round"], one["objective"]) for one in rounds]),
        "header": ("strongest before", "z", "strongest after", "z"),
        "rows": [(*a, *b) for a, b in zip(*strongest, strict=False)],
    }


def _strongest(one: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for feature in one["strongest"][:10]:
        yield f"{feature['feature']} → {feature['label']}", f"{feature['z']:.1f}"


def _reasons(manifest: dict[str, Any]) -> list[tuple[str, int, float]]:
    """Reason, count, and its share of the commonest one."""
    found = sorted(manifest["rejected_by_reason"].items(), key=lambda item: -item[1])
    most = found[0][1] if found else 1
    return [(reason, count, count / most) for reason, count in found[:_MOST_REASONS]]


def command_of(manifest: Mapping[str, Any]) -> str:
    """The command that makes this run again."""
    settings = manifest["settings"]
    words = ["augkit run", f"--method {settings['method']}", f"--dataset {settings['dataset']}"]
    words += [f"--set {key}={json.dumps(value)}" for key, value in settings["options"].items()]
    words += [f"--text-column {name}" for name in settings["text_columns"]]
    flags = ("label_column", "subset", "mix", "limit", "llm", "judge_llm", "base_url")
    words += [f"--{key.replace('_', '-')} {settings[key]}" for key in flags if settings.get(key)]
    return " ".join([*words, f"--seed {settings['seed']}"])
