"""Just Train Twice (JTT): rows that a weak model gets wrong count more in the second training."""

from __future__ import annotations

from typing import Any

from augkit.core.arrays import Floats, Ints
from augkit.models.classifiers.learners import Weights
from augkit.models.robust.config import RobustConfig
from augkit.models.robust.softmax import SoftmaxLoss, fit_softmax, linear_scores


def just_train_twice(features: Any, targets: Ints, labels: int, config: RobustConfig) -> Weights:
    """Train a weak model, then train again with its errors counted more often.

    No shortcut need be known: a weak model errs mostly on rows where the easy cue misleads. Our
    weak model is strongly regularised, where the paper stops after an epoch.

    Reference: liu2021just.
    """
    loss = SoftmaxLoss(strength=config.weak_strength, iterations=config.iterations)
    weak = fit_softmax(features, targets, labels, loss)
    weights = upweight_errors(linear_scores(weak, features), targets, config)
    loss = SoftmaxLoss(config.strength, row_weights=weights, iterations=config.iterations)
    return fit_softmax(features, targets, labels, loss)


def upweight_errors(predictions: Floats, targets: Ints, config: RobustConfig) -> Floats:
    """The weight of each row in JTT's second training: float[rows].

    ``predictions`` are the scores or probabilities of the first model: float[rows, labels].
    """
    import numpy as np

    return np.where(predictions.argmax(axis=1) != targets, config.upweight, 1.0)
