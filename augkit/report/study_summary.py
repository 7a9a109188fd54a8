"""The table of a study: a line for each method, dataset, metric and test set, over seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from augkit.report.terminal import shown_p

_SIGNS = {
    "±": "the standard deviation over seeds",
    "(same)": (
        "the same in every seed, as of a method without random choices: one result, not several"
    ),
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
            "before": f"{fmean(row['before'] for row in group):.3f}",
            "after": f"{fmean(row['after'] for row in group):.3f}",
            "difference": _spread([row["difference"] for row in group]),
            **_certainty(group, seeds=seeds),
        }
        for (method, dataset, metric, test), group in groups.items()
    ]


def sign_notes(summary: Sequence[Mapping[str, object]]) -> list[str]:
    """What the signs in the column of differences mean, of those that occur."""
    cells = " ".join(str(row["difference"]) for row in summary)
    return [f"{sign}: {meaning}" for sign, meaning in _SIGNS.items() if sign in cells]


def _spread(values: Sequence[float]) -> str:
    """The mean, and the deviation; equal values are no evidence from several seeds.

    >>> _spread([0.25, 0.75]), _spread([0.5, 0.5]), _spread([0.5])
    ('+0.500 ± 0.354', '+0.500 (same)', '+0.500')
    """
    mean = f"{fmean(values):+.3f}"
    if len(values) == 1:
        return mean
    return f"{mean} ± {stdev(values):.3f}" if len(set(values)) > 1 else f"{mean} (same)"


def _certainty(group: Sequence[Mapping[str, Any]], *, seeds: bool) -> dict[str, str]:
    if seeds:
        clear = sum(row["low"] > 0 or row["high"] < 0 for row in group)
        return {"intervals without 0": f"{clear} of {len(group)}"}
    (row,) = group
    p = "" if row["p"] is None else shown_p(row["p"]).removeprefix("p ").removeprefix("= ")
    return {"95 % interval": f"{row['low']:+.3f} to {row['high']:+.3f}", "p": p}
