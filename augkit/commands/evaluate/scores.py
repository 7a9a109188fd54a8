"""``scores.json``: the results and the verdict; ``predictions.jsonl``: what they come from."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.commands.evaluate.evaluate import measure
from augkit.commands.evaluate.evaluate_llm import evaluate_llm, llm_folder
from augkit.commands.evaluate.match_columns import reading_for
from augkit.commands.evaluate.settings import EvaluateSettings
from augkit.commands.evaluate.verdict import verdict
from augkit.core.errors import ConfigError
from augkit.datasets.load import open_dataset
from augkit.datasets.lookup import local_splits, parse_spec
from augkit.datasets.settings import ReadOptions
from augkit.report.shortcut_lines import shortcut_lines
from augkit.runs.folder import write_atomically
from augkit.runs.settings import RunSettings

NAME = "scores.json"
PREDICTIONS = "predictions.jsonl"

Record = Mapping[str, Any]


def evaluate_run(settings: EvaluateSettings) -> dict[str, Any]:
    """Evaluate; write ``scores.json`` and ``predictions.jsonl`` where there is a folder for them.

    Returns the content of ``scores.json``.
    """
    found = measure(settings) if settings.tested_llm is None else evaluate_llm(settings)
    folder, records = scores_folder(settings), found.records
    scores = {"verdict": _with_shortcuts(verdict(records), records, folder), "results": records}
    if folder is not None:
        for line in _lost(folder / NAME, records):
            logging.getLogger(__name__).warning("%s: %s", folder / NAME, line)
        text = json.dumps(scores, ensure_ascii=False, indent=1)
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / NAME, text + "\n")
        lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in found.predictions)
        write_atomically(folder / PREDICTIONS, "".join(lines))
        if not found.predictions:  # those of an earlier evaluation are not its own
            (folder / PREDICTIONS).unlink()
    return scores


def scores_files(settings: EvaluateSettings) -> list[Path]:
    """The files that ``evaluate_run`` has written."""
    folder = scores_folder(settings)
    files = [] if folder is None else [folder / NAME, folder / PREDICTIONS]
    return [path for path in files if path.exists()]


def scores_folder(settings: EvaluateSettings) -> Path | None:
    """Where the results are written; None: nowhere."""
    if settings.tested_llm is not None:
        return llm_folder(settings)
    return settings.out or settings.run


def _lost(path: Path, records: Sequence[Record]) -> Iterator[str]:
    """What an earlier evaluation measured and this one does not."""
    try:
        before = json.loads(path.read_text(encoding="utf-8"))["results"]
    except (OSError, ValueError, LookupError):
        return  # none, or a damaged file
    kept = [_measured(one) for one in records]
    if names := [one for one in dict.fromkeys(map(_measured, before)) if one not in kept]:
        yield f"the earlier scores are replaced ({', '.join(names)})"


def _measured(record: Record) -> str:
    """The metric and the test set; of a reference also its name, which may change."""
    of = f" of {record.get('train', record.get('to'))}" if record.get("reference") else ""
    return f"{record['metric']}{of} on {record['test']}"


def _with_shortcuts(
    found: dict[str, list[str]], records: Sequence[Record], folder: Path | None
) -> dict[str, list[str]]:
    """The verdict on a run, with what is left of its shortcuts before the caveats.

    A test set may improve while a shortcut still predicts the label.
    """
    compared = any("difference" in record for record in records)
    lines = shortcut_lines(folder) if folder is not None and compared else []
    if not lines:
        return found
    caveats = found.pop("caveats")
    return {**found, "shortcuts": lines, "caveats": caveats}


def planned_tests(
    settings: RunSettings, tests: Sequence[str]
) -> Callable[[Path], EvaluateSettings]:
    """What to measure once a run is done; a missing test set is an error before the run starts.

    The test sets are those given, or all splits of the dataset that are not for training. A file
    has no splits, so its test set must be named. One classifier is trained on the originals and
    one on the result; ``augkit evaluate`` shows the spread over several.
    """
    reading = ReadOptions(data_folder=settings.data_folder)
    chosen = tuple(tests) or _other_splits(settings.dataset, reading)
    if not chosen:
        raise ConfigError(
            f"--evaluate: no test split of '{settings.dataset}' on this machine. Name a test set "
            "with --test DATASET, as in --test my-test.csv"
        )
    for test in chosen:
        open_dataset(test, reading_for(test, reading, settings.model_dump()))
    return lambda folder: EvaluateSettings(run=folder, tests=chosen, reading=reading, seeds=0)


def _other_splits(dataset: str, reading: ReadOptions) -> tuple[str, ...]:
    spec = parse_spec(dataset)
    if isinstance(spec, Path):
        return ()
    others = [split for split in local_splits(spec.name, reading) if split not in spec.splits]
    return tuple(f"{spec.name}:{split}" for split in others if "train" not in split)
