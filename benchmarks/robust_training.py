"""Which robust training helps where one field misleads? One JSON line a way of training.

    AUGKIT_DATA=DIR python benchmarks/robust_training.py [--train snli:train_20k]
        [--test snli:test --test snli:test_hard] [--field hypothesis] [--seeds 3]
        [--limit N] [--encoder PATH]
    AUGKIT_DATA=DIR python benchmarks/robust_training.py --train fever:test
        --test fever:dev --test fever_symmetric:dev --field claim

The classifier is augkit's linear one, or with ``--encoder PATH`` a linear head on the vectors of a
saved sentence encoder; plain, JTT, and four ways that train against ``--field``, whose n-grams are
the hints in both cases.
Seeds leave out a tenth of the training rows each; accuracies are the mean and the deviation over
seeds, differences to plain training the mean, the least and the greatest.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np

from augkit.core.protocols import Classifier
from augkit.core.types import Example, digest
from augkit.datasets.load import load_dataset
from augkit.models.classifiers.labels import label_numbers
from augkit.models.classifiers.linear import LinearConfig, train_linear
from augkit.models.robust.bias_features import BiasView, train_view
from augkit.models.robust.bias_models import clever_fit, product_of_experts, reweighted_fit
from augkit.models.robust.jtt_drift import (
    Loss,
    RobustConfig,
    fit_softmax,
    just_train_twice,
    residual_fit,
    scores,
)
from augkit.models.robust.train import Robust, Way, train_robust
from augkit.runs.evaluation.training_sets import usable

WAYS = ("plain", *get_args(Way))


def rows_of(spec: str, limit: int | None) -> list[Example]:
    """The usable rows of a dataset."""
    return usable(load_dataset(spec, data_folder=Path(os.environ["AUGKIT_DATA"])))[:limit]


def without_a_tenth(rows: Sequence[Example], seed: int) -> list[Example]:
    """Nine tenths of the rows, drawn by content."""
    return [row for row in rows if int(digest(str(seed), row.id), 16) % 10]


def trained(way: str, rows: Sequence[Example], field: str, config: RobustConfig) -> Classifier:
    """A classifier of the rows, all ways with the same features."""
    member = LinearConfig(iterations=config.iterations)
    if way == "plain":
        return train_linear(rows, member)
    return train_robust(rows, member, Robust(way, config, BiasView(field=field)))  # type: ignore[arg-type]


def accuracy(model: Classifier, rows: Sequence[Example]) -> float:
    """Share of right answers."""
    answers = model.predict(rows).argmax(axis=1)
    right = [model.labels[n] == row.label for n, row in zip(answers, rows, strict=True)]
    return float(np.mean(right))


@dataclass(frozen=True)
class Arrays:
    """Features, hints and label numbers of rows."""

    features: Any
    hints: Any
    targets: Any


def encoded(asked: argparse.Namespace, train: Sequence[Example], *tests: Any) -> list[Arrays]:
    """Standardised vectors of all rows; the hints are n-grams of the field, counted in training."""
    from augkit.models.classifiers.encoder import EncoderConfig, embed

    view = BiasView(field=asked.field)
    ngrams, _ = train_view(train, view, LinearConfig(iterations=asked.iterations))
    config = EncoderConfig(model=asked.encoder)
    found = [embed(rows, tuple(rows[0].fields), config) for rows in (train, *tests)]
    mean, spread = found[0].mean(axis=0), found[0].std(axis=0) + 1e-9
    return [
        Arrays(
            (vectors - mean) / spread,
            ngrams.features(view(rows)),
            label_numbers(rows, ngrams.labels),
        )
        for vectors, rows in zip(found, (train, *tests), strict=True)
    ]


def answers(way: str, train: Arrays, tests: Sequence[Arrays], config: RobustConfig) -> list[float]:
    """The accuracy on each test set of a head trained in one way."""
    labels = int(train.targets.max()) + 1
    given = (train.features, train.targets, labels)
    if way == "clever":
        two = clever_fit(*given, train.hints, config)
        told = [two.scores(test.features, test.hints) for test in tests]
    else:
        if way == "plain":
            model = fit_softmax(*given, Loss(config.strength, iterations=config.iterations))
        elif way == "jtt":
            model = just_train_twice(*given, config)
        else:
            fit = {"drift": residual_fit, "poe": product_of_experts, "rew": reweighted_fit}[way]
            model = fit(*given, train.hints, config)
        told = [scores(model, test.features) for test in tests]
    right = [score.argmax(axis=1) == test.targets for score, test in zip(told, tests, strict=True)]
    return [float(one.mean()) for one in right]


def from_encoder(asked: argparse.Namespace, train: Sequence[Example], tests: Any) -> Any:
    """A function from a way and a seed to the accuracy of a head on each test set."""
    rows, *others = encoded(asked, train, *tests.values())
    config = RobustConfig(strength=0.01, weak_strength=1e-4, iterations=asked.iterations, folds=2)

    def measure(way: str, seed: int) -> list[float]:
        kept = np.random.default_rng(seed).random(len(rows.targets)) >= 0.1
        part = Arrays(rows.features[kept], rows.hints[np.flatnonzero(kept)], rows.targets[kept])
        return answers(way, part, others, config)

    return measure


def from_ngrams(asked: argparse.Namespace, train: Sequence[Example], tests: Any) -> Any:
    """The same of augkit's linear classifier."""
    config = RobustConfig(iterations=asked.iterations, folds=2)

    def measure(way: str, seed: int) -> list[float]:
        model = trained(way, without_a_tenth(train, seed), asked.field, config)
        return [accuracy(model, rows) for rows in tests.values()]

    return measure


def main() -> None:
    """Print one line per way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", default="snli:train_20k")
    parser.add_argument("--test", action="append")
    parser.add_argument("--field", default="hypothesis")
    parser.add_argument("--encoder")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    asked = parser.parse_args()
    train = rows_of(asked.train, asked.limit)
    tests = {spec: rows_of(spec, None) for spec in asked.test or ["snli:test", "snli:test_hard"]}
    measure = (from_encoder if asked.encoder else from_ngrams)(asked, train, tests)
    plain: dict[str, list[float]] = {}
    for way in asked.ways:
        started = time.process_time()
        found = [measure(way, seed) for seed in range(asked.seeds)]
        told: dict[str, Any] = {"way": way, "train": asked.train, "rows": len(train)}
        for (spec, rows), several in zip(tests.items(), zip(*found, strict=True), strict=True):
            values = list(several)
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
