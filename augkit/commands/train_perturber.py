"""What ``augkit train-perturber`` does: find the pairs, train on them, say what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from augkit.core.config import validate
from augkit.core.errors import DataError
from augkit.models.language_models.perturber import (
    PairTraining,
    PerturberSettings,
    read_pairs,
    train_perturber,
)
from augkit.models.language_models.tagger_training import TaggerSettings, train_tagger

Kind = Literal["seq2seq", "tagger"]
_ENDINGS = (".jsonl", ".jsonl.gz")
_KINDS: dict[Kind, tuple[type[PairTraining], Callable[..., Any]]] = {
    "seq2seq": (PerturberSettings, train_perturber),
    "tagger": (TaggerSettings, train_tagger),
}


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
    schema, train = _KINDS[kind]
    checked = validate(schema, settings, "settings of the training")

    def train_pairs(path: Path, base: str, out: Path, notify: Callable[[str], None]) -> str:
        training = train(read_pairs(path), base, out, checked, lambda epoch: notify(str(epoch)))
        return f"{out}: {training}"

    return train_pairs
