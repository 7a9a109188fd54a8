"""Lines of a study's table whose training sets are the same, so that one of them says nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from augkit.commands.sweep.settings import Trial
from augkit.datasets.columns import RESERVED


def same_training_sets(trials: Sequence[Trial], digests: Mapping[str, str]) -> dict[str, str]:
    """Trial → the first line of the table that has the same training set in every seed.

    ``digests``: trial → the digest of its training set.
    """
    lines: dict[tuple[str, str], list[Trial]] = {}
    for trial in trials:
        lines.setdefault((trial.settings.dataset, trial.method), []).append(trial)
    first: dict[tuple[object, ...], str] = {}
    found: dict[str, str] = {}
    for (dataset, method), line in lines.items():
        key = (dataset, *((one.settings.seed, digests[one.name]) for one in line))
        if first.setdefault(key, method) != method:
            found |= {trial.name: first[key] for trial in line}
    return found


def training_digest(folder: Path) -> str:
    """A digest of the rows without augkit's own columns, which name the method's settings."""
    found = blake2b(digest_size=8)
    with (folder / "dataset.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            found.update(json.dumps([row[key] for key in row if key not in RESERVED]).encode())
    return found.hexdigest()
