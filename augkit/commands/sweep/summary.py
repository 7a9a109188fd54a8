"""The table of a study: a line for each method, dataset, metric and test set, over seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from augkit.text.printable import shown_p

_IN_TITLE = ("dataset", "metric", "test")
_EXCLUDES = "excludes 0"
_SIGNS = {
    "±": "the standard deviation over seeds",
    "(same)": "the same training set in every seed: one result, not several",
}


def study_summary(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, object]]:
    """The change of each method on each dataset, metric and test set, and how sure it is.

    Of one seed the interval and the p-value of its evaluation; of several the mean, the standard
    deviation, and how many of their intervals exclude 0.
    """
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        key = (row["method"], row["dataset"], row["metric"], row["test"])
        groups.setdefault(key, []).append(row)
    seeds = any(len(group) > 1 for group in groups.values())
    return [
        {
            "method": method,
            "dataset": dataset,
            "metric": metric,
            "test": test,
            "variants": f"{fmean(row['variants'] for row in group):,.0f}",
            "before": f"{fmean(row['before'] for row in group):.3f}",
            "after": f"{fmean(row['after'] for row in group):.3f}",
            "change": _spread(group),
            **_certainty(group, seeds=seeds),
        }
        for (method, dataset, metric, test), group in groups.items()
    ]


def summary_tables(
    summary: Sequence[Mapping[str, object]],
) -> dict[str, list[dict[str, object]]]:
    """The lines of the summary by test set: title → rows without what the title says."""
    tables: dict[str, list[dict[str, object]]] = {}
    for row in summary:
        dataset, metric, test = (str(row[key]) for key in _IN_TITLE)
        trained = "" if test.startswith(dataset) else f", trained on {dataset}"
        own = {key: row[key] for key in row if key not in _IN_TITLE}
        tables.setdefault(f"{metric} on {test}{trained}", []).append(own)
    return tables


def sign_notes(summary: Sequence[Mapping[str, object]]) -> list[str]:
    """What the signs in the column of changes mean, and the column of seeds: where they are."""
    cells = " ".join(str(row["change"]) for row in summary)
    notes = [f"{sign}: {meaning}" for sign, meaning in _SIGNS.items() if sign in cells]
    if any(_EXCLUDES in row for row in summary):
        notes.append(f"{_EXCLUDES}: seeds whose 95 % interval of the change excludes it")
    return notes


def _spread(group: Sequence[Mapping[str, Any]]) -> str:
    """The mean, and the deviation; one training set is no evidence from several seeds."""
    values = [row["difference"] for row in group]
    mean = f"{fmean(values):+.3f}"
    if len(values) == 1:
        return mean
    same = len(set(values)) == len({row.get("training_set", row["trial"]) for row in group}) == 1
    return f"{mean} (same)" if same else f"{mean} ± {stdev(values):.3f}"


def _certainty(group: Sequence[Mapping[str, Any]], *, seeds: bool) -> dict[str, str]:
    if seeds:
        clear = sum(row["low"] > 0 or row["high"] < 0 for row in group)
        return {_EXCLUDES: f"{clear} of {len(group)}"}
    (row,) = group
    p = "" if row["p"] is None else shown_p(row["p"]).removeprefix("p ").removeprefix("= ")
    return {"95 % interval": f"{row['low']:+.3f} to {row['high']:+.3f}", "p": p}
