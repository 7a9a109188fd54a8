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
from augkit.models.language_models.vectors import VectorModel, mean_pool, open_vectors
from augkit.models.token_batches import (
    TokenSpan,
    check_fields,
    context_size,
    encode,
    token_spans,
)


@dataclass(frozen=True)
class EncoderClassifier(LinearHead):
    """A head on plain vectors, though it was fitted on standardised ones.

    It is saved without the encoder, which did not change.
    """

    config: EncoderConfig

    def features(self, examples: Sequence[Example]) -> Floats:
        """The vectors: float[examples, features]."""
        return embed(examples, self.fields, self.config)

    def differentiable(self) -> EncoderNetwork:
        """The encoder and the head as one network, for integrated gradients."""
        import torch

        encoder = _load_encoder(self.config.model, self.config.max_tokens)
        weights = torch.from_numpy(self.weights)
        bias = torch.from_numpy(self.bias)
        return EncoderNetwork(self.labels, self.fields, encoder, _network(encoder, weights, bias))

    @classmethod
    def load(cls, folder: Path) -> EncoderClassifier:
        """Read a saved head; the encoder is loaded at the first prediction."""
        parts, _ = load_parts(folder / "model.json", EncoderConfig)
        arrays = load_arrays(folder / "model.npz")
        return cls(*parts, arrays["weights"], arrays["bias"])


@dataclass(frozen=True)
class EncoderNetwork:
    """A head on an encoder as one torch module from tokens to scores."""

    labels: tuple[str, ...]
    fields: tuple[str, ...]
    encoder: VectorModel
    network: Any

    @property
    def padding(self) -> int:
        """The padding token."""
        return int(self.encoder.tokenizer.pad_token_id or 0)

    def token_inputs(self, examples: Sequence[Example]) -> dict[str, Any]:
        """The examples as padded tensors; of a pair the second text stands after the first.

        ``text`` says where each token belongs, int[examples, tokens].
        """
        import torch

        tokenizer = self.encoder.tokenizer
        padded = []
        for number, field in enumerate(self.fields):
            rows = _one_field(examples, field)
            inputs = encode(tokenizer, rows, (field,), self._most_tokens)
            tensors = dict(tokenizer.pad(inputs, return_tensors="pt"))
            padded.append({**tensors, "text": torch.full_like(tensors["input_ids"], number)})
        return {name: torch.cat([text[name] for text in padded], dim=1) for name in padded[0]}

    def token_spans(self, examples: Sequence[Example]) -> list[list[TokenSpan]]:
        """The spans of the tokens of each example, as ``token_inputs`` has them."""
        tokenizer = self.encoder.tokenizer
        limit = self._most_tokens
        spans: list[list[TokenSpan]] = [[] for _ in examples]
        for field in self.fields:
            in_field = token_spans(tokenizer, _one_field(examples, field), (field,), limit)
            longest = max(map(len, in_field), default=0)
            for row, tokens in zip(spans, in_field, strict=True):
                row += [*tokens, *[TokenSpan(None, 0, 0)] * (longest - len(tokens))]
        return spans

    @property
    def _most_tokens(self) -> int:
        encoder = self.encoder
        return context_size(encoder.model, encoder.tokenizer, encoder.max_tokens or 512)


def _one_field(examples: Sequence[Example], field: str) -> list[Example]:
    return [Example({field: example.fields[field]}) for example in examples]


def _network(encoder: VectorModel, weights: Any, bias: Any) -> Any:
    """Tokens → the scores of the head on the mean of each text's token vectors, of length 1."""
    from types import SimpleNamespace

    import torch

    class HeadOnEncoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = encoder.model
            self.device = encoder.model.device

        def get_input_embeddings(self) -> Any:
            return self.encoder.get_input_embeddings()

        def forward(self, **inputs: Any) -> Any:
            # One look-up for both texts: captum explains the layer that does it.
            embedded = self.get_input_embeddings()(inputs.pop("input_ids"))
            text_of = inputs.pop("text")[0]
            vectors = []
            for number in range(int(text_of.max()) + 1):
                here = text_of == number
                part = {name: tensor[:, here] for name, tensor in inputs.items()}
                output = self.encoder(inputs_embeds=embedded[:, here], **part)
                mean = mean_pool(output.last_hidden_state.double(), part["attention_mask"])
                vectors.append(mean / mean.norm(dim=1, keepdim=True).clamp_min(1e-12))
            features = vectors[0]
            if len(vectors) == 2:
                first, second = vectors
                features = torch.cat([first, second, (first - second).abs(), first * second], 1)
            scores = features @ weights.to(features.device).T + bias.to(features.device)
            return SimpleNamespace(logits=scores)

    return HeadOnEncoder()


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
    mean = vectors.mean(axis=0)
    spread = vectors.std(axis=0) + 1e-12
    fitted = fit_scaled((vectors - mean) / spread)
    weights = fitted.weights / spread
    return Weights(weights, fitted.bias - weights @ mean)


def embed(examples: Sequence[Example], fields: Sequence[str], config: EncoderConfig) -> Floats:
    """The features of each example: float[examples, features]."""
    import numpy as np

    texts = texts_by_field(examples, fields)
    vectors = [text_vectors(texts[name], config) for name in fields]
    if len(vectors) == 1:
        return vectors[0]
    first, second = vectors
    return np.hstack([first, second, np.abs(first - second), first * second])


def text_vectors(texts: Sequence[str], config: EncoderConfig) -> Floats:
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
