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
    asked = parser.parse_args()
    folder = Path(os.environ["AUGKIT_DATA"])
    rows = load_dataset(asked.train, data_folder=folder)[: asked.rows]
    held_out = load_dataset(asked.test, data_folder=folder)
    told: dict[str, object] = {"train": asked.train, "rows": len(rows), "test": asked.test}
    start = time.process_time()
    told["tfidf"] = accuracy(train_linear(rows), held_out)
    told["tfidf, CPU s"] = round(time.process_time() - start, 1)
    start = time.process_time()
    told["encoder"] = accuracy(train_encoder(rows, EncoderConfig(model=asked.model)), held_out)
    told["encoder, CPU s"] = round(time.process_time() - start, 1)
    print(json.dumps(told))


def accuracy(classifier: TrainedClassifier, rows: list[Example]) -> float:
    """Share of the rows whose label it gives."""
    answers = classifier.predict(rows).argmax(axis=1)
    return round(float((answers == label_indices(rows, classifier.labels)).mean()), 4)


if __name__ == "__main__":
    main()
