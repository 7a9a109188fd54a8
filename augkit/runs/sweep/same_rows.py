"""Lines of a study's table whose training sets are the same, so that one of them says nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path

from augkit.datasets.columns import RESERVED
from augkit.runs.manifest import read_manifest
from augkit.runs.sweep.settings import Trial

Line = list[tuple[Trial, Path]]
"""The trials of one line of the table, which differ in their seeds alone."""


def same_training_sets(done: Sequence[tuple[Trial, Path]]) -> dict[str, str]:
    """Trial → the first line of the table that has the same training set in every seed."""
    lines: dict[tuple[str, str], Line] = {}
    for trial, path in done:
        lines.setdefault((trial.settings.dataset, trial.method), []).append((trial, path))
    groups = [list(lines.values())]
    for measure in (_counts, _training_rows):  # rows are read only where the counts are the same
        groups = [same for group in groups for same in _equal(group, measure)]
    return {
        trial.name: group[0][0][0].method
        for group in groups
        for line in group[1:]
        for trial, _ in line
    }


def _equal(lines: Sequence[Line], measure: Callable[[Path], str]) -> list[list[Line]]:
    """The lines of one dataset with the same measure in every seed, where there are several."""
    found: dict[tuple[object, ...], list[Line]] = {}
    for line in lines:
        key = [(one.settings.dataset, one.settings.seed, measure(path)) for one, path in line]
        found.setdefault(tuple(key), []).append(line)
    return [same for same in found.values() if len(same) > 1]


def _counts(folder: Path) -> str:
    manifest = read_manifest(folder)
    return f"{manifest.counts.in_dataset} {sorted(manifest.result_labels.items())}"


def _training_rows(folder: Path) -> str:
    """A digest of the rows without augkit's own columns, which name the method's settings."""
    found = blake2b()
    with (folder / "dataset.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            found.update(json.dumps([row[key] for key in row if key not in RESERVED]).encode())
    return found.hexdigest()
