"""The share of rows that fairtuning perturbs, by axis, beside the paper's Table 13.

    python -m benchmarks.release.panda_table_13 [--data DIR] [--sets NAME ...] [--limit N]
        [--seed N]
        [--target random|complete] [--perturber NAME]

As the paper's: the rows of GLUE's validation sets go through Algorithm 1 (``target: random``, one
variant a row), and a perturbed row counts for the axis that was drawn. With ``--target complete``
it is fairtuning as augkit does it by default, where a row can count for several axes. DIR
(default: AUGKIT_DATA) holds the tasks. Prints one JSON line; shares are in per cent. The paper
gives none for MNLI; of QQP the validation set is not there, so training rows are sampled.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from augkit.augmenters.create import create
from augkit.core.types import Example, Pair, Rejection, example
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.panda_corpora import rows

AXES = ("age", "gender", "race")
SETS = {
    "sst2": ("dev",),
    "rte": ("dev",),
    "qnli": ("dev",),
    "mnli": ("dev_matched",),
    "cola": ("dev_in_domain", "dev_out_of_domain"),
    "stsb": ("dev",),
    "qqp": ("train",),
}
SAMPLED = {"qqp": 5_000}
"""Rows of a task that are sampled unless a limit is given."""
PAPER = {
    "cola": {"age": 9.2, "gender": 32.3, "race": 4.1, "total": 45.6},
    "sst2": {"age": 7.5, "gender": 9.9, "race": 5.2, "total": 22.5},
    "stsb": {"age": 12.2, "gender": 20.2, "race": 4.5, "total": 36.9},
    "rte": {"age": 13.2, "gender": 32.9, "race": 0.8, "total": 47.0},
    "qqp": {"age": 6.4, "gender": 8.3, "race": 5.8, "total": 20.5},
    "qnli": {"age": 6.5, "gender": 18.4, "race": 6.3, "total": 31.2},
}
UNKNOWN: dict[str, float | None] = dict.fromkeys((*AXES, "total"))


def read_examples(data: Path, name: str, limit: int, seed: int) -> list[Example]:
    """The validation rows of a task; with a limit, a sample."""
    found = [row for split in SETS[name] for row in rows(data / name, split)]
    limit = limit or SAMPLED.get(name, 0)
    if limit:
        found = random.Random(seed).sample(found, min(limit, len(found)))
    keys = ("text", "text_a", "text_b")
    return [example({k: row[k] for k in keys if k in row}, str(row["label"])) for row in found]


def shares(outcomes: Iterable[Pair | Rejection], examples: Sequence[Example]) -> dict[str, float]:
    """Per cent of the rows that were changed on each axis, and on any."""
    changed: dict[str, set[str]] = defaultdict(set)
    for outcome in outcomes:
        if isinstance(outcome, Pair):
            changed[outcome.original.id].update(outcome.provenance.about["axis"].split(", "))
    found = Counter(axis for each in examples for axis in {*changed.get(each.id, ()), "rows"})
    total = sum(each.id in changed for each in examples)
    by_axis = {axis: round(100 * found[axis] / found["rows"], 1) for axis in AXES}
    return by_axis | {"total": round(100 * total / found["rows"], 1)}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The shares and the paper's, for every task."""
    panda = create("panda", perturber=options.perturber, target=options.target, seed=options.seed)
    result: dict[str, Any] = {}
    for name in options.sets:
        some = read_examples(options.data, name, options.limit, options.seed)
        began = time.process_time()
        found = shares(panda.outcomes(some), some)
        seconds = round(time.process_time() - began, 1)
        result[name] = {"rows": len(some), "augkit": found, "paper": PAPER.get(name, UNKNOWN)}
        result[name]["cpu_seconds"] = seconds
    return result


def main() -> None:
    """Measure the tasks that are asked for."""
    folder = os.environ.get("AUGKIT_DATA") or Path(__file__).parents[3] / "shared/data"
    options = arguments(
        __doc__,
        argument("--data", type=Path, default=Path(folder)),
        argument("--sets", nargs="*", default=list(SETS), choices=list(SETS)),
        argument("--limit", type=int, default=0, help="rows of each task; 0: all"),
        argument("--seed", type=int, default=0),
        argument("--target", default="random", choices=("random", "complete")),
        argument("--perturber", default="rules", help="rules, or tagger:PATH"),
    )
    print_line({"benchmark": "panda-table-13", "tasks": measure(options)})


if __name__ == "__main__":
    main()
