"""The models of a cross-fitted ensemble: trained from shared features, and on disk.

N-grams are counted, and texts encoded, once for all rows; a fold takes its rows out of that. On
disk are ``vocabulary.json`` and ``fold_N.npz``; a member that is not linear has a folder for each
fold, ``fold_N_member_M``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augkit.core.arrays import Floats, Ints
from augkit.core.types import Example
from augkit.models.classifiers.encoder import EncoderClassifier, EncoderConfig, embed, fit_head
from augkit.models.classifiers.fine_tune import train_transformers
from augkit.models.classifiers.linear import (
    FeatureSpace,
    LinearClassifier,
    LinearConfig,
    fit_counted,
)
from augkit.models.classifiers.ngrams import NgramCounts, NgramVocabulary, count_ngrams
from augkit.models.classifiers.storage import load_arrays, load_record, save_record
from augkit.models.classifiers.train import (
    ClassifierConfig,
    TrainedClassifier,
    load_trained_classifier,
)
from augkit.models.ensembles.config import EnsembleConfig
from augkit.models.token_batches import check_fields

FoldModels = tuple[tuple[TrainedClassifier, ...], ...]
"""``models[fold][member]``."""


@dataclass(frozen=True)
class SharedFeatures:
    """All rows as the members read them: n-grams by their length, vectors by encoder."""

    rows: Sequence[Example]
    counted: Mapping[int, NgramCounts]
    vectors: Mapping[str, Floats]

    def train(
        self, config: ClassifierConfig, inside: Ints, targets: Ints, labels: tuple[str, ...]
    ) -> TrainedClassifier:
        """A member trained on the rows ``inside``, whose labels are ``targets``."""
        if isinstance(config, LinearConfig):
            return fit_counted(self.counted[config.ngrams].rows(inside), targets, labels, config)
        if isinstance(config, EncoderConfig):
            vectors = self.vectors[_encoder_key(config)][inside]
            return fit_head(vectors, targets, labels, tuple(self.rows[0].fields), config)
        return train_transformers([self.rows[row] for row in inside.tolist()], config)

    def predict(self, model: TrainedClassifier, outside: Ints) -> Floats:
        """The probabilities that a model gives to the rows ``outside``."""
        if isinstance(model, LinearClassifier):
            counts = self.counted[model.config.ngrams].rows(outside).counts
            return model.probabilities(model.weigh(counts))
        if isinstance(model, EncoderClassifier):
            return model.probabilities(self.vectors[_encoder_key(model.config)][outside])
        return model.predict([self.rows[row] for row in outside.tolist()])


def share_features(rows: Sequence[Example], members: Sequence[ClassifierConfig]) -> SharedFeatures:
    """Count n-grams and compute vectors once for all members and all folds."""
    linear = [one for one in members if isinstance(one, LinearConfig)]
    encoders = {_encoder_key(one): one for one in members if isinstance(one, EncoderConfig)}
    fields = tuple(rows[0].fields)
    vectors = {key: embed(rows, check_fields(fields), one) for key, one in encoders.items()}
    return SharedFeatures(rows, _count_once(rows, linear) if linear else {}, vectors)


def _encoder_key(config: EncoderConfig) -> str:
    return f"{config.model}:{config.max_tokens}"


def _count_once(rows: Sequence[Example], members: Sequence[LinearConfig]) -> dict[int, NgramCounts]:
    """Longest n-gram → the counts of all rows."""
    import numpy as np

    longest = max(one.ngrams for one in members)
    everything = count_ngrams(rows, longest, min(one.min_df for one in members))
    lengths = [
        np.array([term.count(" ") + 1 for term in vocabulary.terms])
        for vocabulary in everything.vocabularies
    ]
    return {
        ngrams: everything.only([np.flatnonzero(words <= ngrams) for words in lengths], ngrams)
        for ngrams in {one.ngrams for one in members}
    }


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
