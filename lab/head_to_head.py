"""All methods and baselines that run offline, side by side: one classifier, the same seeds.

    python -m lab.head_to_head --data DIR --cache FOLDER [--encoder MODEL]
        [--task sentiment|claims] [--seeds 3] [--rows N] [--arms NAME ...]

- sentiment: made of ``imdb_cad:original_train``; TF-IDF (1,2-grams, min_df 2, sublinear) and
  logistic regression (C 10); accuracy on human revisions, on originals, SST-2, Yelp and CR.
- claims: made of ``fever:dev`` without the claims of the symmetric set; [u, v, |u - v|, u·v] of a
  sentence encoder (MODEL, any that transformers can read) under a logistic head; accuracy on
  FEVER-Symmetric and ``fever:test``. Left out where no encoder is given.

Differences are to the originals alone, over the same test rows, mean over seeds, with a 95 %
paired bootstrap over rows. What is done is kept in FOLDER and found there again, arm by arm, so
that a stopped run goes on, with the CPU-seconds that each took. Prints one JSON line for each arm
that is in FOLDER, the mean over seeds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from augkit.augmenters.create import create
from augkit.augmenters.mix import mixed
from augkit.core.types import Example, Pair, digest
from augkit.datasets.load import load_dataset
from lab.command_line import argument, arguments, print_line
from lab.vectors import Encoder, Head, best_strength, pair_features

FIRST = "originals alone"
CLAIM = {"fields": ["claim"]}


@dataclass(frozen=True)
class Arm:
    """A method with its settings; none for the originals alone."""

    method: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    seeded: bool = True
    """Whether another seed gives other variants."""


SENTIMENT = {
    "originals alone": Arm(seeded=False),
    "human": Arm("human", {"file": "imdb_cad/revised_train.jsonl.gz"}, seeded=False),
    "coba": Arm("coba"),
    "razor": Arm("razor"),
    "panda": Arm("panda"),
    "eda": Arm("eda"),
    "eda, 4 copies": Arm("eda", {"copies": 4}),
    "autocad": Arm("autocad"),
    "mask-words": Arm("mask-words"),
    "mask-phrase": Arm("mask-phrase"),
    "random-edit": Arm("random-edit"),
    "swap": Arm("swap", seeded=False),
}
CLAIMS = {
    "originals alone": Arm(seeded=False),
    "coba": Arm("coba"),
    "razor": Arm("razor"),
    "razor,symmetric": Arm("compose", {"how": "union", "steps": ["razor", "symmetric"]}),
    "symmetric": Arm("symmetric"),
    "panda": Arm("panda"),
    "crossaug": Arm("crossaug"),
    "eda": Arm("eda", CLAIM),
    "autocad": Arm("autocad"),
    "mask-words": Arm("mask-words", CLAIM),
    "mask-phrase": Arm("mask-phrase", CLAIM),
    "swap": Arm("swap", seeded=False),
}
TASKS: dict[str, tuple[dict[str, Arm], str, dict[str, str]]] = {
    "sentiment": (
        SENTIMENT,
        "imdb_cad:original_train",
        {
            "human revisions": "imdb_cad:revised_dev",
            "IMDb originals": "imdb_cad:original_test",
            "SST-2": "sst2:dev",
            "Yelp": "yelp_sentences:test",
            "CR": "cr:all",
        },
    ),
    "claims": (
        CLAIMS,
        "fever:dev",
        {"FEVER-Symmetric": "fever_symmetric:dev", "FEVER test": "fever:test"},
    ),
}


class Words:
    """TF-IDF and logistic regression."""

    def __init__(self, rows: Sequence[Example]) -> None:
        """Fit."""
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        self.vectors = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
        features = self.vectors.fit_transform([row.fields["text"] for row in rows])
        labels = [str(row.label) for row in rows]
        self.model = LogisticRegression(C=10, max_iter=1000).fit(features, labels)

    def right(self, rows: Sequence[Example]) -> np.ndarray:
        """Whether each row is answered rightly."""
        answers = self.model.predict(self.vectors.transform([row.fields["text"] for row in rows]))
        return np.asarray(answers == np.array([str(row.label) for row in rows]))


class Pairs:
    """A head on the vectors of both texts; its strength is chosen on the originals, once."""

    def __init__(self, encoder: Encoder, strength: float, rows: Sequence[Example]) -> None:
        """Fit."""
        self.encoder = encoder
        labels = [str(row.label) for row in rows]
        self.head = Head(pair_features(rows, encoder), labels, strength)

    def right(self, rows: Sequence[Example]) -> np.ndarray:
        """Whether each row is answered rightly."""
        return self.head.right(pair_features(rows, self.encoder), [str(row.label) for row in rows])


def made(arm: Arm, rows: Sequence[Example], seed: int, data: Path) -> tuple[list[Example], int]:
    """The training rows of an arm, as a run would write them, and how many are new."""
    if arm.method is None:
        return list(rows), 0
    settings = {**arm.settings, "seed": seed}
    if "file" in settings:
        settings["file"] = data / settings["file"]
    step = create(arm.method, **settings).fit(rows)
    variants: dict[str, list[Example]] = {row.id: [] for row in rows}
    staying: set[str] = set()
    for outcome in step.outcomes(rows):
        if isinstance(outcome, Pair):
            variants[outcome.original.id].append(outcome.variant)
        elif outcome.stays:
            staying.add(outcome.parent.id)
    whole = [
        new
        for row in rows
        for new in mixed(row, variants[row.id], step.mix, stays=row.id in staying)
    ]
    return whole, sum(map(len, variants.values()))


def measured(asked: argparse.Namespace, task: str, name: str, seed: int, setting: Any) -> None:
    """Make, train and test one arm with one seed, and keep what came out."""
    train, rows, tests = setting
    file = asked.cache / f"{task}-{digest(name, str(seed), str(asked.rows))}.npz"
    if file.exists():
        return
    started = time.process_time()
    whole, new = made(TASKS[task][0][name], rows, seed, asked.data)
    making = time.process_time() - started
    started = time.process_time()
    model = train(whole)
    right = {test: model.right(some) for test, some in tests.items()}
    told = {
        "task": task,
        "arm": name,
        "seed": seed,
        "trained on": len(rows),
        "rows": len(whole),
        "new": new,
        "making": round(making, 1),
        "training": round(time.process_time() - started, 1),
        **{test: round(100 * float(some.mean()), 1) for test, some in right.items()},
    }
    np.savez(file, told=json.dumps(told), **right)
    print(json.dumps(told), file=sys.stderr, flush=True)


def setting_of(task: str, asked: argparse.Namespace) -> Any:
    """How to train, the rows to train on, and the test sets."""
    _, source, sets = TASKS[task]
    rows = [row for row in read(source, asked.data) if not row.columns.get("in_symmetric_dev")]
    if asked.rows:
        rows = sorted(rows, key=lambda row: digest("row", row.id))[: asked.rows]
    tests = {name: read(spec, asked.data) for name, spec in sets.items()}
    if task == "sentiment":
        return Words, rows, tests
    encoder = Encoder(asked.encoder, asked.cache / "vectors")
    strength = best_strength(pair_features(rows, encoder), [str(row.label) for row in rows])
    return (lambda whole: Pairs(encoder, strength, whole)), rows, tests


def read(spec: str, data: Path) -> list[Example]:
    """The labelled rows of a dataset."""
    return [row for row in load_dataset(spec, data_folder=data) if row.label is not None]


class Kept:
    """What the cache has of one task: arm → seed → the record, and test → bool[rows]."""

    def __init__(self, cache: Path, task: str, rows: int) -> None:
        """Read the files of a task, trained on so many rows; 0: any number."""
        self.told: dict[str, dict[int, dict[str, Any]]] = {}
        self.right: dict[str, dict[int, dict[str, np.ndarray]]] = {}
        for file in sorted(cache.glob(f"{task}-*.npz")):
            with np.load(file) as held:
                told = json.loads(str(held["told"]))
                if rows in {0, told["trained on"]}:
                    arm, seed = told["arm"], told["seed"]
                    self.told.setdefault(arm, {})[seed] = told
                    found = {test: held[test] for test in held.files if test != "told"}
                    self.right.setdefault(arm, {})[seed] = found

    def mean(self, arm: str, test: str) -> np.ndarray:
        """Share of the seeds that answer each row rightly: float[rows]."""
        return np.mean([seeds[test] for seeds in self.right[arm].values()], axis=0)

    def gap(self, test: str, arm: str) -> list[float]:
        """How much better an arm is than the originals alone, in points, with its interval."""
        gaps = 100 * (self.mean(arm, test) - self.mean(FIRST, test))
        draw = np.random.default_rng(0)
        means = [gaps[draw.integers(0, len(gaps), len(gaps))].mean() for _ in range(2000)]
        low, high = np.quantile(means, [0.025, 0.975])
        return [round(float(value), 1) for value in (gaps.mean(), low, high)]

    def summary(self, arm: str, tests: Sequence[str]) -> dict[str, Any]:
        """Accuracy on each test set, and the difference to the originals alone."""
        told = list(self.told[arm].values())
        line: dict[str, Any] = {"arm": arm, "seeds": len(told)}
        line["new"] = round(float(np.mean([one["new"] for one in told])))
        for kind in ("making", "training"):
            line[kind] = round(float(np.mean([one[kind] for one in told])))
        for test in tests:
            line[test] = {"accuracy": round(100 * float(self.mean(arm, test).mean()), 1)}
            if arm != FIRST:
                line[test]["gap"] = self.gap(test, arm)
        return line


def main() -> None:
    """Everything asked for that is not in the cache yet."""
    asked = arguments(
        __doc__,
        argument("--data", type=Path, required=True),
        argument("--cache", type=Path, required=True),
        argument("--encoder", default=""),
        argument("--task", choices=list(TASKS)),
        argument("--seeds", type=int, default=3),
        argument("--rows", type=int, default=0, help="training rows at most; 0: all"),
        argument("--arms", nargs="+", metavar="NAME", help="default: all"),
    )
    asked.cache.mkdir(parents=True, exist_ok=True)
    for task, (arms, _, _) in TASKS.items():
        if asked.task not in {None, task} or (task == "claims" and not asked.encoder):
            continue
        setting = setting_of(task, asked)
        wanted = [name for name in arms if name in (asked.arms or arms)]
        # Seed by seed, so that a run stopped early has something of every arm.
        for seed in range(asked.seeds):
            for name in wanted:
                if seed == 0 or arms[name].seeded:
                    measured(asked, task, name, seed, setting)
    for task, (arms, _, tests) in TASKS.items():
        kept = Kept(asked.cache, task, asked.rows)
        for arm in arms:
            if FIRST in kept.told and arm in kept.told:
                print_line({"task": task, **kept.summary(arm, list(tests))})


if __name__ == "__main__":
    main()
