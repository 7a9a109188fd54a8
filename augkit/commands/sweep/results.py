"""The results of a study: a row for every comparison, as JSON, CSV and Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.commands.evaluate.evaluate import compared_value
from augkit.commands.evaluate.scores import NAME as SCORES
from augkit.commands.evaluate.verdict import comparison_caveats
from augkit.commands.sweep.same_rows import same_training_sets, training_digest
from augkit.commands.sweep.settings import Trial
from augkit.report.shortcut_lines import shortcut_caveats
from augkit.runs.folder import write_atomically
from augkit.runs.manifest import read_manifest

_COLUMNS = (
    "trial method dataset seed options metric test score before after difference low high rows p "
    "caveats variants accepted rejected seconds usd training_set"
).split()


def write_results(folder: Path, done: Iterable[tuple[Trial, Path]]) -> list[dict[str, Any]]:
    """Write ``results.json``, ``.csv`` and, where pyarrow is installed, ``.parquet``."""
    finished = list(done)
    digests = {trial.name: training_digest(path) for trial, path in finished}
    same = same_training_sets([trial for trial, _ in finished], digests)
    rows = [
        {**row, "training_set": digests[trial.name]}
        for trial, path in finished
        for row in _rows(trial, path, same.get(trial.name, ""))
    ]
    text = json.dumps(rows, ensure_ascii=False, indent=1)
    write_atomically(folder / "results.json", text + "\n")
    with (folder / "results.csv.new").open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, _COLUMNS)
        writer.writeheader()
        writer.writerows(_flat(rows))
    (folder / "results.csv.new").replace(folder / "results.csv")
    _write_parquet(folder / "results.parquet", rows)
    return rows


def _rows(trial: Trial, folder: Path, same: str) -> list[dict[str, Any]]:
    """A row for each comparison of a trial; ``same`` names a line with the same training set."""
    manifest = read_manifest(folder)
    records = json.loads((folder / SCORES).read_text(encoding="utf-8"))["results"]
    common = {
        "trial": trial.name,
        "method": trial.method,
        "dataset": trial.settings.dataset,
        "seed": trial.settings.seed,
        "options": json.dumps(trial.given, sort_keys=True, default=str),
        "variants": manifest.counts.in_dataset,
        "accepted": manifest.counts.accepted,
        "rejected": manifest.counts.rejected,
        "seconds": manifest.cost.seconds,
        "usd": manifest.cost.usd,
    }
    caveats = [f"the result {caveat}" for caveat in shortcut_caveats(folder)]
    if not manifest.counts.in_dataset:
        caveats.append("0 variants: no row was changed")
    if same:
        caveats.append(
            f"on {trial.settings.dataset} the same training set as '{same}': what differs in the "
            "settings changes nothing"
        )
    return [
        {**common, **compared, "caveats": [*caveats, *compared["caveats"]]}
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
