"""The page of a study: all methods side by side, over seeds, and what failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from augkit.commands.sweep.best import NOTE, best_sentences, read_comparisons
from augkit.commands.sweep.results import StudyRow, read_results
from augkit.commands.sweep.study import FAILURE, read_failure
from augkit.commands.sweep.text import (
    grouped,
    sign_notes,
    study_caveats,
    study_summary,
    summary_tables,
)
from augkit.core.json_files import find_json
from augkit.report.page.chart import Bar, chart
from augkit.report.page.run import write_run_page
from augkit.report.page.templates import write

_SEEDS = "dots are means over seeds, lines reach from the lowest to the highest seed"
_ONE_SEED = "dots are scores; the intervals of their differences are in the table"


def write_study_page(folder: Path, most: int) -> Path:
    """Write the page of a study folder and those of its trials, with at most ``most`` rows each."""
    rows = read_results(folder)
    trials = list({row.trial: row for row in rows}.values())
    for trial in trials:
        write_run_page(folder / "trials" / trial.trial, most)
    summary = study_summary(rows)
    return write(
        folder,
        "study.html",
        name=folder.resolve().name,
        study=find_json(folder / "study.json", dict, "Restore it from a copy"),
        charts=list(_charts(rows)),
        differences=[
            (title, list(lines[0]), [list(line.values()) for line in lines])
            for title, lines in summary_tables(summary).items()
        ],
        signs=sign_notes(summary),
        best=list(best_sentences(read_comparisons(folder))),
        best_note=NOTE,
        trials=trials,
        caveats=list(study_caveats(rows)),
        failures=[
            (path.parent.name, read_failure(path.parent))
            for path in sorted((folder / "trials").glob(f"*/{FAILURE}"))
        ],
    )


def _charts(rows: Sequence[StudyRow]) -> Iterator[dict[str, Any]]:
    """A chart for each metric: on every test set the originals, and each method's result."""
    for metric, of_metric in grouped(rows, lambda row: row.metric).items():
        bars: list[Bar] = []
        tests = grouped(of_metric, lambda row: (row.dataset, row.test, row.model))
        several_models = len({row.model for row in of_metric}) > 1
        for (dataset, test, model), of_test in tests.items():
            name = test if test.startswith(dataset) else f"{dataset} → {test}"
            name += f", {model}" if several_models else ""
            bars.append(_bar(name, "originals", [row.before for row in of_test]))
            bars += [
                _bar(name, method, [row.after for row in of_method])
                for method, of_method in grouped(of_test, lambda row: row.method).items()
            ]
        several = len({row.seed for row in of_metric}) > 1
        yield chart(metric, bars, _SEEDS if several else _ONE_SEED)


def _bar(test: str, series: str, values: Sequence[float]) -> Bar:
    """A dot, with a line where seeds differ."""
    if len(set(values)) == 1:
        return Bar(test, series, values[0])
    return Bar(test, series, fmean(values), min(values), max(values))
