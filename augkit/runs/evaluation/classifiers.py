"""Who is measured: classifiers trained on arms for the occasion, or those that were saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError
from augkit.core.protocols import Classifier
from augkit.core.types import Example
from augkit.datasets.columns import ReadOptions
from augkit.models.classifiers.labels import class_labels
from augkit.models.classifiers.train import ClassifierConfig, train_classifier
from augkit.runs.commands.train import load_trained, training_rows
from augkit.runs.evaluation.test_rows import HeldOut
from augkit.runs.evaluation.training_sets import Arm


@dataclass(frozen=True)
class Subject:
    """A classifier under a name, others like it to show its spread, and what it was taught."""

    name: str
    classifier: Classifier
    samples: Sequence[Classifier]
    sampled: str
    """What the others differ in."""
    fields: Sequence[str]
    model: dict[str, Any]
    rows: int
    left_out: int
    corpus: Callable[[], Sequence[Example]]
    """The rows it was taught; read only where something asks for them."""


def taught(arm: Arm, model: ClassifierConfig, seeds: int) -> Subject:
    """A classifier of all rows of an arm, and one for each seed without a tenth of them."""
    try:
        whole = train_classifier(arm.examples, model)
        samples = [train_classifier(arm.sample(seed), model) for seed in range(seeds)]
    except DataError as error:
        raise DataError(f"{arm.name}: {error}") from None
    return Subject(
        name=arm.name,
        classifier=whole,
        samples=samples,
        sampled="without a tenth of the rows",
        fields=tuple(arm.examples[0].fields),
        model=model.model_dump(mode="json"),
        rows=len(arm.examples),
        left_out=arm.left_out,
        corpus=lambda: arm.examples,
    )


def saved(folder: Path, reading: ReadOptions) -> Subject:
    """The best classifier of a folder of ``augkit train``, and all its seeds."""
    found = load_trained(folder)
    robust = found.record["robust"]
    return Subject(
        name=found.name,
        classifier=found.best,
        samples=found.every if len(found.every) > 1 else (),
        sampled="each seed",
        fields=tuple(found.best.fields),
        model={**found.record["model"], **({"robust": robust["method"]} if robust else {})},
        rows=found.record["train"]["rows"],
        left_out=found.record["train"]["left_out"],
        corpus=lambda: training_rows(found.record, reading),
    )


def arm_labels(arm: Arm) -> set[str]:
    """The classes of an arm; an error names it."""
    try:
        return set(class_labels(arm.examples))
    except DataError as error:
        raise DataError(f"{arm.name}: {error}") from None


def about(subject: Subject, test: HeldOut) -> dict[str, Any]:
    """Who was measured on what."""
    return {
        "model": subject.model,
        "train": subject.name,
        "test": test.name,
        "rows": {
            "train": subject.rows,
            "test": len(test.rows),
            "left_out_of_train": subject.left_out,
            "left_out_of_test": test.left_out,
        },
    }
