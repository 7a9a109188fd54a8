"""``scores.json``: the results of an evaluation; and the default test sets of a run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from augkit.core.errors import ConfigError
from augkit.datasets.columns import ReadOptions
from augkit.datasets.lookup import local_splits
from augkit.datasets.open import open_dataset
from augkit.datasets.spec import parse_spec
from augkit.runs.evaluation.evaluate import evaluate
from augkit.runs.evaluation.settings import EvaluateSettings
from augkit.runs.evaluation.verdict import verdict
from augkit.runs.folder import write_atomically
from augkit.runs.settings import RunSettings

NAME = "scores.json"


def evaluate_run(settings: EvaluateSettings) -> dict[str, Any]:
    """Evaluate, write ``scores.json`` into the run folder where there is one, and return it."""
    records = evaluate(settings)
    scores = {"verdict": verdict(records), "results": records}
    if settings.run is not None:
        text = json.dumps(scores, ensure_ascii=False, indent=1)
        write_atomically(settings.run / NAME, text + "\n")
    return scores


def planned_tests(
    settings: RunSettings, tests: Sequence[str]
) -> Callable[[Path], EvaluateSettings]:
    """What to measure once a run is done; a missing test set is an error before the run starts.

    The test sets are those given, or all splits of the dataset that are not for training. A file
    has no splits, so its test set must be named. One classifier is trained on the originals and
    one on the result; ``augkit evaluate`` shows the spread over several.
    """
    reading = ReadOptions(
        text_columns=settings.text_columns,
        label_column=settings.label_column,
        data_folder=settings.data_folder,
    )
    chosen = tuple(tests) or _other_splits(settings.dataset, reading)
    if not chosen:
        raise ConfigError(
            f"--evaluate: no test split of '{settings.dataset}' on this machine. Name a test set "
            "with --test DATASET, as in --test my-test.csv"
        )
    for test in chosen:
        open_dataset(test, reading)
    return lambda folder: EvaluateSettings(run=folder, tests=chosen, reading=reading, seeds=0)


def _other_splits(dataset: str, reading: ReadOptions) -> tuple[str, ...]:
    spec = parse_spec(dataset)
    if isinstance(spec, Path):
        return ()
    others = [split for split in local_splits(spec.name, reading) if split not in spec.splits]
    return tuple(f"{spec.name}:{split}" for split in others if "train" not in split)
