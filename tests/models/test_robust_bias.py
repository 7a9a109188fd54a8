"""PoE, ReW and CLEVER: against their definitions, and a planted shortcut seen through."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.sparse import csr_matrix
from scipy.special import log_softmax

from augkit.models.robust.bias_models import (
    _Balance,
    balancing_weights,
    clever_fit,
    product_of_experts,
    reweighted_fit,
)
from augkit.models.robust.jtt_drift import Loss, RobustConfig, fit_softmax, scores


def shortcut_data(seed, rows=1200):
    """Eight weak pieces of evidence and one easy cue, right nine times in ten."""
    rng = np.random.default_rng(seed)
    targets = rng.integers(0, 2, rows)
    sign = 2 * targets - 1
    evidence = np.where(rng.random((rows, 8)) < 0.63, sign[:, None], -sign[:, None])
    agrees = rng.random(rows) < 0.9
    cue = np.where(agrees, sign, -sign)
    features = np.column_stack([evidence, 2.5 * cue]).astype(float)
    return features, targets, np.column_stack([cue > 0, cue < 0]).astype(float), agrees


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_planted_shortcut_is_leant_on_less(seed):
    """Each raises the accuracy on counter-examples above that of plain training."""
    features, targets, hints, _ = shortcut_data(seed)
    test, gold, told, agrees = shortcut_data(seed + 100)
    config = RobustConfig()
    answers = {
        "plain": scores(fit_softmax(features, targets, 2, Loss()), test),
        "poe": scores(product_of_experts(features, targets, 2, hints, config), test),
        "rew": scores(reweighted_fit(features, targets, 2, hints, config), test),
        "clever": clever_fit(features, targets, 2, hints, config).scores(test, told),
    }
    counter = {
        name: (score.argmax(axis=1) == gold)[~agrees].mean() for name, score in answers.items()
    }
    for name in ("poe", "rew", "clever"):
        assert counter[name] > counter["plain"] + 0.1


@pytest.fixture
def problem():
    """Small random features, hints and three labels."""
    rng = np.random.default_rng(5)
    features, hints = rng.normal(size=(60, 3)), (rng.random((60, 4)) < 0.4).astype(float)
    truth = features @ rng.normal(size=(3, 3)) + hints @ rng.normal(size=(4, 3))
    return features, hints, (truth + rng.gumbel(size=(60, 3))).argmax(axis=1)


def test_the_product_of_experts_is_its_definition(problem):
    """The joint loss, written out and minimised by another path, gives the same classifier.

    The expert's weights have a C of their own.
    """
    features, hints, targets = problem
    config = RobustConfig(strength=0.7, expert_strength=2.8, expert_weight=0.5, iterations=2000)
    rows = np.arange(60)

    def loss(flat):
        main, own = flat[:9].reshape(3, 3), flat[9:12]
        expert, bias = flat[12:24].reshape(3, 4), flat[24:]
        told = hints @ expert.T + bias
        joint = log_softmax(features @ main.T + own + told, axis=1)[rows, targets].sum()
        alone = log_softmax(told, axis=1)[rows, targets].sum()
        held = (flat[:12] ** 2).sum() + (flat[12:24] ** 2).sum() * 0.7 / 2.8
        return -0.7 * (joint + 0.5 * alone) + 0.5 * held

    found = minimize(loss, np.zeros(27), method="BFGS", options={"gtol": 1e-6}).x
    ours = product_of_experts(csr_matrix(features), targets, 3, hints, config)
    assert np.abs(ours.weights - found[:9].reshape(3, 3)).max() < 2e-3
    assert np.abs(ours.bias - found[9:12]).max() < 2e-3


def test_reweighting_follows_its_own_slope(problem):
    """The gradient is that of the objective, and the objective is the paper's bias of phrases."""
    _, hints, targets = problem
    balance = _Balance(csr_matrix(hints), np.eye(3)[targets], 0.05)
    alpha = np.random.default_rng(1).random(60)
    value, slope = balance(alpha)
    numeric = approx_fprime(alpha, lambda at: balance(at)[0], 1e-6)
    assert np.abs(slope - numeric).max() < 1e-4
    worst = []
    for phrase in range(4):
        mass = [0.0, 0.0, 0.0]
        for row in range(60):
            if hints[row, phrase]:
                mass[targets[row]] += 1 + alpha[row]
        worst.append(max(mass) / sum(mass))
    expected = np.mean(worst) + 0.05 * np.sqrt((alpha**2).mean())
    assert expected <= value / 60 <= expected + np.log(3) / 20


def test_rows_against_the_shortcut_weigh_more():
    """Weights never fall below 1, and those of counter-examples rise until the cue is balanced."""
    _, targets, hints, agrees = shortcut_data(3)
    weights = balancing_weights(hints, targets, 2, RobustConfig())
    assert weights.min() >= 1
    assert weights[~agrees].min() > weights[agrees].max()
    with_cue = hints[:, 0] > 0
    share = np.average(targets[with_cue], weights=weights[with_cue])
    assert 0.45 < share < 0.6
    held = balancing_weights(hints, targets, 2, RobustConfig(balance=100.0))
    assert np.abs(held - 1).max() < 1e-3


def test_hints_that_occur_nowhere_change_nothing():
    """Without a phrase there is nothing to balance."""
    targets = np.array([0, 1, 1, 0])
    weights = balancing_weights(csr_matrix((4, 3)), targets, 2, RobustConfig())
    assert weights.tolist() == [1, 1, 1, 1]
