"""PoE: against its definition, and a planted shortcut decides less."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import log_softmax

from augkit.models.robust.methods import (
    RobustConfig,
    SoftmaxLoss,
    fit_softmax,
    linear_scores,
    product_of_experts,
)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_counter_examples_are_classified_better(shortcut_arrays, seed):
    """The accuracy on counter-examples rises above that of plain training."""
    features, targets, bias_features, _ = shortcut_arrays(seed)
    test, gold, _, agrees = shortcut_arrays(seed + 100)
    plain = fit_softmax(features, targets, 2, SoftmaxLoss())
    robust = product_of_experts(features, targets, 2, bias_features, RobustConfig())
    counter = [
        (linear_scores(model, test).argmax(axis=1) == gold)[~agrees].mean()
        for model in (plain, robust)
    ]
    assert counter[1] > counter[0] + 0.1


@pytest.fixture
def problem():
    """Small random features, bias features and three labels."""
    rng = np.random.default_rng(5)
    features, bias_features = rng.normal(size=(60, 3)), (rng.random((60, 4)) < 0.4).astype(float)
    truth = features @ rng.normal(size=(3, 3)) + bias_features @ rng.normal(size=(4, 3))
    return features, bias_features, (truth + rng.gumbel(size=(60, 3))).argmax(axis=1)


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
