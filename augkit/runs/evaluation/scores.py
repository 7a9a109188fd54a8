"""``scores.json``: what evaluation measured on a run, and which test sets belong to its dataset."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.core.errors import ConfigError
from augkit.datasets.columns import ReadOptions
from augkit.datasets.lookup import local_splits
from augkit.datasets.open import open_dataset
from augkit.datasets.spec import parse_spec
from augkit.runs.evaluation.evaluate import EvaluateSettings, evaluate
from augkit.runs.evaluation.verdict import verdict
from augkit.runs.settings import RunSettings

NAME = "scores.json"


def evaluate_run(settings: EvaluateSettings) -> dict[str, Any]:
    """Measure, write ``scores.json`` into the run folder where there is one, and give it back."""
    records = evaluate(settings)
    told = {"verdict": verdict(records), "results": records}
    if settings.run is not None:
        _write(settings.run, told)
    return told


def _write(folder: Path, told: Mapping[str, Any]) -> None:
    """In one step, so that a reader never sees half of it."""
    draft = folder / f"{NAME}.new"
    draft.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    draft.replace(folder / NAME)


def planned_tests(
    settings: RunSettings, asked: Sequence[str]
) -> Callable[[Path], EvaluateSettings]:
    """What to measure once a run is done; a missing test set is told before the run starts.

    The test sets are those asked for, or all splits of the dataset that are not for training. A
    file has no splits, so its test set must be named. One classifier is trained on each side;
    ``augkit evaluate`` shows the spread over several.
    """
    reading = ReadOptions(
        text_columns=settings.text_columns,
        label_column=settings.label_column,
        data_folder=settings.data_folder,
    )
    tests = tuple(asked) or _other_splits(settings.dataset, reading)
    if not tests:
        raise ConfigError(
            f"--evaluate: no test split of '{settings.dataset}' lies on this machine. Name a test "
            "set with --test DATASET, as --test my-test.csv"
        )
    for test in tests:
        open_dataset(test, reading)
    return lambda folder: EvaluateSettings(run=folder, tests=tests, reading=reading, seeds=0)


def _other_splits(dataset: str, reading: ReadOptions) -> tuple[str, ...]:
    spec = parse_spec(dataset)
    if isinstance(spec, Path):
        return ()
    others = [split for split in local_splits(spec.name, reading) if split not in spec.splits]
    return tuple(f"{spec.name}:{split}" for split in others if "train" not in split)
