"""DRiFt: residual fitting against a model that sees bias features only."""

from __future__ import annotations

from typing import Any

from augkit.core.arrays import Floats, Ints
from augkit.models.classifiers.learners import Weights
from augkit.models.robust.config import RobustConfig
from augkit.models.robust.softmax import SoftmaxLoss, fit_softmax, linear_scores, log_softmax


def residual_fit(
    features: Any, targets: Ints, labels: int, bias_features: Any, config: RobustConfig
) -> Weights:
    """Fit what the bias features leave unexplained.

        min over f of  Σ_i -log softmax( f(x_i) + log p_b(· | b_i) )[y_i]

    p_b is an L1 logistic regression on the bias features alone. The classifier f is used without
    it, so it gains nothing from repeating what they already predict. The paper's p_b has seen the
    rows it predicts; with ``folds`` > 1 ours has not, so that f still learns from memorised rows.

    Reference: he2019unlearn.
    """
    offset = bias_log_probabilities(bias_features, targets, labels, config)
    loss = SoftmaxLoss(config.strength, offset=offset, iterations=config.iterations)
    return fit_softmax(features, targets, labels, loss)


def bias_log_probabilities(
    bias_features: Any, targets: Ints, labels: int, config: RobustConfig
) -> Floats:
    """Log-probabilities of the labels given the bias features alone: float[rows, labels]."""
    import numpy as np

    loss = SoftmaxLoss(config.bias_strength, sparse=True, iterations=config.iterations)
    rows = len(targets)
    if config.folds == 1:
        model = fit_softmax(bias_features, targets, labels, loss)
        return log_softmax(linear_scores(model, bias_features))
    fold = np.random.default_rng(config.seed).permutation(rows) % config.folds
    found = np.empty((rows, labels))
    for number in range(config.folds):
        seen, unseen = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        model = fit_softmax(bias_features[seen], targets[seen], labels, loss)
        found[unseen] = log_softmax(linear_scores(model, bias_features[unseen]))
    return found
