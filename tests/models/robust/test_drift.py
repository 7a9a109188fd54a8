"""DRiFt: the bias model predicts rows that it has not seen."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from augkit.models.robust.methods import (
    RobustConfig,
    bias_log_probabilities,
)


@pytest.mark.slow
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
