"""The models of a cross-fitted ensemble on disk: ``vocabulary.json`` and ``fold_N.npz``.

A member that is not linear has a folder for each fold, ``fold_N_member_M``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from augkit.core.arrays import Floats
from augkit.models.classifiers.linear import FeatureSpace, LinearClassifier, LinearConfig
from augkit.models.classifiers.ngrams import NgramVocabulary
from augkit.models.classifiers.storage import load_arrays, load_record, save_record
from augkit.models.classifiers.train import TrainedClassifier, load_trained_classifier
from augkit.models.ensembles.config import EnsembleConfig

FoldModels = tuple[tuple[TrainedClassifier, ...], ...]
"""``models[fold][member]``."""


def save_models(models: FoldModels, folder: Path) -> None:
    """Write all models; the n-grams of linear ones are written once for each length."""
    import numpy as np

    vocabularies = {
        str(model.config.ngrams): [one.record() for one in model.vocabularies]
        for model in models[0]
        if isinstance(model, LinearClassifier)
    }
    save_record(folder / "vocabulary.json", {"ngrams": vocabularies})
    for fold, members in enumerate(models):
        arrays: dict[str, Any] = {}
        for member, model in enumerate(members):
            if not isinstance(model, LinearClassifier):
                model.save(_member_folder(folder, fold, member))
                continue
            arrays |= {f"weights_{member}": model.weights, f"bias_{member}": model.bias}
            factors = [space.factor for space in model.spaces]
            arrays |= {f"factor_{member}_{index}": one for index, one in enumerate(factors)}
        np.savez_compressed(folder / f"fold_{fold}.npz", **arrays)


def load_models(
    folder: Path, config: EnsembleConfig, labels: tuple[str, ...], fields: tuple[str, ...]
) -> FoldModels:
    """Read all models."""
    vocabularies = {
        int(ngrams): [NgramVocabulary.of(one, int(ngrams)) for one in several]
        for ngrams, several in load_record(folder / "vocabulary.json")["ngrams"].items()
    }

    def linear(one: LinearConfig, member: int, arrays: dict[str, Floats]) -> LinearClassifier:
        spaces = tuple(
            FeatureSpace(vocabulary, arrays[f"factor_{member}_{index}"])
            for index, vocabulary in enumerate(vocabularies[one.ngrams])
        )
        weights, bias = arrays[f"weights_{member}"], arrays[f"bias_{member}"]
        return LinearClassifier(one, labels, fields, spaces, weights, bias)

    models = []
    for fold in range(config.folds):
        arrays = load_arrays(folder / f"fold_{fold}.npz")
        models.append(
            tuple(
                linear(one, member, arrays)
                if isinstance(one, LinearConfig)
                else load_trained_classifier(_member_folder(folder, fold, member))
                for member, one in enumerate(config.members)
            )
        )
    return tuple(models)


def _member_folder(folder: Path, fold: int, member: int) -> Path:
    return folder / f"fold_{fold}_member_{member}"
