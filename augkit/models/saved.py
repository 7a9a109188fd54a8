"""A saved classifier of whichever kind, found by the files it left."""

from __future__ import annotations

from pathlib import Path

from augkit.errors import DataError
from augkit.models.debiased import FILE as DEBIASED
from augkit.models.debiased import DebiasedClassifier
from augkit.models.encoder import EncoderClassifier
from augkit.models.linear import LinearClassifier
from augkit.models.storage import read_json
from augkit.models.transformers_classifier import TransformersClassifier
from augkit.protocols import SavedClassifier


def load_classifier(folder: Path) -> SavedClassifier:
    """Read a classifier that was saved into a folder; nothing in the files is executed."""
    if (folder / DEBIASED).is_file():
        return DebiasedClassifier.load(folder)
    if (folder / "augkit.json").is_file():
        return TransformersClassifier.load(folder)
    if not (folder / "model.json").is_file():
        raise DataError(
            f"{folder}: no classifier is saved there. Train one: augkit train --train DATASET "
            f"--out {folder}"
        )
    kind = read_json(folder / "model.json")["config"].get("kind", "linear")
    return EncoderClassifier.load(folder) if kind == "encoder" else LinearClassifier.load(folder)
