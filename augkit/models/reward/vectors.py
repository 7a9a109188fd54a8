"""A conditional logit on frozen sentence vectors: an encoder from a folder, and a head.

Of a candidate with the vector v, and u of its prompt, the head sees [v, |u - v|, u·v] (element by
element); without a prompt v alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from augkit.core.arrays import Floats
from augkit.core.choices import Choice
from augkit.core.errors import ConfigError
from augkit.models.classifiers.encoder import text_vectors
from augkit.models.classifiers.settings import EncoderConfig
from augkit.models.conditional_logit import fit_conditional_logit
from augkit.models.reward.base import candidate_texts, items_of

_KEPT_TEXTS = 100_000
"""Texts whose vectors are kept, so that models that share texts encode them once."""


@dataclass(frozen=True)
class VectorReward:
    """Weights of the head; of features as they are, though fitted on standardised ones."""

    config: EncoderConfig
    weights: Floats
    with_prompt: bool

    def scores(self, choices: Sequence[Choice]) -> Floats:
        """The head's score of each candidate: float[candidates]."""
        return vector_features(choices, self.config, with_prompt=self.with_prompt) @ self.weights


def train_vectors(
    choices: Sequence[Choice], config: EncoderConfig, weights: Floats | None = None
) -> VectorReward:
    """Encode every text once, and fit the head; ``weights`` weigh the choices."""
    if config.learner != "logistic":
        raise ConfigError(
            "model.learner: the head of a reward model is a conditional logit. Leave it out"
        )
    with_prompt = any(choice.prompt for choice in choices)
    features = vector_features(choices, config, with_prompt=with_prompt)
    spread = features.std(axis=0) + 1e-12
    items = items_of(choices)
    fitted = fit_conditional_logit(features / spread, items, config.strength, weights)
    return VectorReward(config, fitted / spread, with_prompt)


def vector_features(
    choices: Sequence[Choice], config: EncoderConfig, *, with_prompt: bool
) -> Floats:
    """What the head sees of every candidate: float[candidates, features]."""
    import numpy as np

    answers = _encoded(candidate_texts(choices), config)
    if not with_prompt:
        return answers
    prompts = _encoded([choice.prompt for choice in choices], config)
    sizes = [len(choice.candidates) for choice in choices]
    asked = np.repeat(prompts, sizes, axis=0)
    return np.hstack([answers, np.abs(asked - answers), asked * answers])


def _encoded(texts: Sequence[str], config: EncoderConfig) -> Floats:
    """The vector of each text, of length 1: float[texts, width]."""
    import numpy as np

    by_text = _vectors_by_text(config.model, config.max_tokens)
    new = sorted({text for text in texts if text not in by_text})
    if len(by_text) + len(new) > _KEPT_TEXTS:
        by_text.clear()
        new = sorted(set(texts))
    if new:
        by_text.update(zip(new, text_vectors(new, config), strict=True))
    return np.array([by_text[text] for text in texts])


@lru_cache(maxsize=2)
def _vectors_by_text(model: str, max_tokens: int) -> dict[str, Floats]:
    """Texts that an encoder has read → their vectors."""
    del model, max_tokens
    return {}
