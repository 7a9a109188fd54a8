"""A cross-fitted ensemble on disk: ``ensemble.json``, ``vocabulary.json``, ``fold_N.npz``.

A member that is not linear has a folder for each fold, ``fold_N_member_M``.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.core.config import validate
from augkit.models.classifiers.encoder import EncoderClassifier, EncoderConfig
from augkit.models.classifiers.linear import LinearClassifier, LinearConfig, Space
from augkit.models.classifiers.ngrams import Vocabulary
from augkit.models.classifiers.storage import read_arrays, read_json, write_json
from augkit.models.classifiers.transformers_classifier import TransformersClassifier
from augkit.models.ensembles.crossfit import CrossFitted, EnsembleConfig, HeldOut
from augkit.models.ensembles.members import Member, Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vocabularies = dict[int, list[Vocabulary]]
"""Longest n-gram → the vocabularies of its spaces."""


def save(ensemble: CrossFitted, folder: Path) -> None:
    """Write all models; the n-grams of linear ones stand there once for each length."""
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    told = {
        "config": ensemble.config.model_dump(mode="json"),
        "labels": ensemble.labels,
        "fields": ensemble.models[0][0].fields,
        "held_out": [asdict(one) for one in ensemble.held_out],
        "places": dict(ensemble.places),
    }
    write_json(folder / "ensemble.json", told)
    write_json(folder / "vocabulary.json", {"ngrams": _words(ensemble.models[0])})
    for number, models in enumerate(ensemble.models):
        arrays: dict[str, Any] = {}
        for member, model in enumerate(models):
            if not isinstance(model, LinearClassifier):
                model.save(_home(folder, number, member))
                continue
            arrays |= {f"weights_{member}": model.weights, f"bias_{member}": model.bias}
            factors = [space.factor for space in model.spaces]
            arrays |= {f"factor_{member}_{place}": one for place, one in enumerate(factors)}
        np.savez_compressed(folder / f"fold_{number}.npz", **arrays)


def load(folder: Path) -> CrossFitted:
    """Read all models."""
    told = read_json(folder / "ensemble.json")
    config = validate(EnsembleConfig, told["config"], str(folder / "ensemble.json"))
    vocabularies: Vocabularies = {
        int(ngrams): [
            Vocabulary(tuple(one["fields"]), tuple(one["terms"]), int(ngrams)) for one in several
        ]
        for ngrams, several in read_json(folder / "vocabulary.json")["ngrams"].items()
    }
    models = []
    for number in range(config.folds):
        arrays = read_arrays(folder / f"fold_{number}.npz")
        models.append(
            tuple(
                _linear(one, member, arrays, vocabularies, told)
                if isinstance(one, LinearConfig)
                else _other(one, _home(folder, number, member))
                for member, one in enumerate(config.members)
            )
        )
    held_out = tuple(HeldOut(**one) for one in told["held_out"])
    return CrossFitted(config, tuple(told["labels"]), tuple(models), held_out, told["places"])


def _words(models: tuple[Model, ...]) -> dict[str, list[dict[str, Any]]]:
    return {
        str(model.config.ngrams): [
            {"fields": one.fields, "terms": one.terms} for one in model.vocabularies
        ]
        for model in models
        if isinstance(model, LinearClassifier)
    }


def _linear(
    config: LinearConfig,
    member: int,
    arrays: dict[str, NDArray[np.float64]],
    vocabularies: Vocabularies,
    told: dict[str, Any],
) -> Model:
    spaces = tuple(
        Space(vocabulary, arrays[f"factor_{member}_{place}"])
        for place, vocabulary in enumerate(vocabularies[config.ngrams])
    )
    labels, fields = tuple(told["labels"]), tuple(told["fields"])
    weights, bias = arrays[f"weights_{member}"], arrays[f"bias_{member}"]
    return LinearClassifier(config, labels, fields, spaces, weights, bias)


def _other(config: Member, home: Path) -> Model:
    if isinstance(config, EncoderConfig):
        return EncoderClassifier.load(home)
    return TransformersClassifier.load(home)


def _home(folder: Path, fold: int, member: int) -> Path:
    return folder / f"fold_{fold}_member_{member}"
