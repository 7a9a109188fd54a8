"""``augkit train --model seq2seq:PATH``: a perturber, from people's rewrites."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from augkit.core.config import flags_of, validate
from augkit.core.errors import ConfigError, DataError
from augkit.models.language_models.perturber import (
    PerturberSettings,
    read_pairs,
    train_perturber,
)

_ENDINGS = (".jsonl", ".jsonl.gz")
_USED = frozenset({"train", "out", "model_kind", "model", "reading"})
"""The options of ``augkit train`` that the training of a perturber has."""


def is_perturber(spec: str) -> bool:
    """Whether the model is a perturber.

    >>> is_perturber("seq2seq:facebook/bart-large"), is_perturber("linear")
    (True, False)
    """
    return spec.partition(":")[0] == "seq2seq"


def train_on_rewrites(values: Mapping[str, Any], notify: Callable[[str], None]) -> str:
    """Train a perturber as the options say; return one line that says which epoch was kept."""
    _, _, base = values["model_kind"].partition(":")
    others = sorted(name for name, value in values.items() if value and name not in _USED)
    if others:
        flags = ", ".join(flags_of(name)[0] for name in others)
        raise ConfigError(f"{flags}: not for --model seq2seq:PATH, which reads pairs of texts")
    settings = validate(PerturberSettings, values["model"], "settings of --model seq2seq")
    folder = values.get("reading", {}).get("data_folder")
    pairs = read_pairs(_pair_file(values["train"], Path(folder) if folder else None))
    training = train_perturber(
        pairs, base, values["out"], settings, lambda epoch: notify(str(epoch))
    )
    return f"{values['out']}: {training}"


def _pair_file(data: str, folder: Path | None) -> Path:
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
