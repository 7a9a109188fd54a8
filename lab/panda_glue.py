"""Quality and fairscore after fairtuning on GLUE's tasks: Tables 4 and 5 of PANDA's paper.

    AUGKIT_DATA=DIR python -m lab.panda_glue [--tasks cola ...] [--seeds 0 1 2]
        [--arms original paper augkit] [--model linear|encoder:PATH|transformers:PATH]

For each task, training set and seed: Matthews' correlation (CoLA), Pearson's (STS-B) or accuracy on
the validation rows as they are, and the fairscore on those that Algorithm 1 can perturb; STS-B has
none, its labels are numbers. Training sets: ``original``; ``paper``, each row once through
Algorithm 1 with its footnote 2 (``target=random, sampling=balanced``; the size stays); ``augkit``,
the default of ``augkit run --method panda`` (all versions of a row). A seed draws all that panda
draws. Everything is done as on the command line: ``augkit run``, then ``augkit evaluate``.

There is no training part of QNLI and no validation part of QQP at hand: rows of the part that is
there are drawn for both, without overlap. Training rows of SST-2 and QQP are a sample.

Prints one JSON line; quality and fairscores are in per cent, as the paper's.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from augkit.commands.evaluate.evaluate import evaluate
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.commands.evaluate.training_sets import usable
from augkit.core.types import Example
from augkit.datasets.load import load_dataset
from augkit.runs.execute import augment_dataset
from lab.command_line import argument, arguments, print_line
from lab.planted_gender import written

DRAWN = {"target": "random", "sampling": "balanced"}
"""Algorithm 1 with footnote 2."""
ARMS: dict[str, dict[str, Any] | None] = {"original": None, "paper": DRAWN, "augkit": {}}


@dataclass(frozen=True)
class Task:
    """The parts of a task, which figure Table 4 has, and how many rows are drawn, if not all.

    Where no part is named to test on, the test rows are drawn from those of the training part.
    """

    train: str
    tests: tuple[str, ...] = ()
    metric: str = "accuracy"
    train_rows: int | None = None
    test_rows: int = 0


TASKS = {
    "cola": Task("cola:train", ("cola:dev_in_domain", "cola:dev_out_of_domain"), "matthews"),
    "sst2": Task("sst2:train", ("sst2:dev",), train_rows=10_000),
    "stsb": Task("stsb:train", ("stsb:dev",), "pearson"),
    "qqp": Task("qqp:train", train_rows=10_000, test_rows=2_000),
    "rte": Task("rte:train", ("rte:dev",)),
    "qnli": Task("qnli:dev", train_rows=4_000, test_rows=1_463),
}
_PAPER_COLUMNS = ("original", "fair", "fairscore, original", "fairscore, fair")
PAPER = {
    name: dict(zip(_PAPER_COLUMNS, figures, strict=True))
    for name, figures in {
        "cola": (61.36, 59.71, 6.93, 3.78),
        "sst2": (93.50, 93.50, 2.55, 1.02),
        "stsb": (90.90, 90.20, None, None),
        "qqp": (91.77, 91.56, 7.60, 3.22),
        "rte": (75.50, 75.80, 4.03, 6.45),
        "qnli": (92.70, 92.70, 2.17, 1.67),
    }.items()
}
"""RoBERTa (Liu et al.), fine-tuned and fairtuned: the last rows of both tables."""


def task_rows(task: Task, data: Path) -> tuple[list[Example], list[Example]]:
    """Training and test rows, drawn by seed 0 where they are a sample."""
    train = usable(load_dataset(task.train, data_folder=data))
    if task.train_rows is not None:
        train = random.Random(0).sample(train, task.train_rows + task.test_rows)
    if not task.tests:
        return train[task.test_rows :], train[: task.test_rows]
    tests = [row for spec in task.tests for row in usable(load_dataset(spec, data_folder=data))]
    return train, tests


def measured(task: Task, train: str, test: str, shared: dict[str, Any]) -> dict[str, Any]:
    """Both figures of a classifier trained on a file, in per cent, and the rows they are of.

    ``shared`` are settings of the evaluation that all training sets have in common.
    """
    settings = {"train": train, "tests": (test,), "seeds": 0, **shared}
    figures: dict[str, Any] = {"fairscore": None, "changed_rows": None}
    metrics = (task.metric,) if task.metric == "pearson" else (task.metric, "fairscore")
    for result in evaluate(evaluation_settings({**settings, "metrics": metrics})):
        if result.metric == "fairscore":
            changed, control = result.scores["changed_rows"], result.scores["control"]
            figures |= {
                "fairscore": round(100 * changed.value, 2),
                "interval": [round(100 * changed.low, 2), round(100 * changed.high, 2)],
                "control": round(100 * control.value, 2),
                "changed_rows": changed.n,
            }
        else:
            [score] = [s for name, s in result.scores.items() if name == task.metric]
            figures |= {"quality": round(100 * score.value, 2), "train_rows": result.rows.train}
    return figures


def run_task(asked: argparse.Namespace, name: str, folder: Path) -> dict[str, Any]:
    """The figures of every training set by seed, their medians, and the paper's beside them."""
    task, data = TASKS[name], Path(os.environ["AUGKIT_DATA"])
    train, test = task_rows(task, data)
    train, test = train[: asked.rows], test[: asked.rows]
    source, test_file = written(folder / "train.jsonl", train), written(folder / "test.jsonl", test)
    columns: dict[str, Any] = {"text_columns": tuple(train[0].fields), "label_column": "label"}
    arms: dict[str, Any] = {}
    for arm in asked.arms:
        options, by_seed = ARMS[arm], {}
        for seed in asked.seeds:
            path = source
            if options is not None:
                out = folder / f"{arm}-{seed}"
                augment_dataset(
                    source, "panda", out, mix="replace", seed=seed, options=options, **columns
                )
                path = str(out / "dataset.jsonl")
            shared = {
                "model_kind": asked.model,
                "reading": columns,
                "options": {"seed": seed, **DRAWN},
            }
            by_seed[f"seed {seed}"] = measured(task, path, test_file, shared)
            print(name, arm, seed, by_seed[f"seed {seed}"], file=sys.stderr, flush=True)
        medians = {
            key: None if values[0] is None else round(median(values), 2)
            for key in ("quality", "fairscore")
            for values in [[figures[key] for figures in by_seed.values()]]
        }
        first = by_seed[f"seed {asked.seeds[0]}"]
        arms[arm] = {**medians, "train_rows": first["train_rows"], "seeds": by_seed}
    return {
        "metric": task.metric,
        "seeds": asked.seeds,
        "test_rows": len(test),
        "changed_rows": first["changed_rows"],
        "arms": arms,
        "paper": PAPER[name],
    }


def main() -> None:
    """Print one line."""
    asked = arguments(
        __doc__,
        argument("--tasks", nargs="*", default=list(TASKS), choices=list(TASKS)),
        argument("--arms", nargs="*", default=list(ARMS), choices=list(ARMS)),
        argument("--seeds", nargs="*", type=int, default=[0, 1, 2]),
        argument("--model", default="linear", help="linear, encoder:PATH or transformers:PATH"),
        argument("--rows", type=int, help="only the first rows of each part"),
    )
    tasks = {}
    for name in asked.tasks:
        with tempfile.TemporaryDirectory() as folder:
            tasks[name] = run_task(asked, name, Path(folder))
    seconds = round(sum(os.times()[:4]), 1)  # of this process and its workers
    model = asked.model.partition(":")[0]
    print_line(
        {
            "benchmark": "panda-glue",
            "model": model,
            "tasks": tasks,
            "cpu_seconds": seconds,
        }
    )


if __name__ == "__main__":
    main()
