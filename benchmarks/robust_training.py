"""Which robust training helps where one field misleads? One JSON line a way of training.

    AUGKIT_DATA=DIR python benchmarks/robust_training.py [--train snli:train_20k]
        [--test snli:test --test snli:test_hard] [--field hypothesis] [--seeds 3] [--limit N]
    AUGKIT_DATA=DIR python benchmarks/robust_training.py --train fever:test
        --test fever:dev --test fever_symmetric:dev --field claim

The classifier is augkit's linear one; plain, JTT, and four ways that train against ``--field``.
Seeds leave out a tenth of the training rows each; accuracies are the mean and the deviation over
seeds, differences to plain training the mean, the least and the greatest.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np

from augkit.corpora.load import load_dataset
from augkit.data import Example, digest
from augkit.models.linear import LinearClassifier, LinearConfig, train_linear
from augkit.models.robust import RobustConfig, retrain
from augkit.models.robust_bias import Way, train_against_field
from augkit.run.arms import usable

WAYS = ("plain", "jtt", *get_args(Way))


def rows_of(spec: str, limit: int | None) -> list[Example]:
    """The usable rows of a dataset."""
    return usable(load_dataset(spec, data_folder=Path(os.environ["AUGKIT_DATA"])))[:limit]


def without_a_tenth(rows: Sequence[Example], seed: int) -> list[Example]:
    """Nine tenths of the rows, drawn by content."""
    return [row for row in rows if int(digest(str(seed), row.id), 16) % 10]


def trained(
    way: str, rows: Sequence[Example], field: str, config: RobustConfig
) -> LinearClassifier:
    """A classifier of the rows, all ways with the same features."""
    plain = train_linear(rows, LinearConfig(iterations=config.iterations))
    if way == "plain":
        return plain
    if way == "jtt":
        return retrain(plain, rows, config)
    return train_against_field(plain, rows, field, way, config)  # type: ignore[arg-type]


def accuracy(model: LinearClassifier, rows: Sequence[Example]) -> float:
    """Share of right answers."""
    answers = model.predict(rows).argmax(axis=1)
    right = [model.labels[n] == row.label for n, row in zip(answers, rows, strict=True)]
    return float(np.mean(right))


def main() -> None:
    """Print one line per way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", default="snli:train_20k")
    parser.add_argument("--test", action="append")
    parser.add_argument("--field", default="hypothesis")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    asked = parser.parse_args()
    train = rows_of(asked.train, asked.limit)
    tests = {spec: rows_of(spec, None) for spec in asked.test or ["snli:test", "snli:test_hard"]}
    config = RobustConfig(iterations=asked.iterations, folds=2)
    plain: dict[str, list[float]] = {}
    for way in asked.ways:
        started = time.process_time()
        models = [
            trained(way, without_a_tenth(train, seed), asked.field, config)
            for seed in range(asked.seeds)
        ]
        told: dict[str, Any] = {"way": way, "train": asked.train, "rows": len(train)}
        for spec, rows in tests.items():
            values = [accuracy(model, rows) for model in models]
            gains = np.subtract(values, plain.setdefault(spec, values))
            told[spec] = {
                "rows": len(rows),
                "accuracy": [round(float(np.mean(values)), 4), round(float(np.std(values)), 4)],
                "gain": [round(float(x), 4) for x in (gains.mean(), gains.min(), gains.max())],
            }
        told["cpu_seconds"] = round(time.process_time() - started, 1)
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
