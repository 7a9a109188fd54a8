"""Which robust training helps where one field misleads? One JSON line per method.

    AUGKIT_DATA=DIR python -m lab.robust_training [--train snli:train_20k]
        [--test snli:test --test snli:test_hard] [--field hypothesis] [--seeds 3]
        [--limit N] [--encoder PATH]
    AUGKIT_DATA=DIR python -m lab.robust_training --train fever:test
        --test fever:dev --test fever_symmetric:dev --field claim

The classifier is augkit's linear one, or with ``--encoder PATH`` a linear head on the vectors of a
saved sentence encoder; plain, JTT, and four methods that train against ``--field``, whose n-grams
are the bias features in both cases.
Seeds leave out a tenth of the training rows each; accuracies are the mean and the deviation over
seeds, differences to plain training the mean, the least and the greatest.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np

from augkit.commands.evaluate.training_sets import usable
from augkit.core.protocols import Classifier
from augkit.core.types import Example, digest
from augkit.datasets.load import load_dataset
from augkit.models.classifiers.labels import label_indices
from augkit.models.classifiers.linear import train_linear
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.robust.bias_view import BiasView, fit_bias_model
from augkit.models.robust.methods import (
    RobustConfig,
    SoftmaxLoss,
    fit_softmax,
    just_train_twice,
    linear_scores,
    product_of_experts,
    residual_fit,
    reweighted_fit,
)
from augkit.models.robust.train import RobustMethod, RobustTraining, train_robust
from lab.command_line import argument, arguments, print_line

METHODS = ("plain", *get_args(RobustMethod))
ITERATIONS = 100


def rows_of(spec: str, limit: int | None) -> list[Example]:
    """The usable rows of a dataset."""
    return usable(load_dataset(spec, data_folder=Path(os.environ["AUGKIT_DATA"])))[:limit]


def without_a_tenth(rows: Sequence[Example], seed: int) -> list[Example]:
    """Nine tenths of the rows, drawn by content."""
    return [row for row in rows if int(digest(str(seed), row.id), 16) % 10]


def trained(method: str, rows: Sequence[Example], field: str, config: RobustConfig) -> Classifier:
    """A classifier of the rows, all methods with the same features."""
    member = LinearConfig(iterations=config.iterations)
    if method == "plain":
        return train_linear(rows, member)
    return train_robust(rows, member, RobustTraining(method, config, BiasView(field=field)))  # type: ignore[arg-type]


def accuracy(model: Classifier, rows: Sequence[Example]) -> float:
    """Share of right answers."""
    answers = model.predict(rows).argmax(axis=1)
    right = [model.labels[n] == row.label for n, row in zip(answers, rows, strict=True)]
    return float(np.mean(right))


@dataclass(frozen=True)
class Arrays:
    """Features, bias features and label indices of rows."""

    features: Any
    bias_features: Any
    targets: Any


def encoded(options: argparse.Namespace, train: Sequence[Example], *tests: Any) -> list[Arrays]:
    """Standardised vectors of all rows; bias features are the field's n-grams."""
    from augkit.models.classifiers.encoder import embed
    from augkit.models.classifiers.settings import EncoderConfig

    view = BiasView(field=options.field)
    ngrams, _ = fit_bias_model(train, view, LinearConfig(iterations=ITERATIONS))
    config = EncoderConfig(model=options.encoder)
    found = [embed(rows, tuple(rows[0].fields), config) for rows in (train, *tests)]
    mean, spread = found[0].mean(axis=0), found[0].std(axis=0) + 1e-9
    return [
        Arrays(
            (vectors - mean) / spread,
            ngrams.features(view(rows)),
            label_indices(rows, ngrams.labels),
        )
        for vectors, rows in zip(found, (train, *tests), strict=True)
    ]


def head_accuracies(
    method: str, train: Arrays, tests: Sequence[Arrays], config: RobustConfig
) -> list[float]:
    """The accuracy on each test set of a head trained in one method."""
    labels = int(train.targets.max()) + 1
    given = (train.features, train.targets, labels)
    if method in {"plain", "clever"}:
        model = fit_softmax(*given, SoftmaxLoss(config.strength, iterations=config.iterations))
    elif method == "jtt":
        model = just_train_twice(*given, config)
    else:
        fit = {"drift": residual_fit, "poe": product_of_experts, "rew": reweighted_fit}[method]
        model = fit(*given, train.bias_features, config)
    scores = [linear_scores(model, test.features) for test in tests]
    if method == "clever":
        loss = SoftmaxLoss(config.expert_strength, iterations=config.iterations)
        bias = fit_softmax(train.bias_features, train.targets, labels, loss)
        scores = [
            score - config.subtract * linear_scores(bias, test.bias_features)
            for score, test in zip(scores, tests, strict=True)
        ]
    right = [
        score.argmax(axis=1) == test.targets for score, test in zip(scores, tests, strict=True)
    ]
    return [float(one.mean()) for one in right]


def from_encoder(options: argparse.Namespace, train: Sequence[Example], tests: Any) -> Any:
    """A function from a method and a seed to the accuracy of a head on each test set."""
    rows, *others = encoded(options, train, *tests.values())
    config = RobustConfig(strength=0.01, weak_strength=1e-4, iterations=ITERATIONS, folds=2)

    def measure(method: str, seed: int) -> list[float]:
        kept = np.random.default_rng(seed).random(len(rows.targets)) >= 0.1
        part = Arrays(
            rows.features[kept], rows.bias_features[np.flatnonzero(kept)], rows.targets[kept]
        )
        return head_accuracies(method, part, others, config)

    return measure


def from_ngrams(options: argparse.Namespace, train: Sequence[Example], tests: Any) -> Any:
    """The same of augkit's linear classifier."""
    config = RobustConfig(iterations=ITERATIONS, folds=2)

    def measure(method: str, seed: int) -> list[float]:
        model = trained(method, without_a_tenth(train, seed), options.field, config)
        return [accuracy(model, rows) for rows in tests.values()]

    return measure


def main() -> None:
    """Print one line per method."""
    options = arguments(
        __doc__,
        argument("--train", default="snli:train_20k"),
        argument("--test", action="append"),
        argument("--field", default="hypothesis"),
        argument("--encoder"),
        argument("--seeds", type=int, default=3),
        argument("--limit", type=int),
    )
    train = rows_of(options.train, options.limit)
    tests = {spec: rows_of(spec, None) for spec in options.test or ["snli:test", "snli:test_hard"]}
    measure = (from_encoder if options.encoder else from_ngrams)(options, train, tests)
    plain: dict[str, list[float]] = {}
    for method in METHODS:
        started = time.process_time()
        found = [measure(method, seed) for seed in range(options.seeds)]
        record: dict[str, Any] = {"method": method, "train": options.train, "rows": len(train)}
        for (spec, rows), several in zip(tests.items(), zip(*found, strict=True), strict=True):
            values = list(several)
            gains = np.subtract(values, plain.setdefault(spec, values))
            record[spec] = {
                "rows": len(rows),
                "accuracy": [round(float(np.mean(values)), 4), round(float(np.std(values)), 4)],
                "gain": [round(float(x), 4) for x in (gains.mean(), gains.min(), gains.max())],
            }
        record["cpu_seconds"] = round(time.process_time() - started, 1)
        print_line(record)


if __name__ == "__main__":
    main()
