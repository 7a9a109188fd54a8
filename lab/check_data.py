"""Does ``augkit check`` fail on shortcuts that are there, and on those alone?

    AUGKIT_DATA=DIR python -m lab.check_data planted
    AUGKIT_DATA=DIR python -m lab.check_data alarms [--datasets 1000]

planted: the 37 shortcuts of ``razor_planted.py``, each planted in 2,000 sentences of SST-2, checked
by the default contract; first the same sentences with nothing planted. One JSON line a file: the
checks that failed and the strongest association. Then, with the number of files that failed,
whether the result of coba for reviews-demo passes with the baseline of its originals.

alarms: labels are shuffled, so that no feature has to do with them and every alarm is false. Six
kinds of dataset in turn, small and large, skewed, with many labels, with two text fields. One JSON
line a kind and one for all: datasets, alarms, the share with its 95 % interval.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from augkit import augment_dataset
from augkit.commands.check.contract import CheckContract
from augkit.commands.check.rows import CheckedRows, load_labelled
from augkit.commands.check.run import check_data, run_checks
from augkit.commands.check.shortcuts import find_in_rows
from augkit.core.types import Example
from augkit.datasets.load import load_dataset
from augkit.datasets.settings import ReadOptions
from augkit.evaluation.statistics.intervals import share_bounds
from lab.command_line import argument, arguments, print_line
from lab.razor_planted import KINDS, ROWS, SHARES
from lab.razor_planted import planted as with_shortcut

DATASETS = {
    "small": ("reviews-demo", 40),
    "demo": ("reviews-demo", 380),
    "pairs": ("nli-demo", 180),
    "large": ("sentences", 3000),
    "skewed": ("sentences", 1000),
    "many labels": ("sentences", 1000),
}
"""Kinds of shuffled datasets: where their rows are from, and how many."""
Record = dict[str, Any]


# Planted shortcuts


def planted(asked: argparse.Namespace) -> Iterator[Record]:
    """Every file, and then all together."""
    del asked
    loaded = load_dataset("sst2_sentences:train", data_folder=os.environ.get("AUGKIT_DATA"))
    clean = random.Random(0).sample([row for row in loaded if row.label is not None], ROWS)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        first = checked(write(folder / "clean.jsonl", clean))
        yield first
        caught = 0
        for kind in KINDS:
            path = folder / f"{kind.replace(' ', '-')}.jsonl"
            record = checked(write(path, with_shortcut(kind, clean, SHARES, 0)))
            caught += not record["passed"]
            yield record
        yield {
            "clean passes": first["passed"],
            "planted": len(KINDS),
            "caught": caught,
            "result of coba passes with the baseline": coba_adds_none(folder),
        }


def write(path: Path, rows: Sequence[Example]) -> Path:
    """The rows as JSON Lines."""
    lines = (json.dumps({"text": row.fields["text"], "label": row.label}) for row in rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def checked(path: Path) -> Record:
    """What augkit says of a file."""
    report = check_data(path)
    findings = [one for check in report.checks for one in check.failed]
    strongest = max(findings, key=lambda one: one.value, default=None)
    return {
        "file": path.stem,
        "passed": report.passed,
        "failed": [check.name for check in report.checks if check.failed],
        "strongest": strongest and f"{strongest.feature} {strongest.value:.2f}",
    }


def coba_adds_none(folder: Path) -> bool:
    """Whether the result of coba passes where all shortcuts of its originals are known."""
    baseline, run = folder / "baseline.json", folder / "coba"
    check_data("reviews-demo", write_baseline_to=baseline)
    augment_dataset("reviews-demo", "coba", run)
    return check_data(run / "dataset.jsonl", CheckContract(no_new_shortcuts=baseline)).passed


# False alarms


def alarms(asked: argparse.Namespace) -> Iterator[Record]:
    """Every kind in turn, and then all together."""
    folder = os.environ.get("AUGKIT_DATA")
    reading = ReadOptions(data_folder=Path(folder) if folder else None)
    pools = {name: load_labelled(name, reading) for name in ("reviews-demo", "nli-demo")}
    pools["sentences"] = load_labelled("sst2_sentences:train", reading)
    contract, started = CheckContract(), time.process_time()
    kinds = list(DATASETS)
    found, totals = Counter[str](), Counter[str]()
    names: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    for number in range(asked.datasets):
        kind = kinds[number % len(kinds)]
        rows = shuffled(kind, pools, random.Random(number))
        found_in = find_in_rows(rows, contract)
        failed = [check.name for check in run_checks(rows, contract, found_in) if check.failed]
        names[kind].update(failed)
        found[kind] += bool(failed)
        totals[kind] += 1
    for kind in kinds:
        yield share_of_alarms(kind, found[kind], totals[kind]) | names[kind]
    spent = {"cpu seconds": round(time.process_time() - started, 1)}
    yield share_of_alarms("all", found.total(), totals.total()) | spent


def shuffled(kind: str, pools: dict[str, CheckedRows], rng: random.Random) -> CheckedRows:
    """A dataset of a kind, its labels shuffled."""
    name, size = DATASETS[kind]
    rows = sampled(pools[name], size, rng)
    labels = rows.labels
    if kind == "skewed":
        labels = ["rare" if number < len(rows) // 20 else "usual" for number in range(len(rows))]
    elif kind == "many labels":
        labels = [f"label {number % 20}" for number in range(len(rows))]
    return replace(rows, labels=rng.sample(list(labels), len(rows)))


def sampled(rows: CheckedRows, size: int, rng: random.Random) -> CheckedRows:
    """So many rows, drawn at random."""
    numbers = rng.sample(range(len(rows)), min(size, len(rows)))
    return replace(
        rows,
        texts={field: [texts[n] for n in numbers] for field, texts in rows.texts.items()},
        labels=[rows.labels[n] for n in numbers],
        indices=[rows.indices[n] for n in numbers],
    )


def share_of_alarms(kind: str, count: int, total: int) -> Record:
    """The share of datasets with an alarm, and its interval."""
    low, high = share_bounds(count, total)
    share = {"share": round(count / total, 4), "low": round(low, 4), "high": round(high, 4)}
    return {"kind": kind, "datasets": total, "alarms": count, **share}


def main() -> None:
    """One part."""
    asked = arguments(
        __doc__,
        argument("part", choices=("planted", "alarms")),
        argument("--datasets", type=int, default=1000),
    )
    for record in {"planted": planted, "alarms": alarms}[asked.part](asked):
        print_line(record)


if __name__ == "__main__":
    main()
