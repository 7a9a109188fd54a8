"""What a sample of the rows costs the classifiers that vote in CoBA (``fit_rows``).

    python -m benchmarks.research.coba_fit_rows --data DIR [--arms 10000 25000 100000]
        [--rows 4000] [--dataset sst2]

Each arm fits the classifiers that vote on so many rows of ``sst2/train``; everything else is fitted
once. Printed for each: CPU-seconds of the fit, accuracy of the classifiers on held-out rows (among
the training rows are phrases of the same sentences) and on ``sst2/dev`` (whole sentences, of which
they saw nothing), and how far its votes on ``--rows`` rows agree with those of the last arm: the
share of words that both name, of those that either names. Then the variants of these rows, how many
of them the last arm has too, and the accuracy of a TF-IDF + logistic regression that is trained on
the rows and their first eight variants, with the difference to the last arm and its 95 % interval
(paired bootstrap). One JSON line.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from augkit.attribution.ensemble import vote_words
from augkit.augmenters.coba.artifact import CobaArtifact
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.fit import MEMBERS, fit_sample
from augkit.augmenters.coba.method import Coba
from augkit.core.protocols import Tools
from augkit.core.types import Example, Pair, example
from augkit.labels.fit import sampled_rows
from augkit.models.ensembles.crossfit import CrossFitted, EnsembleConfig, train_crossfitted
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.coba_imdb import (
    Labelled,
    StoredParses,
    Trained,
    gain,
    labelled,
    read,
    texts_of,
)

PER_ROW = 8
"""Variants of a row in a training set, as in a run."""


def tests_of(data: Path) -> dict[str, list[Labelled]]:
    """What a classifier of rows and variants is measured on."""
    flips = {
        f"{name} flipped by people": labelled(
            row for row in read(data, f"{name}_drg/test_human_pairs") if row["kind"] == "human_flip"
        )
        for name in ("yelp", "amazon")
    }
    return {
        "sst2 dev": labelled(read(data, "sst2/dev")),
        "Yelp sentences": labelled(read(data, "yelp_sentences/test")),
        "revised reviews": labelled(read(data, "imdb_cad/revised_dev")),
        **flips,
    }


def accuracy_by_member(ensemble: CrossFitted, rows: Sequence[Example]) -> dict[str, float]:
    """Per cent of the rows that each classifier gets right."""
    gold = np.array([ensemble.labels.index(str(row.label)) for row in rows])
    right = ensemble.predict_each(rows).argmax(axis=2) == gold
    return {
        name: round(100 * float(hits.mean()), 1)
        for name, hits in zip(ensemble.members, right, strict=True)
    }


def shared(first: Sequence[set[Any]], second: Sequence[set[Any]]) -> float:
    """Per cent that both have, of what either has: the mean over rows."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a | b]
    return round(100 * fmean(len(a & b) / len(a | b) for a, b in pairs), 1)


def variants_of(augmenter: Coba, rows: Sequence[Example]) -> tuple[list[set[str]], list[Labelled]]:
    """The texts of all variants of each row, and the first of them for training."""
    by_row: dict[str, list[Pair]] = {row.id: [] for row in rows}
    for outcome in augmenter.outcomes(rows):
        if isinstance(outcome, Pair):
            by_row[outcome.original.id].append(outcome)
    texts = [{text for text, _ in texts_of(pairs)} for pairs in by_row.values()]
    return texts, texts_of([pair for pairs in by_row.values() for pair in pairs[:PER_ROW]])


def main() -> None:
    """Measure every arm; the last one is what the others are compared with."""
    typed = arguments(
        __doc__,
        argument("--data", type=Path, required=True),
        argument("--arms", type=int, nargs="+", default=[10_000, 25_000, 100_000]),
        argument("--rows", type=int, default=4_000),
        argument("--dataset", default="sst2"),
    )
    parses = StoredParses(None)
    examples = [example(t, y) for t, y in labelled(read(typed.data, f"{typed.dataset}/train"))]
    dev = [example(text, label) for text, label in labelled(read(typed.data, "sst2/dev"))]
    rows = sampled_rows(examples, typed.rows, "measured")
    originals = [(row.fields["text"], str(row.label)) for row in rows]
    tests = tests_of(typed.data)
    augmenter = Coba(CobaConfig(fit_rows=typed.arms[0]), Tools(parser=parses)).fit(examples)
    artifact: CobaArtifact = augmenter.artifact
    settings = EnsembleConfig(members=MEMBERS[:5], folds=augmenter.config.folds)
    measured: list[dict[str, Any]] = []
    named, texts, right = [], [], []
    for most in typed.arms:
        started = time.process_time()
        ensemble = train_crossfitted(fit_sample(examples, most), settings)
        seconds = time.process_time() - started
        fitted = artifact.texts and replace(artifact.texts, ensemble=ensemble)
        arm = augmenter.with_artifact(replace(artifact, texts=fitted))
        named.append([{*vote.principal, *vote.spurious} for vote in vote_words(ensemble, rows)])
        texts_of_arm, added = variants_of(arm, rows)
        texts.append(texts_of_arm)
        trained = Trained(originals + added)
        right.append({test: trained.right(of_test) for test, of_test in tests.items()})
        held_out = {k: round(100 * v, 1) for k, v in ensemble.held_out_accuracy.items()}
        on_dev = accuracy_by_member(ensemble, dev)
        accuracy = {test: round(100 * float(hits.mean()), 1) for test, hits in right[-1].items()}
        measured.append(
            {
                "fit_rows": most,
                "cpu_seconds": round(seconds, 1),
                "held out": held_out,
                "held out range": f"{min(held_out.values())} to {max(held_out.values())}",
                "sst2 dev": on_dev,
                "sst2 dev range": f"{min(on_dev.values())} to {max(on_dev.values())}",
                "variants": sum(map(len, texts_of_arm)),
                "trained on": len(originals) + len(added),
                "accuracy": accuracy,
            }
        )
    for record, words, of_rows, hits in zip(measured, named, texts, right, strict=True):
        record["votes shared"] = shared(words, named[-1])
        record["variants shared"] = shared(of_rows, texts[-1])
        record["difference"] = {test: gain(right[-1][test], hits[test]) for test in tests}
    base = Trained(originals)
    alone = {test: base.accuracy(of_test) for test, of_test in tests.items()}
    print_line({"benchmark": "coba fit_rows", "originals alone": alone, "arms": measured})


if __name__ == "__main__":
    main()
