"""A frozen encoder with a linear head on its sentence vectors.

A text's vector is the mean over its tokens. For a pair with the vectors u and v the head sees
[u, v, |u - v|, u·v] (element by element).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.types import Example
from augkit.models.classifiers.labels import SCALE, class_labels, training_targets
from augkit.models.classifiers.learners import LinearHead, Weights, fit
from augkit.models.classifiers.ngrams import texts_by_field
from augkit.models.classifiers.settings import EncoderConfig
from augkit.models.classifiers.storage import load_arrays, load_parts
from augkit.models.language_models.vectors import VectorModel, open_vectors
from augkit.models.token_batches import check_fields


@dataclass(frozen=True)
class EncoderClassifier(LinearHead):
    """A head on plain vectors, though it was fitted on standardised ones.

    It is saved without the encoder, which did not change.
    """

    config: EncoderConfig

    def features(self, examples: Sequence[Example]) -> Floats:
        """The vectors: float[examples, features]."""
        return embed(examples, self.fields, self.config)

    @classmethod
    def load(cls, folder: Path) -> EncoderClassifier:
        """Read a saved head; the encoder is loaded at the first prediction."""
        parts, _ = load_parts(folder / "model.json", EncoderConfig)
        arrays = load_arrays(folder / "model.npz")
        return cls(*parts, arrays["weights"], arrays["bias"])


def train_encoder(
    examples: Sequence[Example], config: EncoderConfig, *, numeric: bool = False
) -> EncoderClassifier:
    """Encode every row once and train a head on the vectors."""
    labels = SCALE if numeric else class_labels(examples)
    fields = check_fields(tuple(examples[0].fields))
    vectors = embed(examples, fields, config)
    return fit_head(vectors, training_targets(examples, labels), labels, fields, config)


def fit_head(
    vectors: Floats,
    targets: Any,
    labels: tuple[str, ...],
    fields: tuple[str, ...],
    config: EncoderConfig,
) -> EncoderClassifier:
    """Train a head on given vectors: float[rows, features]."""
    head = fit_standardised(vectors, lambda scaled: fit(scaled, targets, len(labels), config))
    return EncoderClassifier(config, labels, fields, *head)


def fit_standardised(vectors: Floats, fit_scaled: Callable[[Floats], Weights]) -> Weights:
    """Weights for plain vectors from a fit on vectors with mean 0 and deviation 1."""
    mean, spread = vectors.mean(axis=0), vectors.std(axis=0) + 1e-12
    fitted = fit_scaled((vectors - mean) / spread)
    weights = fitted.weights / spread
    return Weights(weights, fitted.bias - weights @ mean)


def embed(examples: Sequence[Example], fields: Sequence[str], config: EncoderConfig) -> Floats:
    """The features of each example: float[examples, features]."""
    import numpy as np

    texts = texts_by_field(examples, fields)
    vectors = [_vectors(texts[name], config) for name in fields]
    if len(vectors) == 1:
        return vectors[0]
    first, second = vectors
    return np.hstack([first, second, np.abs(first - second), first * second])


def _vectors(texts: Sequence[str], config: EncoderConfig) -> Floats:
    """The mean of the tokens' vectors, of length 1: float[texts, width]; each text once."""
    import numpy as np

    different = sorted(set(texts))
    vectors = _load_encoder(config.model, config.max_tokens).sentences(different)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    index_of = {text: index for index, text in enumerate(different)}
    return np.asarray(vectors[[index_of[text] for text in texts]])


@lru_cache(maxsize=2)
def _load_encoder(name: str, max_tokens: int) -> VectorModel:
    """The encoder, loaded once for all heads."""
    return open_vectors(name, "mean", max_tokens)
