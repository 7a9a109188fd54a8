"""How far attribution methods agree on one classifier, what each costs and says of its own error.

    AUGKIT_DATA=... OMP_NUM_THREADS=1 python -m benchmarks.release.attribution [--dataset sst2]
        [--explained sst2:dev] [--rows 100] [--trained 2000] [--model FOLDER]

Without ``--model`` the default linear classifier is explained exactly, by LIME and by Shapley
values; with it, a transformer fine-tuned for two passes, by integrated gradients, LIME and Shapley
values. Printed for each method: CPU-seconds a text and the mean of its error; for each two methods
the mean share of their five most important words that they have in common. One JSON line.
"""

from __future__ import annotations

import os
import time
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import get_args

from augkit.attribution.ensemble import Method, explainer
from augkit.attribution.explanation import Explanation, top_words
from augkit.core.types import Example
from augkit.datasets.load import load_dataset
from augkit.models.classifiers.linear import train_linear
from augkit.models.classifiers.settings import TransformersConfig
from augkit.models.classifiers.train import TrainedClassifier
from augkit.models.classifiers.transformers_classifier import train_transformers
from benchmarks.command_line import argument, arguments, print_line


def main() -> None:
    """Train, explain by every method, compare, print."""
    options = arguments(
        __doc__,
        argument("--dataset", default="sst2"),
        argument("--explained", default="sst2:dev"),
        argument("--rows", type=int, default=100),
        argument("--trained", type=int, default=2000),
        argument("--model"),
    )
    folder = Path(os.environ["AUGKIT_DATA"])
    rows = load_dataset(options.explained, data_folder=folder)[: options.rows]
    classifier = train(
        load_dataset(options.dataset, data_folder=folder)[: options.trained], options.model
    )
    right = [classifier.labels[n] for n in classifier.predict(rows).argmax(axis=1)]
    record: dict[str, object] = {
        "explained": options.explained,
        "rows": len(rows),
        "accuracy": round(fmean(a == row.label for a, row in zip(right, rows, strict=True)), 3),
    }
    found: dict[str, list[Explanation]] = {}
    costs: dict[str, object] = {}
    for method in methods(linear=options.model is None):
        start = time.process_time()
        found[method] = explainer(method)(classifier, rows, [str(row.label) for row in rows])
        costs[method] = {
            "CPU s a text": round((time.process_time() - start) / len(rows), 4),
            "error": round(fmean(one.error for one in found[method]), 4),
            "of": " or ".join(sorted({one.measure for one in found[method]})),
        }
    common = {
        f"{one} and {other}": round(fmean(map(shared, found[one], found[other])), 3)
        for one, other in combinations(found, 2)
    }
    print_line({**record, "methods": costs, "top 5 in common": common})


def train(rows: list[Example], model: str | None) -> TrainedClassifier:
    """The default linear classifier, or a transformer after two quick passes."""
    if model is None:
        return train_linear(rows)
    return train_transformers(rows, TransformersConfig(model=model, epochs=2, learning_rate=3e-4))


def methods(*, linear: bool) -> list[Method]:
    """All that fit the classifier."""
    left_out = {"auto", "integrated-gradients" if linear else "exact"}
    return [method for method in get_args(Method) if method not in left_out]


def shared(one: Explanation, other: Explanation) -> float:
    """The share of the important words that two explanations have in common."""
    first, second = set(top_words(one)), set(top_words(other))
    return len(first & second) / max(len(first), len(second), 1)


if __name__ == "__main__":
    main()
