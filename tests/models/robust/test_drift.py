"""DRiFt: a planted shortcut decides less, and the bias model predicts rows it has not seen."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from augkit.models.robust.methods import (
    RobustConfig,
    SoftmaxLoss,
    bias_log_probabilities,
    fit_softmax,
    linear_scores,
    residual_fit,
)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_counter_examples_are_classified_better(shortcut_arrays, seed):
    """The accuracy on counter-examples rises above that of plain training."""
    features, targets, _, _ = shortcut_arrays(seed)
    test, gold, _, agrees = shortcut_arrays(seed + 100)
    plain = fit_softmax(features, targets, 2, SoftmaxLoss())
    robust = residual_fit(features, targets, 2, features[:, [8]], RobustConfig())
    counter = [
        (linear_scores(model, test).argmax(axis=1) == gold)[~agrees].mean()
        for model in (plain, robust)
    ]
    assert counter[1] > counter[0] + 0.1


def test_bias_model_predicts_unseen_rows():
    """With folds a row's own label does not reach its prediction; without them it does."""
    rng = np.random.default_rng(3)
    targets = rng.integers(0, 2, 200)
    names = csr_matrix(np.eye(200))  # every row has a feature of its own: only memory helps
    unseen = bias_log_probabilities(names, targets, 2, RobustConfig(bias_strength=100.0))
    seen = bias_log_probabilities(names, targets, 2, RobustConfig(bias_strength=100.0, folds=1))
    own = np.arange(200), targets
    assert np.exp(seen[own]).mean() > 0.9
    assert np.exp(unseen[own]).mean() < 0.6
