"""The regression against scikit-learn, and its jackknife against fits without each cluster."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from augkit.commands.audit.judges.logit import fit_logit, logistic, newton_logit


def sample(rows, seed, weights=(0.5, -1.0, 0.2)):
    """Rows with three features, in clusters of four."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 3))
    y = (rng.random(rows) < logistic(x @ np.array(weights))).astype(float)
    return x, y, np.arange(rows) // 4


def test_weights_are_those_of_scikit_learn():
    """With half a success and half a failure for each coefficient, as weighted rows."""
    x, y, clusters = sample(200, 0)
    prior = np.eye(3)
    rows = np.vstack([x, prior, prior])
    targets = np.concatenate([y, np.ones(3), np.zeros(3)])
    shares = np.concatenate([np.ones(200), np.full(6, 0.5)])
    model = LogisticRegression(C=1e9, fit_intercept=False, tol=1e-10, max_iter=1000)
    model.fit(rows, targets, sample_weight=shares)
    fitted = fit_logit(x, y, clusters)
    assert fitted.weights == pytest.approx(model.coef_[0], abs=1e-4)
    assert fitted.clusters == 50


def test_a_penalty_draws_to_its_centre():
    """By the gradient of the penalised likelihood, which is 0 there."""
    x, y, _ = sample(100, 1)
    precision, centre = np.array([1.0, 4.0, 0.0]), np.array([0.0, 2.0, 0.0])
    weights = newton_logit(x, y, precision, centre)
    slope = x.T @ (y - logistic(x @ weights)) - precision * (weights - centre)
    assert np.abs(slope).max() < 1e-6


def test_the_jackknife_is_that_of_fits_without_each_cluster():
    """One Newton step leads nearly all the way."""
    x, y, clusters = sample(160, 2)
    fitted = fit_logit(x, y, clusters)
    changes = []
    for number in range(40):
        left = clusters != number
        changes.append(fitted.weights - fit_logit(x[left], y[left], clusters[left]).weights)
    assert fitted.changes[:40] == pytest.approx(np.array(changes), rel=0.15, abs=0.01)


@pytest.mark.parametrize("wins", [0.0, 1.0])
def test_a_judge_that_always_says_the_same_has_an_end(wins):
    """The interval is about that of Clopper and Pearson: 92.9 to 100 for 50 of 50."""
    rows = np.ones((50, 1))
    found = fit_logit(rows, np.full(50, wins), np.arange(50)).coefficient(0)
    low, high = sorted(logistic(np.array([found.low, found.high])))
    assert (1 - high if wins == 0 else low) == pytest.approx(0.93, abs=0.03)
    assert found.p < 1e-3
    del high


@pytest.mark.slow
def test_intervals_cover_with_few_clusters():
    """At least 93 % of 300 samples of 15 clusters of four rows that agree."""
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(300):
        x = rng.normal(size=(60, 2))
        taste = np.repeat(rng.normal(size=15), 4)
        y = (rng.random(60) < logistic(x[:, 0] * 0 + taste * x[:, 1])).astype(float)
        found = fit_logit(x, y, np.arange(60) // 4).coefficient(0)
        covered += found.low <= 0 <= found.high
    assert covered >= 0.93 * 300
