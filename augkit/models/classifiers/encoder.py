"""An encoder that reads every text once, and a linear head on its vectors.

A text's vector is the mean over its tokens. Of a pair with the vectors u and v the head sees
[u, v, |u - v|, u·v] (element by element), so that it can tell whether the two agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from augkit.core.config import validate
from augkit.core.types import Example
from augkit.models.classifiers.labels import class_labels, label_numbers
from augkit.models.classifiers.learners import LearnerConfig, Weights, fit
from augkit.models.classifiers.ngrams import texts_by_field
from augkit.models.classifiers.storage import read_arrays, read_json, write_json
from augkit.models.classifiers.tokenized import check_fields
from augkit.models.language_models.vectors import VectorModel, open_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class EncoderConfig(LearnerConfig):
    """Which encoder reads, and which learner weighs its vectors."""

    kind: Literal["encoder"] = Field("encoder", description="an encoder with a linear head")
    model: str = Field(description="a folder with a saved encoder, or a hub id such as owner/model")
    max_tokens: int = Field(256, ge=4, description="longer texts are cut")
    learner: Literal["logistic", "svm", "ridge"] = Field(
        "logistic", description="logistic, svm or ridge"
    )
    strength: float = Field(
        0.01, gt=0, description="C of the learner: larger holds the weights back less"
    )

    @property
    def name(self) -> str:
        """What tables call it: the encoder and the learner."""
        return f"{Path(self.model).name}-{self.learner}"


@dataclass(frozen=True)
class EncoderClassifier:
    """The weights of a head: float[labels, features]; a ``protocols.Classifier``.

    Features are vectors less their mean in training, divided by their spread there.
    """

    config: EncoderConfig
    labels: tuple[str, ...]
    fields: tuple[str, ...]
    weights: Floats
    bias: Floats

    def predict(self, examples: Sequence[Example]) -> Floats:
        """Probabilities: float[examples, labels]."""
        import numpy as np

        if not examples:
            return np.empty((0, len(self.labels)))
        return self.probabilities(embed(examples, self.fields, self.config))

    def probabilities(self, vectors: Floats) -> Floats:
        """The softmax of the scores of vectors: float[rows, labels]."""
        import numpy as np
        from scipy.special import softmax

        return np.asarray(softmax(vectors @ self.weights.T + self.bias, axis=1), dtype=np.float64)

    def save(self, folder: Path) -> None:
        """Write the head; of the encoder only its name, because it did not change."""
        import numpy as np

        folder.mkdir(parents=True, exist_ok=True)
        told = {
            "config": self.config.model_dump(mode="json"),
            "labels": self.labels,
            "fields": self.fields,
        }
        np.savez_compressed(folder / "model.npz", weights=self.weights, bias=self.bias)
        write_json(folder / "model.json", told)

    @classmethod
    def load(cls, folder: Path) -> EncoderClassifier:
        """Read a saved head; the encoder is opened when it is first asked."""
        told = read_json(folder / "model.json")
        arrays = read_arrays(folder / "model.npz")
        return cls(
            config=validate(EncoderConfig, told["config"], str(folder / "model.json")),
            labels=tuple(told["labels"]),
            fields=tuple(told["fields"]),
            weights=arrays["weights"],
            bias=arrays["bias"],
        )


def train_encoder(examples: Sequence[Example], config: EncoderConfig) -> EncoderClassifier:
    """Read every row once and train a head on the vectors."""
    labels = class_labels(examples)
    fields = check_fields(tuple(examples[0].fields))
    vectors = embed(examples, fields, config)
    return fit_head(vectors, label_numbers(examples, labels), labels, fields, config)


def fit_head(
    vectors: Floats,
    targets: NDArray[np.int64],
    labels: tuple[str, ...],
    fields: tuple[str, ...],
    config: EncoderConfig,
) -> EncoderClassifier:
    """Train a head on vectors that are there already: float[rows, features]."""
    head = standardised(vectors, lambda scaled: fit(scaled, targets, len(labels), config))
    return EncoderClassifier(config, labels, fields, *head)


def standardised(vectors: Floats, learn: Callable[[Floats], Weights]) -> Weights:
    """Weights for plain vectors from a learner that sees them with mean 0 and spread 1."""
    mean, spread = vectors.mean(axis=0), vectors.std(axis=0) + 1e-12
    learnt = learn((vectors - mean) / spread)
    weights = learnt.weights / spread
    return Weights(weights, learnt.bias - weights @ mean)


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
    """The mean of the tokens' vectors, of length 1: float[texts, width]; equal texts read once."""
    import numpy as np

    different = sorted(set(texts))
    found = _open(config.model, config.max_tokens).sentences(different)
    found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
    place = {text: number for number, text in enumerate(different)}
    return np.asarray(found[[place[text] for text in texts]])


@lru_cache(maxsize=2)
def _open(name: str, max_tokens: int) -> VectorModel:
    """The encoder, opened once for all heads."""
    return open_vectors(name, "mean", max_tokens)
