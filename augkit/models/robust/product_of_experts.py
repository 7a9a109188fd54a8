"""Product of experts (PoE): a classifier and an expert on the bias features, trained together."""

from __future__ import annotations

from typing import Any

from augkit.core.arrays import Ints
from augkit.models.classifiers.learners import Weights
from augkit.models.robust.config import RobustConfig
from augkit.models.robust.softmax import SoftmaxLoss, fit_softmax


def product_of_experts(
    features: Any, targets: Ints, labels: int, bias_features: Any, config: RobustConfig
) -> Weights:
    """Fit a classifier f together with an expert g on the bias features, and keep f alone.

        min over f, g of  Σ_i -log softmax( f(x_i) + g(b_i) )[y_i]
                          + β Σ_i -log softmax( g(b_i) )[y_i]

    The product of two experts' probabilities is the softmax of the sum of their scores. The second
    term, with β ``expert_weight``, keeps g a classifier of its own, so that g explains what the
    bias features predict and f the rest. In DRiFt g is fitted first and held fixed; here both
    train at once, as in the paper. Both are linear with an L2 penalty, which makes it one convex
    problem: a regression on the rows (x_i, b_i) and, with weight β, the rows (0, b_i). The expert
    has a C of its own, ``expert_strength``: bias features times √(C_g / C_f) under one penalty are
    the same problem.

    Reference: mahabadi2020end.
    """
    import numpy as np
    from scipy.sparse import csr_matrix, hstack, vstack

    rows, width = features.shape
    own = hstack([csr_matrix(features), csr_matrix(np.ones((rows, 1)))])  # f's own bias
    expert = csr_matrix(bias_features) * np.sqrt(config.expert_strength / config.strength)
    both = vstack(
        [hstack([own, expert]), hstack([csr_matrix(own.shape), expert])],
        format="csr",
    )
    row_weights = np.repeat([1.0, config.expert_weight], rows)
    loss = SoftmaxLoss(config.strength, row_weights=row_weights, iterations=config.iterations)
    fitted = fit_softmax(both, np.concatenate([targets, targets]), labels, loss)
    return Weights(fitted.weights[:, :width], fitted.weights[:, width])
