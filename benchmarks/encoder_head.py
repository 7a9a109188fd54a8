"""A linear head on vectors that an encoder gives once, beside TF-IDF on the same rows.

    AUGKIT_DATA=... OMP_NUM_THREADS=1 python benchmarks/encoder_head.py --model FOLDER
        [--train sst2] [--test sst2:dev] [--rows 5000]

Printed: accuracy of both, and the CPU-seconds of training, reading the texts included. One JSON
line.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

from augkit.core.types import Example
from augkit.datasets.load import load_dataset
from augkit.models.classifiers.encoder import EncoderConfig, train_encoder
from augkit.models.classifiers.labels import label_indices
from augkit.models.classifiers.linear import train_linear
from augkit.models.classifiers.train import TrainedClassifier


def main() -> None:
    """Train both, measure both, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--train", default="sst2")
    parser.add_argument("--test", default="sst2:dev")
    parser.add_argument("--rows", type=int, default=5000)
    options = parser.parse_args()
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
    print(json.dumps(record))


def accuracy(classifier: TrainedClassifier, rows: list[Example]) -> float:
    """Share of the rows whose label it gives."""
    answers = classifier.predict(rows).argmax(axis=1)
    return round(float((answers == label_indices(rows, classifier.labels)).mean()), 4)


if __name__ == "__main__":
    main()
