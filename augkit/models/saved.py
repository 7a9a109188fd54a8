"""A saved classifier of any kind, recognised by its files."""

from __future__ import annotations

from pathlib import Path

from augkit.core.json_files import naming_damage
from augkit.core.protocols import SavedClassifier
from augkit.models.classifiers.train import load_trained_classifier
from augkit.models.robust.clever import FILE as DEBIASED
from augkit.models.robust.clever import DebiasedClassifier


def load_classifier(folder: Path) -> SavedClassifier:
    """Read a classifier that was saved into a folder; nothing in the files is executed.

    Args:
        folder: One classifier, such as ``models/plain/seed-2`` of ``augkit train``.
    """
    with naming_damage(folder, "Restore its files from a copy, or train it again: augkit train"):
        if (folder / DEBIASED).is_file():
            return DebiasedClassifier.load(folder)
        return load_trained_classifier(folder)
