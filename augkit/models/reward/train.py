"""Reward models of all kinds, trained on choices."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.core.arrays import Floats
from augkit.core.choices import Choice
from augkit.core.errors import DataError
from augkit.models.classifiers.settings import (
    ClassifierConfig,
    LinearConfig,
    TransformersConfig,
)
from augkit.models.reward.base import RewardModel
from augkit.models.reward.ngrams import train_ngrams
from augkit.models.reward.transformers_reward import train_transformers_reward
from augkit.models.reward.vectors import train_vectors


def train_reward(
    choices: Sequence[Choice], config: ClassifierConfig, weights: Floats | None = None
) -> RewardModel:
    """Train a reward model on the choices that are decided.

    Args:
        choices: Ties are left out.
        config: ``linear`` is a conditional logit of n-grams, ``encoder`` one of sentence vectors,
            ``transformers`` a fine-tuned transformer with one output.
        weights: How much each choice counts, float[choices]; None: all the same.
    """
    chosen = [number for number, choice in enumerate(choices) if choice.decided]
    if not chosen:
        raise DataError("no item has a winner and a loser: there is nothing to learn")
    decided = [choices[number] for number in chosen]
    counted = None if weights is None else weights[chosen]
    if isinstance(config, LinearConfig):
        return train_ngrams(decided, config, counted)
    if isinstance(config, TransformersConfig):
        return train_transformers_reward(decided, config, counted)
    return train_vectors(decided, config, counted)
