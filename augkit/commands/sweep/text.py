"""A study in words and tables: what ``augkit sweep`` prints, and what its page shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from augkit.commands.sweep.best import NOTE, shown_best
from augkit.commands.sweep.results import StudyRow
from augkit.commands.sweep.study import Study
from augkit.report.terminal import Record, p_cell, print_lines, print_rows
from augkit.text.printable import printable
from augkit.text.screen import show_error

_OTHERS = 5
"""Lines shown of those that the best one is compared with."""
_IN_TITLE = ("dataset", "metric", "test", "model")
_EXCLUDES = "excludes 0"
_SIGNS = {
    "±": "the standard deviation over seeds",
    "(same)": "the same training set in every seed: one result, not several",
}


def print_trial(name: str, outcome: str, done: int, total: int) -> None:
    """One line per finished trial of a study."""
    show_error(f"{done}/{total} {printable(name)}: {printable(outcome)}")


def print_study_estimate(estimates: Sequence[Record]) -> None:
    """What a study would do, for each method and dataset, and in total."""
    print_lines("Dry run: nothing was written, nothing was spent.")
    print_rows(estimates)


def print_study(study: Study) -> None:
    """A table for each test set, the best methods, caveats, what failed, where the files are."""
    summary = study_summary(study.rows)
    for title, rows in summary_tables(summary).items():
        print_lines(f"\n{title}")
        print_rows(rows)
    print_lines(*sign_notes(summary))
    best = [printable(line) for line in shown_best(study.comparisons, _OTHERS)]
    print_lines(*(["", *best, NOTE, ""] if best else []))
    print_lines(*(f"Caveats: {printable(caveat)}" for caveat in study_caveats(study.rows)))
    failures = study.failures.items()
    print_lines(*(f"Failed: {name}: {printable(reason)}" for name, reason in failures))
    print_lines(
        f"{study.folder}: report.html, results.csv, comparisons.json, and each trial's own folder"
    )


def study_summary(rows: Sequence[StudyRow]) -> list[dict[str, object]]:
    """The change of each method on each dataset, metric and test set, and how sure it is.

    Of one seed the interval and the p-value of its evaluation; of several the mean, the standard
    deviation, and how many of their intervals exclude 0.
    """
    groups = grouped(rows, lambda row: (row.method, row.dataset, row.metric, row.test, row.model))
    seeds = any(len(group) > 1 for group in groups.values())
    return [
        {
            "method": method,
            "dataset": dataset,
            "metric": metric,
            "test": test,
            "model": model,
            "variants": f"{fmean(row.variants for row in group):,.0f}",
            "before": f"{fmean(row.before for row in group):.3f}",
            "after": f"{fmean(row.after for row in group):.3f}",
            "change": _spread(group),
            **_certainty(group, seeds=seeds),
        }
        for (method, dataset, metric, test, model), group in groups.items()
    ]


def grouped(rows: Sequence[StudyRow], key: Callable[[StudyRow], Any]) -> dict[Any, list[StudyRow]]:
    """Groups in the order of their first row."""
    groups: dict[Any, list[StudyRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def summary_tables(
    summary: Sequence[Mapping[str, object]],
) -> dict[str, list[dict[str, object]]]:
    """The lines of the summary by test set: title → rows without what the title says."""
    tables: dict[str, list[dict[str, object]]] = {}
    several = len({row["model"] for row in summary}) > 1
    for row in summary:
        dataset, metric, test, model = (str(row[key]) for key in _IN_TITLE)
        trained = "" if test.startswith(dataset) else f", trained on {dataset}"
        trained += f", {model}" if several else ""
        cells = {key: row[key] for key in row if key not in _IN_TITLE}
        tables.setdefault(f"{metric} on {test}{trained}", []).append(cells)
    return tables


def sign_notes(summary: Sequence[Mapping[str, object]]) -> list[str]:
    """What the signs in the column of changes mean, and the column of seeds: where they are."""
    cells = " ".join(str(row["change"]) for row in summary)
    notes = [f"{sign}: {meaning}" for sign, meaning in _SIGNS.items() if sign in cells]
    if any(_EXCLUDES in row for row in summary):
        notes.append(f"{_EXCLUDES}: seeds whose 95 % interval of the change excludes it")
    return notes


def _spread(group: Sequence[StudyRow]) -> str:
    """The mean, and the deviation; one training set is no evidence from several seeds."""
    values = [row.difference for row in group]
    mean = f"{fmean(values):+.3f}"
    if len(values) == 1:
        return mean
    same = len(set(values)) == len({row.training_set for row in group}) == 1
    return f"{mean} (same)" if same else f"{mean} ± {stdev(values):.3f}"


def _certainty(group: Sequence[StudyRow], *, seeds: bool) -> dict[str, str]:
    if seeds:
        excluding = sum(not row.low <= 0 <= row.high for row in group)
        return {_EXCLUDES: f"{excluding} of {len(group)}"}
    (row,) = group
    return {"95 % interval": f"{row.low:+.3f} to {row.high:+.3f}", "p": p_cell(row.p)}


def study_caveats(rows: Sequence[StudyRow]) -> Iterator[str]:
    """A line for each caveat, with the methods that it is about; their names may have commas."""
    concerned: dict[str, dict[str, None]] = {}
    for row in rows:
        for caveat in row.caveats:
            concerned.setdefault(caveat, {})[row.method] = None
    all_methods = {row.method for row in rows}
    for caveat, methods in concerned.items():
        which = "all methods" if len(methods) == len(all_methods) > 1 else "; ".join(methods)
        yield f"{caveat} ({which})"
    if len(rows) > 1:
        yield (
            f"{len(rows):,} comparisons: where nothing changed, one in twenty is significant by "
            "chance; intervals and p-values of the tables are not corrected"
        )
