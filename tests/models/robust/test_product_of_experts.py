"""PoE: against its definition."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import log_softmax

from augkit.models.robust.methods import (
    RobustConfig,
    product_of_experts,
)


@pytest.mark.slow
def test_the_product_of_experts_is_its_definition(problem):
    """The joint loss, written out and minimised by another path, gives the same classifier.

    The expert's weights have a C of their own.
    """
    features, bias_features, targets = problem
    config = RobustConfig(strength=0.7, expert_strength=2.8, expert_weight=0.5, iterations=2000)
    rows = np.arange(60)

    def loss(flat):
        main, own = flat[:9].reshape(3, 3), flat[9:12]
        expert, bias = flat[12:24].reshape(3, 4), flat[24:]
        expert_scores = bias_features @ expert.T + bias
        joint = log_softmax(features @ main.T + own + expert_scores, axis=1)[rows, targets].sum()
        alone = log_softmax(expert_scores, axis=1)[rows, targets].sum()
        held = (flat[:12] ** 2).sum() + (flat[12:24] ** 2).sum() * 0.7 / 2.8
        return -0.7 * (joint + 0.5 * alone) + 0.5 * held

    found = minimize(loss, np.zeros(27), method="BFGS", options={"gtol": 1e-6}).x
    ours = product_of_experts(csr_matrix(features), targets, 3, bias_features, config)
    assert np.abs(ours.weights - found[:9].reshape(3, 3)).max() < 2e-3
    assert np.abs(ours.bias - found[9:12]).max() < 2e-3
