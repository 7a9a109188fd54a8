"""Models as plain files: JSON for words and settings, npz for numbers; nothing is executed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar
from zipfile import BadZipFile

from pydantic import BaseModel

from augkit.core.arrays import Floats
from augkit.core.config import validate
from augkit.core.errors import DataError
from augkit.core.json_files import load_json

M = TypeVar("M", bound=BaseModel)

_FORMAT = 1


def save_record(path: Path, record: Mapping[str, Any]) -> None:
    """Write a mapping, marked with the format of this version."""
    text = json.dumps({"format": _FORMAT, **record}, ensure_ascii=True)
    path.write_text(text + "\n", encoding="utf-8")


def load_record(path: Path) -> dict[str, Any]:
    """A mapping that ``save_record`` wrote."""
    if not path.exists():
        raise DataError(f"{path.parent}: no classifier is saved there ({path.name})")
    record = load_json(path, dict, "Restore it from a copy, or train again")
    if record.get("format") != _FORMAT:
        raise DataError(f"{path}: saved by another version of augkit; train it again")
    return record


def save_classifier(path: Path, classifier: Any, **more: Any) -> None:
    """Write the settings, labels and fields of a classifier, and what else it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    config = classifier.config.model_dump(mode="json")
    record = {"config": config, "labels": classifier.labels, "fields": classifier.fields, **more}
    save_record(path, record)


def load_parts(
    path: Path, config: type[M]
) -> tuple[tuple[M, tuple[str, ...], tuple[str, ...]], dict[str, Any]]:
    """The settings, labels and fields of a saved classifier, and the whole record."""
    record = load_record(path)
    settings = validate(config, record["config"], str(path))
    return (settings, tuple(record["labels"]), tuple(record["fields"])), record


def load_arrays(path: Path) -> dict[str, Floats]:
    """The arrays of an npz file."""
    import numpy as np

    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, EOFError, BadZipFile, zlib.error) as error:
        raise DataError(f"{path}: missing or damaged: {error}") from error
