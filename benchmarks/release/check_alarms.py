"""How often ``augkit check`` raises an alarm on data whose labels were shuffled.

    AUGKIT_DATA=DIR python -m benchmarks.release.check_alarms [--datasets 1000] [--limit 0.05]

Labels are shuffled, so that no feature has to do with them: every alarm is false. Six kinds of
dataset in turn, small and large, skewed, with many labels, with two text fields. One JSON line a
kind and one for all: datasets, alarms, the share with its 95 % interval. ``--limit`` replaces the
limit of every check, so that the tests alone decide and not the size of the effect.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from augkit.commands.check.contract import ASSOCIATIONS, CheckContract
from augkit.commands.check.rows import CheckedRows, load_labelled
from augkit.commands.check.run import run_checks
from augkit.datasets.settings import ReadOptions
from augkit.evaluation.statistics.intervals import share_bounds
from benchmarks.command_line import argument, arguments


def sampled(rows: CheckedRows, size: int, rng: random.Random) -> CheckedRows:
    """So many rows, drawn at random."""
    numbers = rng.sample(range(len(rows)), min(size, len(rows)))
    return replace(
        rows,
        texts={field: [texts[n] for n in numbers] for field, texts in rows.texts.items()},
        labels=[rows.labels[n] for n in numbers],
        indices=[rows.indices[n] for n in numbers],
    )


def relabelled(rows: CheckedRows, labels: Sequence[str], rng: random.Random) -> CheckedRows:
    """The rows with these labels in any order."""
    return replace(rows, labels=rng.sample(list(labels), len(rows)))


def shuffled(kind: str, pools: dict[str, CheckedRows], rng: random.Random) -> CheckedRows:
    """A dataset of a kind, its labels shuffled."""
    name, size = {
        "small": ("reviews-demo", 40),
        "demo": ("reviews-demo", 380),
        "pairs": ("nli-demo", 180),
        "large": ("sentences", 3000),
        "skewed": ("sentences", 1000),
        "many labels": ("sentences", 1000),
    }[kind]
    rows = sampled(pools[name], size, rng)
    labels = rows.labels
    if kind == "skewed":
        labels = ["rare" if number < len(rows) // 20 else "usual" for number in range(len(rows))]
    elif kind == "many labels":
        labels = [f"label {number % 20}" for number in range(len(rows))]
    return relabelled(rows, labels, rng)


def contract_of(limit: float | None) -> CheckContract:
    """The default contract, or one with another limit for every test."""
    if limit is None:
        return CheckContract()
    values = {name: {"limit": limit} for name in (*ASSOCIATIONS, "field_accuracy")}
    return CheckContract.model_validate(values)


def line(kind: str, alarms: int, total: int, names: Mapping[str, float]) -> str:
    """One JSON line."""
    low, high = share_bounds(alarms, total)
    share = {"share": round(alarms / total, 4), "low": round(low, 4), "high": round(high, 4)}
    return json.dumps({"kind": kind, "datasets": total, "alarms": alarms, **share, **names})


def main() -> None:
    """Every kind in turn."""
    asked = arguments(
        __doc__,
        argument("--datasets", type=int, default=1000),
        argument("--limit", type=float),
    )
    folder = os.environ.get("AUGKIT_DATA")
    reading = ReadOptions(data_folder=Path(folder) if folder else None)
    pools = {name: load_labelled(name, reading) for name in ("reviews-demo", "nli-demo")}
    pools["sentences"] = load_labelled("sst2_sentences:train", reading)
    kinds = ("small", "demo", "pairs", "large", "skewed", "many labels")
    contract, started = contract_of(asked.limit), time.process_time()
    alarms, totals = Counter[str](), Counter[str]()
    names: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    for number in range(asked.datasets):
        kind = kinds[number % len(kinds)]
        rows = shuffled(kind, pools, random.Random(number))
        failed = [check.name for check in run_checks(rows, contract) if check.failed]
        names[kind].update(failed)
        alarms[kind] += bool(failed)
        totals[kind] += 1
    for kind in kinds:
        print(line(kind, alarms[kind], totals[kind], names[kind]), flush=True)
    spent = {"cpu seconds": round(time.process_time() - started, 1)}
    print(line("all", alarms.total(), totals.total(), spent))


if __name__ == "__main__":
    main()
