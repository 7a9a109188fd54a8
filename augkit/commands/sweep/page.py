"""The page of a study: all methods side by side, over seeds, and what failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from augkit.commands.sweep.caveats import study_caveats
from augkit.commands.sweep.study_best import NOTE, best_methods
from augkit.commands.sweep.summary import sign_notes, study_summary, summary_tables
from augkit.report.page.chart import Bar, chart
from augkit.report.page.render import read_json_file, write
from augkit.report.page.run import write_run_page

_SEEDS = "dots are means over seeds, lines reach from the lowest to the highest seed"
_ONE_SEED = "dots are scores; the intervals of their differences are in the table"


def write_study_page(folder: Path, most: int) -> Path:
    """Write the page of a study folder and those of its trials, with at most ``most`` rows each."""
    rows = read_json_file(folder / "results.json") or []
    for trial in _trials(rows):
        write_run_page(folder / "trials" / trial["trial"], most)
    summary = study_summary(rows)
    return write(
        folder,
        "study.html",
        name=folder.resolve().name,
        study=read_json_file(folder / "study.json"),
        charts=list(_charts(rows)),
        differences=[
            (title, list(rows[0]), [list(row.values()) for row in rows])
            for title, rows in summary_tables(summary).items()
        ],
        signs=sign_notes(summary),
        best=list(best_methods(read_json_file(folder / "comparisons.json") or [])),
        best_note=NOTE,
        trials=_trials(rows),
        caveats=list(study_caveats(rows)),
        failures=list(_failures(folder)),
    )


def _charts(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """A chart for each metric: on every test set the originals, and each method's result."""
    for metric, own in _by(rows, "metric"):
        bars: list[Bar] = []
        for (dataset, test), results in _by(own, "dataset", "test"):
            name = test if test.startswith(dataset) else f"{dataset} → {test}"
            bars.append(_bar(name, "originals", [row["before"] for row in results]))
            bars += [
                _bar(name, method, [row["after"] for row in mine])
                for method, mine in _by(results, "method")
            ]
        several = len({row["seed"] for row in own}) > 1
        yield chart(metric, bars, _SEEDS if several else _ONE_SEED)


def _bar(test: str, series: str, values: Sequence[float]) -> Bar:
    """A dot, with a line where seeds differ."""
    if len(set(values)) == 1:
        return Bar(test, series, values[0])
    return Bar(test, series, fmean(values), min(values), max(values))


def _trials(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """One record per trial: its counts and its cost."""
    return list({row["trial"]: row for row in rows}.values())


def _failures(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted((folder / "trials").glob("*/failure.json")):
        yield path.parent.name, str(read_json_file(path)["error"])


def _by(rows: Sequence[Mapping[str, Any]], *keys: str) -> list[tuple[Any, list[Mapping[str, Any]]]]:
    """Groups in the order of their first row, by one key or by a tuple of several."""
    groups: dict[Any, list[Mapping[str, Any]]] = {}
    for row in rows:
        key = tuple(row[name] for name in keys)
        groups.setdefault(key if len(keys) > 1 else key[0], []).append(row)
    return list(groups.items())
