"""What ``augkit train-perturber`` does: find the pairs, train on them, say what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

from augkit.core.config import validate
from augkit.core.errors import DataError
from augkit.models.language_models.perturber import (
    PerturberEpoch,
    PerturberSettings,
    read_pairs,
    train_perturber,
)
from augkit.models.language_models.tagger_training import (
    TaggerEpoch,
    TaggerSettings,
    train_tagger,
)

Kind = Literal["seq2seq", "tagger"]
_ENDINGS = (".jsonl", ".jsonl.gz")
_WHAT = "settings of the training"


def pair_file(data: str, folder: Path | None) -> Path:
    """The file of pairs: a path, or NAME[:SPLIT] in the data folder (the split is train)."""
    if Path(data).is_file():
        return Path(data)
    name, _, split = data.partition(":")
    places = [folder / name / f"{split or 'train'}{end}" for end in _ENDINGS] if folder else []
    path_there = next((path for path in places if path.is_file()), None)
    if path_there is None:
        where = f", and there is no {places[0]}[.gz]" if places else ""
        raise DataError(
            f"{data}: no such file{where}. Give a JSON Lines file of pairs, or put "
            f"{name}/{split or 'train'}.jsonl[.gz] into the folder AUGKIT_DATA"
        )
    return path_there


def trainer(
    kind: Kind, settings: Mapping[str, Any]
) -> Callable[[Path, str, Path, Callable[[str], None]], str]:
    """A function of (pairs, base model, output folder, what prints a line) that trains.

    It returns one line that says which epoch was kept. The settings are checked at once.
    """
    if kind == "tagger":
        return partial(_train_tagger, validate(TaggerSettings, settings, _WHAT))
    return partial(_train_seq2seq, validate(PerturberSettings, settings, _WHAT))


def _train_seq2seq(
    settings: PerturberSettings, path: Path, base: str, out: Path, say: Callable[[str], None]
) -> str:
    def report(epoch: PerturberEpoch) -> None:
        losses = f"loss {epoch.train_loss:.4f}, on validation {epoch.validation_loss:.4f}"
        say(f"epoch {epoch.number}: {losses}")

    training = train_perturber(read_pairs(path), base, out, settings, report)
    counts = f"{training.trained_on} pairs, {training.too_long} too long"
    return f"{out}: epoch {training.best} of {len(training.epochs)} is kept ({counts})"


def _train_tagger(
    settings: TaggerSettings, path: Path, base: str, out: Path, say: Callable[[str], None]
) -> str:
    def report(epoch: TaggerEpoch) -> None:
        scores = ", ".join(f"{axis} {score.f1:.3f}" for axis, score in epoch.scores.items())
        say(f"epoch {epoch.number}: loss {epoch.train_loss:.4f}, F1 on held-out texts: {scores}")

    training = train_tagger(read_pairs(path), base, out, settings, report)
    counts = f"{training.trained_on} requests, {training.left_out} pairs left out"
    return f"{out}: epoch {training.best} of {len(training.epochs)} is kept ({counts})"
