"""Features of all rows, computed once for all members and folds of an ensemble.

N-grams are counted, and texts encoded, for all rows; a fold takes its rows out of that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from augkit.core.arrays import Floats, Ints
from augkit.core.types import Example
from augkit.models.classifiers.encoder import EncoderClassifier, EncoderConfig, embed, fit_head
from augkit.models.classifiers.fine_tune import train_transformers
from augkit.models.classifiers.linear import LinearClassifier, LinearConfig, fit_counted
from augkit.models.classifiers.ngrams import NgramCounts, count_ngrams
from augkit.models.classifiers.train import ClassifierConfig, TrainedClassifier
from augkit.models.token_batches import check_fields


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
