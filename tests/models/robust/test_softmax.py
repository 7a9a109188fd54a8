"""Softmax regression: against scikit-learn, and the conditions of its optimum."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from augkit.models.robust.methods import SoftmaxLoss, fit_softmax, linear_scores


@pytest.fixture
def problem():
    """Random features and three labels that depend on them."""
    rng = np.random.default_rng(0)
    features = csr_matrix(rng.normal(size=(120, 6)) * (rng.random((120, 6)) < 0.5))
    targets = (features @ rng.normal(size=(6, 3)) + rng.gumbel(size=(120, 3))).argmax(axis=1)
    return features, targets


def test_the_optimum_is_that_of_scikit_learn(problem):
    """With an L2 penalty and weighted rows the probabilities are those of LogisticRegression."""
    from sklearn.linear_model import LogisticRegression

    features, targets = problem
    weights = np.where(np.arange(120) % 3 == 0, 4.0, 1.0)
    ours = fit_softmax(features, targets, 3, SoftmaxLoss(strength=2.0, row_weights=weights))
    theirs = LogisticRegression(C=2.0, tol=1e-8, max_iter=1000).fit(features, targets, weights)
    mine = np.exp(linear_scores(ours, features))
    mine /= mine.sum(axis=1, keepdims=True)
    assert np.abs(mine - theirs.predict_proba(features)).max() < 1e-3


def test_l1_leaves_nothing_to_gain(problem):
    features, targets = problem
    loss = SoftmaxLoss(strength=0.2, sparse=True, iterations=3000)
    model = fit_softmax(features, targets, 3, loss)
    probabilities = np.exp(linear_scores(model, features))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    probabilities[np.arange(120), targets] -= 1
    slope = 0.2 * (features.T @ probabilities).T
    small = np.abs(model.weights) < 1e-6
    assert small.any()
    assert not small.all()
    assert (np.abs(slope[small]) <= 1 + 1e-2).all()
    assert np.abs(slope[~small] + np.sign(model.weights[~small])).max() < 1e-2


def test_fixed_scores_are_not_fitted_again(problem):
    """Where the offset explains everything, the weights stay near zero."""
    features, targets = problem
    offset = np.log(np.where(np.eye(3)[targets] > 0, 0.999, 0.0005))
    model = fit_softmax(features, targets, 3, SoftmaxLoss(strength=1.0, offset=offset))
    plain = fit_softmax(features, targets, 3, SoftmaxLoss(strength=1.0))
    assert np.abs(model.weights).max() < 0.1 * np.abs(plain.weights).max()
