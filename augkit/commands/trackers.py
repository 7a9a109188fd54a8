"""Experiment trackers: what they log of a run folder, MLflow, and Weights & Biases.

MLflow logs to ``MLFLOW_TRACKING_URI``, by default the database ``mlflow.db``. Weights & Biases
reads ``WANDB_PROJECT``, ``WANDB_MODE`` and so on itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from augkit.core import registry
from augkit.core.errors import BackendFailed, ConfigError, MissingExtra
from augkit.core.results import SCORES_FILE, Comparison, read_evaluation
from augkit.runs.manifest import read_manifest

_FILES = ("manifest.json", SCORES_FILE, "report.html")
"""Small files; the datasets stay where they are, under the digest in the manifest."""
_PROJECT = "augkit"
"""The experiment of MLflow and the project of Weights & Biases."""
_LONGEST = 6_000
"""MLflow rejects longer values of a parameter."""


@dataclass(frozen=True)
class RunRecord:
    """A run as flat mappings: names with slashes to plain values."""

    name: str
    settings: Mapping[str, str | int | float | bool]
    metrics: Mapping[str, float]
    files: Sequence[Path]


class Tracker(Protocol):
    """An experiment tracker, registered in the group ``augkit.trackers``."""

    def check(self) -> None:
        """Raise where it cannot be used; called before a run starts."""

    def log(self, record: RunRecord) -> None:
        """Log one run."""


def run_logger(names: Sequence[str]) -> Callable[[Path], None]:
    """A function that logs a run folder to these trackers; a missing one is an error now."""
    trackers: dict[str, Tracker] = {name: registry.find("trackers", name)() for name in names}
    for tracker in trackers.values():
        tracker.check()

    def log(folder: Path) -> None:
        for name, tracker in trackers.items():
            _log(name, tracker, folder)

    return log


def _log(name: str, tracker: Tracker, folder: Path) -> None:
    try:
        tracker.log(run_record(folder))
    except Exception as error:  # of any server or store
        raise BackendFailed(
            f"--track {name}: {error}. The run is complete in {folder}, but not logged"
        ) from error


def run_record(folder: Path) -> RunRecord:
    """The record of a run folder."""
    manifest = read_manifest(folder)
    settings = {
        "method": manifest.method,
        "dataset": manifest.dataset.name,
        "rows digest": manifest.dataset.digest,
        "seed": manifest.seed,
        "mix": manifest.mix,
        "llm": manifest.settings.get("llm") or "offline",
        **dict(_flat("config", manifest.config)),
    }
    figures = {**dict(_flat("counts", manifest.counts)), **dict(_flat("cost", manifest.cost))}
    numbers = {
        name: float(value)
        for name, value in figures.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    files = [path for name in _FILES if (path := folder / name).is_file()]
    return RunRecord(folder.resolve().name, settings, numbers | dict(_scores(folder)), files)


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if hasattr(value, "model_dump"):
        value = value.model_dump()
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{name}/{key}", inner)
    elif isinstance(value, str | int | float | bool):
        yield name, value
    elif value is not None:
        yield name, json.dumps(value, ensure_ascii=False, default=str)


def _scores(folder: Path) -> Iterator[tuple[str, float]]:
    """Every score and difference: metric/test set/training set."""
    evaluation = read_evaluation(folder)
    for record in evaluation.records if evaluation else ():
        where = f"{record.metric}/{record.test}"
        if isinstance(record, Comparison):
            name = "difference of the reference" if record.is_reference else "difference"
            yield f"{where}/{name}", record.difference.value
        elif record.main is not None:
            name = "originals" if record.train.endswith("(originals)") else "result"
            yield f"{where}/{'reference' if record.is_reference else name}", record.main.value


class MlflowTracker:
    """One MLflow run for each augkit run, in the experiment ``augkit``."""

    def check(self) -> None:
        """MLflow must be installed, and its store must answer."""
        if find_spec("mlflow") is None:
            raise MissingExtra("track", "--track mlflow")
        import mlflow

        try:
            mlflow.set_experiment(_PROJECT)
        except Exception as error:  # of any store: a database, a server, files
            raise ConfigError(
                f"--track mlflow: {mlflow.get_tracking_uri()} cannot be used: {error}. Set "
                "MLFLOW_TRACKING_URI to a server or a database, as in sqlite:////tmp/mlflow.db"
            ) from error

    def log(self, record: RunRecord) -> None:
        """Log settings as parameters, metrics, and small files as artifacts."""
        import mlflow

        mlflow.set_experiment(_PROJECT)
        with mlflow.start_run(run_name=record.name):
            settings = {_allowed(key): str(value) for key, value in record.settings.items()}
            mlflow.log_params({key: value[:_LONGEST] for key, value in settings.items()})
            mlflow.log_metrics({_allowed(key): value for key, value in record.metrics.items()})
            for path in record.files:
                mlflow.log_artifact(str(path))


def _allowed(name: str) -> str:
    """MLflow takes letters, digits, ``_ - . / :`` and spaces in a name."""
    return re.sub(r"[^\w\-./: ]", "_", name)


class WandbTracker:
    """One W&B run for each augkit run."""

    def check(self) -> None:
        """W&B must be installed, and either be offline or know a key."""
        if find_spec("wandb") is None:
            raise MissingExtra("track", "--track wandb")
        import wandb

        online = wandb.setup().settings.mode == "online"
        if online and not wandb.login(prompt=False, verify=False):
            raise ConfigError(
                "--track wandb: nobody is logged in. Run `wandb login`, or log to files: "
                "WANDB_MODE=offline"
            )

    def log(self, record: RunRecord) -> None:
        """Log settings as the config, metrics as the summary, and small files."""
        import wandb

        # A project in the environment comes first.
        project = wandb.setup().settings.project or _PROJECT
        with wandb.init(project=project, name=record.name, config=dict(record.settings)) as run:
            run.summary.update(dict(record.metrics))
            for path in record.files:
                run.save(str(path), base_path=str(path.parent), policy="now")
