"""Models as plain files: JSON for words and settings, npz for numbers; nothing is executed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from augkit.core.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FORMAT = 1


def write_json(path: Path, told: Mapping[str, Any]) -> None:
    """Write a mapping, marked with the format of this version."""
    text = json.dumps({"format": _FORMAT, **told}, ensure_ascii=True)
    path.write_text(text + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """A mapping that ``write_json`` wrote."""
    try:
        told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise DataError(f"{path.parent}: no classifier is saved there ({path.name})") from error
    except ValueError as error:
        raise DataError(f"{path}: damaged: {error}") from error
    if told.get("format") != _FORMAT:
        raise DataError(f"{path}: saved by another version of augkit; train it again")
    return told


def read_arrays(path: Path) -> dict[str, NDArray[np.float64]]:
    """The arrays of an npz file."""
    import numpy as np

    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, BadZipFile) as error:
        raise DataError(f"{path}: missing or damaged: {error}") from error
