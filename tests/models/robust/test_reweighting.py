"""ReW: against its definition."""

import numpy as np
from scipy.optimize import approx_fprime
from scipy.sparse import csr_matrix

from augkit.models.robust.methods import (
    RobustConfig,
    _Balance,
    balancing_weights,
)


def test_reweighting_follows_its_own_slope(problem):
    """The gradient is that of the objective, and the objective is the paper's bias of phrases."""
    _, bias_features, targets = problem
    balance = _Balance(csr_matrix(bias_features), np.eye(3)[targets], 0.05)
    alpha = np.random.default_rng(1).random(60)
    value, slope = balance(alpha)
    numeric = approx_fprime(alpha, lambda at: balance(at)[0], 1e-6)
    assert np.abs(slope - numeric).max() < 1e-4
    worst = []
    for phrase in range(4):
        mass = [0.0, 0.0, 0.0]
        for row in range(60):
            if bias_features[row, phrase]:
                mass[targets[row]] += 1 + alpha[row]
        worst.append(max(mass) / sum(mass))
    expected = np.mean(worst) + 0.05 * np.sqrt((alpha**2).mean())
    assert expected <= value / 60 <= expected + np.log(3) / 20


def test_rows_against_the_shortcut_weigh_more():
    """Weights never fall below 1, and those of counter-examples rise until the cue is balanced."""
    rng = np.random.default_rng(3)
    targets = rng.integers(0, 2, 1200)
    agrees = rng.random(1200) < 0.9
    cue = (targets == 1) == agrees
    bias_features = np.column_stack([cue, ~cue]).astype(float)
    weights = balancing_weights(bias_features, targets, 2, RobustConfig())
    assert weights.min() >= 1
    assert weights[~agrees].min() > weights[agrees].max()
    with_cue = bias_features[:, 0] > 0
    share = np.average(targets[with_cue], weights=weights[with_cue])
    assert 0.45 < share < 0.6
    held = balancing_weights(bias_features, targets, 2, RobustConfig(balance=100.0))
    assert np.abs(held - 1).max() < 1e-3


def test_bias_features_that_occur_nowhere_change_nothing():
    """Without a phrase there is nothing to balance."""
    targets = np.array([0, 1, 1, 0])
    weights = balancing_weights(csr_matrix((4, 3)), targets, 2, RobustConfig())
    assert weights.tolist() == [1, 1, 1, 1]
