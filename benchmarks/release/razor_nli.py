"""RAZOR on NLI, offline: from SNLI to MNLI and back, and on the hard part of SNLI's test set.

    AUGKIT_DATA=DIR python -m benchmarks.release.razor_nli --encoder MODEL --cache FOLDER
        [--rows 3000]

Trains on ``--rows`` rows of the samples of SNLI and MNLI train (the whole sets are not at hand) a
head on sentence vectors of premise and hypothesis, for each arm: as it is, razor (until no round
helps at all: the rules find less to rewrite here than in claims; and with small changes too), eda
(hypothesis only).

One JSON line for each training set and arm: accuracy on every test set, the mean over seeds that
leave out a tenth of the rows, with the paired difference from "as it is"; accuracy of a linear
classifier that reads the hypothesis alone; negated hypotheses by label; features among the 20
strongest now that were not among the 50 strongest before.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from augkit.augmenters.razor.token_score import FeatureCounts
from augkit.core.types import Example, digest
from augkit.datasets.load import load_dataset
from augkit.models.classifiers.linear import train_linear
from augkit.text.features.numbering import label_numbers
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.razor_fever import NEGATION, Made, after, changed, made, percent
from benchmarks.release.razor_pairs import (
    Encoder,
    Head,
    best_strength,
    bootstrap,
    interval,
    pair_features,
)

TRAIN = {"snli": "snli:train_20k", "mnli": "mnli:train_10k"}
TESTS = {
    "snli:test": ("snli:test", 3000),
    "snli:test_hard": ("snli:test_hard", 4000),
    "mnli:dev_matched": ("mnli:dev_matched", 3000),
}
ARMS = {
    "as it is": None,
    "razor": ("razor", {"epsilon": 0.0}),
    "razor, any giveaway": ("razor", {"epsilon": 0.0, "alpha": 1.0}),
    "eda": ("eda", {"fields": ["hypothesis"]}),
}


def main() -> None:
    """Every training set and arm."""
    asked = arguments(
        __doc__,
        argument("--encoder", required=True),
        argument("--cache", type=Path, required=True),
        argument("--rows", type=int, default=3000),
        argument("--train", nargs="*", choices=TRAIN, default=list(TRAIN)),
        argument("--arms", nargs="*", choices=ARMS, default=list(ARMS)),
        argument("--seeds", type=int, default=10),
    )
    encoder = Encoder(asked.encoder, asked.cache)
    tests = {name: sample(spec, rows) for name, (spec, rows) in TESTS.items()}
    for name in asked.train:
        rows = sample(TRAIN[name], asked.rows)
        first: dict[str, np.ndarray] = {}
        strength = best_strength(pair_features(rows, encoder), [str(row.label) for row in rows])
        for arm in asked.arms:
            new = made(rows, ARMS[arm])
            figures: dict[str, object] = {
                "train": name,
                "arm": arm,
                "rewritten": len(changed(rows, new)),
            }
            figures |= bias(rows, after(rows, new, append=arm == "eda"))
            figures["hypothesis only"] = partial(after(rows, new, append=arm == "eda"), tests)
            arms = arms_of(rows, new, arm == "eda", asked.seeds)
            heads = [
                Head(pair_features(one, encoder), [str(row.label) for row in one], strength)
                for one in arms
            ]
            figures["pairs"] = measured(heads, tests, encoder, first)
            print_line(figures)


def sample(spec: str, most: int) -> list[Example]:
    """Rows drawn by their ids."""
    rows = load_dataset(spec, data_folder=os.environ.get("AUGKIT_DATA"))
    labelled = [row for row in rows if row.label in {"entailment", "neutral", "contradiction"}]
    return sorted(labelled, key=lambda row: digest("sample", row.id))[:most]


def arms_of(rows: Sequence[Example], new: Made, append: bool, seeds: int) -> list[list[Example]]:
    """The training rows of each seed, without a tenth of the originals."""
    arms = []
    for seed in range(seeds):
        kept = [row for row in rows if int(digest(str(seed), "leave-out", row.id), 16) % 10]
        own = {row.id: new[row.id] for row in kept if row.id in new}
        arms.append(after(kept, own, append=append))
    return arms


def measured(
    heads: Sequence[Head],
    tests: dict[str, list[Example]],
    encoder: Encoder,
    first: dict[str, np.ndarray],
) -> dict[str, object]:
    """Accuracy on each test set, beside that of the first arm, which fills ``first``."""
    figures: dict[str, object] = {}
    for name, test in tests.items():
        features, labels = pair_features(test, encoder), [str(row.label) for row in test]
        right = np.stack([head.right(features, labels) for head in heads])
        base = first.setdefault(name, right)
        record: dict[str, object] = {"accuracy": percent(right)}
        if base is not right:
            gaps = right.mean(axis=1) - base.mean(axis=1)
            record |= {
                "over seeds": interval(gaps),
                "over rows": bootstrap(base, right),
                "over both": bootstrap(base, right, seeds=True),
            }
        figures[name] = record
    return figures


def partial(arm: Sequence[Example], tests: dict[str, list[Example]]) -> dict[str, float]:
    """Accuracy of a linear classifier that reads the hypothesis alone."""
    model = train_linear([hypothesis(row) for row in arm])
    figures = {}
    for name, test in tests.items():
        answers = model.predict([hypothesis(row) for row in test]).argmax(axis=1)
        right = [model.labels[n] == row.label for n, row in zip(answers, test, strict=True)]
        figures[name] = percent(np.array(right))
    return figures


def hypothesis(row: Example) -> Example:
    """A row without its premise."""
    return Example({"hypothesis": row.fields["hypothesis"]}, row.label, row.id)


def bias(before: Sequence[Example], now: Sequence[Example]) -> dict[str, object]:
    """Negated hypotheses by label, and shortcuts that were not there."""
    held = Counter(row.label for row in now if NEGATION.search(row.fields["hypothesis"]))
    known = {(one[0], one[1]) for one in strongest(before, 50)}
    new = [one[1] for one in strongest(now, 20) if (one[0], one[1]) not in known]
    top = [[feature, label, z] for _, feature, label, z in strongest(now, 6)]
    return {"negations": dict(sorted(held.items())), "strongest": top, "new": new}


def strongest(rows: Sequence[Example], most: int) -> list[tuple[str, str, str, float]]:
    """Kind, words, label and z of what goes with a label most."""
    names, numbers = label_numbers([str(row.label) for row in rows])
    texts = [row.fields["hypothesis"] for row in rows]
    found = FeatureCounts(texts, numbers, len(names)).strongest(5 * most)
    kept = [one for one in found if one.kind in {"token", "2-gram"}][:most]
    return [(one.kind, one.feature, names[one.label], round(one.z, 1)) for one in kept]


if __name__ == "__main__":
    main()
