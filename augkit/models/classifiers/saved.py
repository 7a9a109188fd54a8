"""A saved classifier of whichever kind, found by the files it left."""

from __future__ import annotations

from pathlib import Path

from augkit.core.errors import DataError
from augkit.core.protocols import SavedClassifier
from augkit.models.classifiers.encoder import EncoderClassifier
from augkit.models.classifiers.linear import LinearClassifier
from augkit.models.classifiers.storage import read_json
from augkit.models.classifiers.transformers_classifier import TransformersClassifier
from augkit.models.robust.clever import FILE as DEBIASED
from augkit.models.robust.clever import DebiasedClassifier


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
