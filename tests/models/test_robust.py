"""JTT and DRiFt: the optimiser against scikit-learn, and a planted shortcut seen through."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from augkit.models.robust.jtt_drift import (
    Loss,
    RobustConfig,
    fit_softmax,
    hinted,
    just_train_twice,
    residual_fit,
    scores,
)


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
    ours = fit_softmax(features, targets, 3, Loss(strength=2.0, row_weights=weights))
    theirs = LogisticRegression(C=2.0, tol=1e-8, max_iter=1000).fit(features, targets, weights)
    mine = np.exp(scores(ours, features))
    mine /= mine.sum(axis=1, keepdims=True)
    assert np.abs(mine - theirs.predict_proba(features)).max() < 1e-3


def test_l1_leaves_nothing_to_gain(problem):
    """At an L1 optimum a weight is 0 where the slope is below 1 and has slope ±1 elsewhere."""
    features, targets = problem
    loss = Loss(strength=0.2, sparse=True, iterations=3000)
    model = fit_softmax(features, targets, 3, loss)
    probabilities = np.exp(scores(model, features))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    probabilities[np.arange(120), targets] -= 1
    slope = 0.2 * (features.T @ probabilities).T
    small = np.abs(model.weights) < 1e-6
    assert small.any()
    assert not small.all()
    assert (np.abs(slope[small]) <= 1 + 1e-2).all()
    assert np.abs(slope[~small] + np.sign(model.weights[~small])).max() < 1e-2


def test_fixed_scores_are_not_learnt_again(problem):
    """Where the offset tells everything already, the weights stay near zero."""
    features, targets = problem
    told = np.log(np.where(np.eye(3)[targets] > 0, 0.999, 0.0005))
    model = fit_softmax(features, targets, 3, Loss(strength=1.0, offset=told))
    plain = fit_softmax(features, targets, 3, Loss(strength=1.0))
    assert np.abs(model.weights).max() < 0.1 * np.abs(plain.weights).max()


def shortcut_data(seed, rows=1200, signal=0.75, shortcut=0.9):
    """Noisy evidence for the label, and one easy cue that is right nine times in ten."""
    rng = np.random.default_rng(seed)
    targets = rng.integers(0, 2, rows)
    sign = 2 * targets - 1
    evidence = np.where(rng.random((rows, 8)) < signal - 0.12, sign[:, None], -sign[:, None])
    agrees = rng.random(rows) < shortcut
    cue = np.where(agrees, sign, -sign)
    return np.column_stack([evidence, 2.5 * cue]).astype(float), targets, agrees


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_planted_shortcut_is_leant_on_less(seed):
    """Both raise the accuracy on counter-examples above that of plain training."""
    features, targets, _ = shortcut_data(seed)
    test, gold, agrees = shortcut_data(seed + 100)
    config = RobustConfig(upweight=6.0)
    models = {
        "plain": fit_softmax(features, targets, 2, Loss()),
        "jtt": just_train_twice(features, targets, 2, config),
        "drift": residual_fit(features, targets, 2, features[:, [8]], config),
    }
    right = {name: scores(model, test).argmax(axis=1) == gold for name, model in models.items()}
    counter = {name: correct[~agrees].mean() for name, correct in right.items()}
    assert counter["jtt"] > counter["plain"] + 0.1
    assert counter["drift"] > counter["plain"] + 0.1


def test_hints_are_predicted_unseen():
    """With folds a row's own label does not reach its hint; without them it does."""
    rng = np.random.default_rng(3)
    targets = rng.integers(0, 2, 200)
    names = csr_matrix(np.eye(200))  # every row has a feature of its own: only memory helps
    unseen = hinted(names, targets, 2, RobustConfig(hint_strength=100.0))
    seen = hinted(names, targets, 2, RobustConfig(hint_strength=100.0, folds=1))
    own = np.arange(200), targets
    assert np.exp(seen[own]).mean() > 0.9
    assert np.exp(unseen[own]).mean() < 0.6
