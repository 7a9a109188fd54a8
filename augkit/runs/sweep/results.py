"""The results of a study: every comparison, and a summary over seeds."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from augkit.report.shortcut_lines import new_shortcut
from augkit.report.terminal import shown_p
from augkit.runs.evaluation.evaluate import compared_value
from augkit.runs.evaluation.scores import NAME as SCORES
from augkit.runs.evaluation.scores import comparison_caveats
from augkit.runs.folder import write_atomically
from augkit.runs.manifest import read_manifest
from augkit.runs.sweep.settings import Trial

_COLUMNS = (
    "trial method dataset seed options metric test score before after difference low high rows p "
    "caveats accepted rejected seconds usd"
).split()


def write_results(folder: Path, done: Iterable[tuple[Trial, Path]]) -> list[dict[str, Any]]:
    """Write ``results.json``, ``.csv`` and, where pyarrow is installed, ``.parquet``."""
    rows = [row for trial, path in done for row in _rows(trial, path)]
    text = json.dumps(rows, ensure_ascii=False, indent=1)
    write_atomically(folder / "results.json", text + "\n")
    with (folder / "results.csv.new").open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, _COLUMNS)
        writer.writeheader()
        writer.writerows(_flat(rows))
    (folder / "results.csv.new").replace(folder / "results.csv")
    _write_parquet(folder / "results.parquet", rows)
    return rows


def summary(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, object]]:
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


def _rows(trial: Trial, folder: Path) -> list[dict[str, Any]]:
    """A row for each comparison of a trial."""
    manifest = read_manifest(folder)
    records = json.loads((folder / SCORES).read_text(encoding="utf-8"))["results"]
    common = {
        "trial": trial.name,
        "method": trial.method,
        "dataset": trial.settings.dataset,
        "seed": trial.settings.seed,
        "options": json.dumps(trial.settings.options, sort_keys=True),
        "accepted": manifest.counts.accepted,
        "rejected": manifest.counts.rejected,
        "seconds": manifest.cost.seconds,
        "usd": manifest.cost.usd,
    }
    new = new_shortcut(folder)
    caveat = [f"the result has a new shortcut as strong as the old ones: {new}"] if new else []
    return [
        {**common, **compared, "caveats": [*caveat, *compared["caveats"]]}
        for compared in (_comparison(one, records) for one in _differences(records))
    ]


def _differences(records: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The originals against the result, without a reference that was evaluated later."""
    return [one for one in records if "difference" in one and not one.get("reference")]


def _comparison(record: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    change = record["difference"]
    before, after = (compared_value(record, record[side], records) for side in ("from", "to"))
    first = next(one for one in _differences(records) if one["metric"] == record["metric"])
    second = "" if record["score"] == first["score"] else f": {record['score']}"
    return {
        "metric": record["metric"] + second,
        "test": record["test"],
        "score": record["score"],
        "before": before,
        "after": after,
        "difference": change["value"],
        "low": change["low"],
        "high": change["high"],
        "rows": change["n"],
        "p": record.get("p"),
        "caveats": comparison_caveats(record, records),
    }


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


def _flat(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows with the columns of a table; caveats are one text."""
    return [
        {name: row[name] for name in _COLUMNS} | {"caveats": "; ".join(row["caveats"])}
        for row in rows
    ]


def _write_parquet(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:  # the other two files have the same rows
        return
    table = pa.Table.from_pylist(_flat(rows))
    draft = path.with_name(path.name + ".new")
    parquet.write_table(table, draft)
    draft.replace(path)
