"""Classifiers to evaluate: trained on training sets for the occasion, or saved by ``train``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augkit.commands.evaluate.training_sets import (
    TrainingSet,
    dataset_training_set,
    run_training_sets,
)
from augkit.core.errors import ConfigError, DataError
from augkit.core.progress import report_progress, reported
from augkit.core.protocols import Classifier, SavedClassifier
from augkit.core.types import Example
from augkit.datasets.settings import ReadOptions, RowSelection
from augkit.models.classifiers.train import ClassifierConfig, train_classifier
from augkit.models.saved import load_classifier

TRAINING_FILE = "training.json"


@dataclass(frozen=True)
class NamedClassifier:
    """A classifier, others like it that show its spread, and what it was trained on."""

    name: str
    classifier: Classifier
    samples: Sequence[Classifier]
    sampling: str
    """What the samples differ in."""
    fields: Sequence[str]
    model: dict[str, Any]
    rows: int
    left_out: int
    corpus: Callable[[], Sequence[Example]]
    """The training rows; read only where they are needed."""
    record: Callable[[], Mapping[str, Any]] = dict
    """What is written to the results about its answers, under ``llm``."""
    is_reference: bool = False
    """Whether the result of a run is compared with it."""


@dataclass(frozen=True)
class SavedTraining:
    """A folder of ``augkit train``: the best classifier by validation, all seeds, the record."""

    name: str
    best: SavedClassifier
    seeds: Sequence[SavedClassifier]
    record: dict[str, Any]


def train_named(training_set: TrainingSet, model: ClassifierConfig, seeds: int) -> NamedClassifier:
    """A classifier of all training rows, and one per seed without a tenth of them."""
    try:
        report_progress(f"training on {training_set.name}")
        whole = train_classifier(training_set.examples, model)
        samples = [
            train_classifier(training_set.sample(seed), model)
            for seed in reported(f"training seeds on {training_set.name}", range(seeds))
        ]
    except DataError as error:
        raise DataError(f"{training_set.name}: {error}") from None
    return NamedClassifier(
        name=training_set.name,
        classifier=whole,
        samples=samples,
        sampling="without a tenth of the rows",
        fields=tuple(training_set.examples[0].fields),
        model=model.model_dump(mode="json"),
        rows=len(training_set.examples),
        left_out=training_set.left_out,
        corpus=lambda: training_set.examples,
    )


def load_named(folder: Path, reading: ReadOptions) -> NamedClassifier:
    """The best classifier of a folder of ``augkit train``, and all its seeds."""
    found = load_training(folder)
    train, robust = found.record["train"], found.record["robust"]
    return NamedClassifier(
        name=found.name,
        classifier=found.best,
        samples=found.seeds if len(found.seeds) > 1 else (),
        sampling="each seed",
        fields=tuple(found.best.fields),
        model={**found.record["model"], **({"robust": robust["method"]} if robust else {})},
        rows=train["rows"],
        left_out=train["left_out"],
        corpus=lambda: _saved_rows(found.record, reading.data_folder),
    )


def _saved_rows(record: Mapping[str, Any], data_folder: Path | None) -> Sequence[Example]:
    """The rows that a saved classifier was trained on, read and selected as they were then."""
    then = record["settings"]
    reading = ReadOptions(**then["reading"])
    reading = reading.model_copy(update={"data_folder": data_folder or reading.data_folder})
    selection = RowSelection(**{key: then[key] for key in RowSelection.model_fields})
    return selection.of(load_training_set(record["train"]["spec"], reading).examples)


def load_training(folder: Path) -> SavedTraining:
    """Read the classifiers of a folder that ``augkit train`` wrote."""
    try:
        record = json.loads((folder / TRAINING_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise DataError(
            f"{folder}: no trained classifier ({TRAINING_FILE}) there. Train one: augkit train "
            f"--train DATASET --out {folder}"
        ) from error
    except ValueError as error:
        raise DataError(f"{folder / TRAINING_FILE}: damaged: {error}") from error
    if record["kind"] == "mlm":
        raise ConfigError(
            f"{folder} is a masked language model, not a classifier. Fine-tune it: --model "
            f"transformers:{folder}, or measure it: augkit benchmark NAME --model {folder}"
        )
    seeds = {one["folder"]: load_classifier(folder / one["folder"]) for one in record["seeds"]}
    return SavedTraining(folder.name, seeds[record["best"]], list(seeds.values()), record)


def load_training_set(spec: str, reading: ReadOptions) -> TrainingSet:
    """The rows of a dataset, or the result of a finished run folder."""
    folder = Path(spec)
    if (folder / "manifest.json").is_file():
        return run_training_sets(folder, "result", reading.data_folder)[0]
    return dataset_training_set(spec, reading)
