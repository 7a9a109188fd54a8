"""What trackers log of a run: settings, metrics and files, read from the run folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from augkit.commands.evaluate.scores import NAME as SCORES
from augkit.core import registry
from augkit.core.errors import BackendFailed
from augkit.runs.manifest import read_manifest

_FILES = ("manifest.json", SCORES, "report.html")
"""Small files; the datasets stay where they are, under the digest in the manifest."""


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
        tracker.log(record_of(folder))
    except Exception as error:  # of any server or store
        raise BackendFailed(
            f"--track {name}: {error}. The run is complete in {folder}, but not logged"
        ) from error


def record_of(folder: Path) -> RunRecord:
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
    numbers = {name: float(value) for name, value in figures.items() if _is_number(value)}
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


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _scores(folder: Path) -> Iterator[tuple[str, float]]:
    """Every score and difference: metric/test set/training set."""
    path = folder / SCORES
    if not path.is_file():
        return
    for record in json.loads(path.read_text(encoding="utf-8"))["results"]:
        where = f"{record['metric']}/{record['test']}"
        reference = "reference" if record.get("reference") else ""
        if "difference" in record:
            name = f"difference of the {reference}" if reference else "difference"
            yield f"{where}/{name}", float(record["difference"]["value"])
            continue
        score = next(iter(record["scores"].values()), None)
        if score is not None:
            trained_on = "originals" if record["train"].endswith("(originals)") else "result"
            yield f"{where}/{reference or trained_on}", float(score["value"])
