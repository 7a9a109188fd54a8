"""The share of rows that fairtuning perturbs, by axis, beside the paper's Table 13.

As the paper's: the rows of GLUE's validation sets go through Algorithm 1 (``target: random``, one
variant a row), and a perturbed row counts for the axis that was drawn. Shares are in per cent. The
paper gives none for MNLI; of QQP the validation set is not there, so training rows are sampled.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from augkit.augmenters.create import create
from augkit.core.types import Example, Pair, Variant, example
from lab.panda_corpora import rows

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


def read_examples(data: Path, name: str, limit: int) -> list[Example]:
    """The validation rows of a task; with a limit, a sample."""
    found = [row for split in SETS[name] for row in rows(data / name, split)]
    limit = limit or SAMPLED.get(name, 0)
    if limit:
        found = random.Random(0).sample(found, min(limit, len(found)))
    keys = ("text", "text_a", "text_b")
    return [example({k: row[k] for k in keys if k in row}, str(row["label"])) for row in found]


def shares(outcomes: Iterable[Pair | Variant], examples: Sequence[Example]) -> dict[str, float]:
    """Per cent of the rows that were changed on each axis, and on any."""
    changed: dict[str, set[str]] = defaultdict(set)
    for outcome in outcomes:
        if isinstance(outcome, Pair):
            changed[outcome.original.id].update(outcome.provenance.about["axis"].split(", "))
    found = Counter(axis for each in examples for axis in {*changed.get(each.id, ()), "rows"})
    total = sum(each.id in changed for each in examples)
    by_axis = {axis: round(100 * found[axis] / found["rows"], 1) for axis in AXES}
    return by_axis | {"total": round(100 * total / found["rows"], 1)}


def table_13(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The shares and the paper's, for every task."""
    panda = create("panda", target="random", seed=0)
    result: dict[str, Any] = {}
    for name in SETS:
        if (options.data / name).is_dir():
            some = read_examples(options.data, name, options.limit)
            found = shares(panda.outcomes(some), some)
            result[name] = {"rows": len(some), "augkit": found, "paper": PAPER.get(name, UNKNOWN)}
    yield {"tasks": result}
