"""Do classifiers lean on what a grammar found, does robust training help? One JSON line a model.

    augkit shortcuts snli:train_20k+dev --by grammar --out FOLDER
    AUGKIT_DATA=DIR python -m lab.grammar_robust FOLDER [--dataset snli:train_20k+dev] [--seeds 3]

The rows that selected the grammar's features train the classifiers, the held-out rows test them.
Contrast sets are made of held-out rows by the method ``contrast``, with the words of FOLDER's
``features.jsonl``. An edit's error is the share of contrast sets in which the model gives the label
that the shortcut suggests for any variant, among sets whose original it gets right (Table 7 of
friedman2022finding). Models: plain, JTT, and DRiFt with an L1 model of the grammar's rules (Table
8). Features are TF-IDF n-grams. Seeds leave out a tenth of the training rows each. ``by_group`` has
the accuracy on supporting rows and on counter-examples of every significant group (Table 6), of the
first seed, and ``worst`` the lowest accuracy on the counter-examples of a group that has 50.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from augkit.augmenters.create import create
from augkit.commands.evaluate.training_sets import usable
from augkit.core.types import Example, Pair
from augkit.datasets.load import load_dataset
from augkit.grammars.features.feature_groups import FeatureGroups, minority_groups
from augkit.grammars.features.subtrees import occurrences, rules
from augkit.grammars.features.survey import SurveyConfig, group_records, label_rows, survey_trees
from augkit.grammars.model.corpus import read_corpus
from augkit.grammars.trees import Trees
from augkit.models.classifiers.linear import train_linear
from augkit.models.robust.methods import (
    RobustConfig,
    SoftmaxLoss,
    fit_softmax,
    just_train_twice,
    linear_scores,
    residual_fit,
)
from lab.command_line import argument, arguments, print_line

FEWEST_ROWS = 5
"""A rule that fewer training rows use is no bias feature."""
WITNESSES = 50
"""The accuracy on fewer counter-examples says little of the worst group."""


@dataclass(frozen=True)
class Material:
    """Training rows, held-out rows and contrast sets, and what the grammar says of them."""

    train: Sequence[Example]
    targets: Any
    bias_features: Any
    test: Sequence[Example]
    gold: Any
    pairs: Sequence[Pair]
    labels: tuple[str, ...]
    groups: FeatureGroups
    group_names: Sequence[str]


@dataclass(frozen=True)
class Features:
    """What a linear classifier sees of training rows, held-out rows and variants."""

    train: Any
    test: Any
    variants: Any

    @classmethod
    def of(cls, material: Material) -> Features:
        """TF-IDF n-grams, counted on the training rows."""
        features = train_linear(material.train).features
        variants = [pair.variant for pair in material.pairs]
        return cls(features(material.train), features(material.test), features(variants))


def contrasts(rows: Sequence[Example], options: argparse.Namespace) -> list[Pair]:
    """All contrast variants of the held-out rows."""
    edits = ["hypernym", "antonym", "adjective", "control"]
    words = str(options.folder / "features.jsonl")
    return list(create("contrast", copies=5, edits=edits, features=words)(rows))


def prepare(options: argparse.Namespace) -> Material:
    """Read the dataset and the grammar's trees, and make contrast sets."""
    data = Path(os.environ["AUGKIT_DATA"])
    config = SurveyConfig()
    corpus = read_corpus(usable(load_dataset(options.dataset, data_folder=data)), config)
    labelled = label_rows(corpus.examples, config)
    trees = Trees.load(options.folder / "trees.npz")
    held = labelled.held_out
    learning, testing = np.flatnonzero(~held), np.flatnonzero(held)
    train, test = ([corpus.examples[row] for row in part] for part in (learning, testing))
    survey = survey_trees(corpus, corpus.vocabulary(config), trees, labelled, config)
    used = occurrences(rules(trees, lexical=True), survey.rows, len(held))[learning]
    bias_features = used[:, np.flatnonzero(np.diff(used.tocsc().indptr) >= FEWEST_ROWS)].astype(
        float
    )
    pairs = contrasts(test, options)
    return Material(
        train, labelled.numbers[learning], bias_features,
        test, labelled.numbers[testing], pairs, labelled.names,
        replace(survey.groups, occurrences=survey.groups.occurrences[testing]),
        [" · ".join(p["pattern"] for p in r["patterns"][:4]) for r in group_records(survey)],
    )  # fmt: skip


def answered(
    material: Material, seen: Features, name: str, seed: int, config: RobustConfig
) -> tuple[Any, Any]:
    """The labels that a model of nine tenths of the training rows gives to tests and variants."""
    model = trained(material, seen, name, seed, config)
    return tuple(linear_scores(model, some).argmax(axis=1) for some in (seen.test, seen.variants))


def trained(material: Material, seen: Features, name: str, seed: int, config: RobustConfig) -> Any:
    """A model of nine tenths of the training rows."""
    rows = np.flatnonzero(np.random.default_rng(seed).random(len(material.targets)) >= 0.1)
    features, targets = seen.train[rows], material.targets[rows]
    kinds = len(material.labels)
    if name == "plain":
        loss = SoftmaxLoss(config.strength, iterations=config.iterations)
        return fit_softmax(features, targets, kinds, loss)
    if name == "jtt":
        return just_train_twice(features, targets, kinds, config)
    return residual_fit(features, targets, kinds, material.bias_features[rows], config)


def measured(material: Material, answers: Any, to_variants: Any) -> dict[str, float]:
    """Held-out accuracy, error of every edit, share of controls and of tests that are right."""
    right = answers == material.gold
    said = [material.labels[number] for number in to_variants]
    test_ids = {row.id: index for index, row in enumerate(material.test)}
    misled: dict[tuple[str, str], list[bool]] = defaultdict(list)
    controls: dict[str, list[bool]] = defaultdict(list)
    for pair, label in zip(material.pairs, said, strict=True):
        about = pair.provenance.about
        if about["edit"] == "control":
            kind = "test" if about["role"].endswith("test") else "others"
            controls[f"{kind} right"].append(label == pair.variant.label)
            if kind == "test":
                controls["test misled"].append(label == about["suggests"])
        elif right[test_ids[pair.original.id]]:
            misled[about["edit"], pair.original.id].append(label == about["suggests"])
    found = {"accuracy": float(right.mean())}
    for edit in ("hypernym", "antonym", "adjective"):
        sets = [any(some) for (kind, _), some in misled.items() if kind == edit]
        found[f"{edit} sets"] = len(sets)
        found[f"{edit} error"] = float(np.mean(sets)) if sets else float("nan")
    return found | {f"control: {name}": float(np.mean(some)) for name, some in controls.items()}


def by_group(material: Material, answers: Any) -> dict[str, Any]:
    """Accuracy where each significant group is right and where it is wrong (Table 6)."""
    groups = material.groups
    label = groups.statistics.label
    found = minority_groups(groups.occurrences, label, material.gold, answers)
    kept = [
        index
        for index in np.flatnonzero(groups.statistics.corrected <= 0.05).tolist()
        if min(found[index].supporting, found[index].counter) >= FEWEST_ROWS
    ]
    pairs = [(found[p].supporting_accuracy, found[p].counter_accuracy) for p in kept]
    large = [
        (found[p].counter_accuracy, material.group_names[p])
        for p in kept
        if found[p].counter >= WITNESSES
    ]
    return {
        "groups": len(kept),
        "worst": min(large, default=None),
        "supporting above counter": sum(bool(one > other) for one, other in pairs),
        "mean supporting, counter": np.mean(pairs, axis=0).round(4).tolist(),
        "each": [
            [material.group_names[p], material.labels[label[p]], *vars(found[p]).values()]
            for p in kept
        ],
    }


def summary(material: Material, answers: Sequence[tuple[Any, Any]]) -> dict[str, Any]:
    """Mean and deviation over seeds, and the groups of the first seed."""
    runs = [measured(material, *one) for one in answers]
    found: dict[str, Any] = {}
    for key in runs[0]:
        values = [run[key] for run in runs]
        found[key] = [round(float(np.mean(values)), 4), round(float(np.std(values, ddof=1)), 4)]
    return found | {"by_group": by_group(material, answers[0][0])}


def main() -> None:
    """Print one line per model."""
    options = arguments(
        __doc__,
        argument("folder", type=Path),
        argument("--dataset", default="snli:train_20k+dev"),
        argument("--seeds", type=int, default=3),
    )
    material = prepare(options)
    seen = Features.of(material)
    config = RobustConfig(strength=10.0, weak_strength=0.1, iterations=100, folds=2)
    for name in ("plain", "jtt", "drift"):
        started = time.process_time()
        answers = [answered(material, seen, name, seed, config) for seed in range(options.seeds)]
        record: dict[str, Any] = {
            "model": name,
            "train": len(material.targets),
            "test": len(material.gold),
            "bias features": material.bias_features.shape[1],
            "seeds": options.seeds,
            "cpu_seconds": round(time.process_time() - started, 1),
        }
        record |= summary(material, answers)
        print_line(record)


if __name__ == "__main__":
    main()
