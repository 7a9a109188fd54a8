"""A linear head on vectors that an encoder gives once, beside TF-IDF on the same rows.

    AUGKIT_DATA=... OMP_NUM_THREADS=1 python -m benchmarks.release.encoder_head --model FOLDER
        [--train sst2] [--test sst2:dev] [--rows 5000]

Printed: accuracy of both, and the CPU-seconds of training, reading the texts included. One JSON
line.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from augkit.core.types import Example
from augkit.datasets.load import load_dataset
from augkit.models.classifiers.encoder import train_encoder
from augkit.models.classifiers.labels import label_indices
from augkit.models.classifiers.linear import train_linear
from augkit.models.classifiers.settings import EncoderConfig
from augkit.models.classifiers.train import TrainedClassifier
from benchmarks.command_line import argument, arguments, print_line


def main() -> None:
    """Train both, measure both, print."""
    options = arguments(
        __doc__,
        argument("--model", required=True),
        argument("--train", default="sst2"),
        argument("--test", default="sst2:dev"),
        argument("--rows", type=int, default=5000),
    )
    folder = Path(os.environ["AUGKIT_DATA"])
    rows = load_dataset(options.train, data_folder=folder)[: options.rows]
    held_out = load_dataset(options.test, data_folder=folder)
    record: dict[str, object] = {"train": options.train, "rows": len(rows), "test": options.test}
    start = time.process_time()
    record["tfidf"] = accuracy(train_linear(rows), held_out)
    record["tfidf, CPU s"] = round(time.process_time() - start, 1)
    start = time.process_time()
    record["encoder"] = accuracy(train_encoder(rows, EncoderConfig(model=options.model)), held_out)
    record["encoder, CPU s"] = round(time.process_time() - start, 1)
    print_line(record)


def accuracy(classifier: TrainedClassifier, rows: list[Example]) -> float:
    """Share of the rows whose label it gives."""
    answers = classifier.predict(rows).argmax(axis=1)
    return round(float((answers == label_indices(rows, classifier.labels)).mean()), 4)


if __name__ == "__main__":
    main()
