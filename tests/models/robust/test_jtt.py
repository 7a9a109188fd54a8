"""JTT: what the first model got wrong."""

import numpy as np

from augkit.models.robust.methods import (
    RobustConfig,
    upweight_errors,
)


def test_errors_of_the_first_model_weigh_more():
    scores = np.array([[1.0, 0.0], [0.0, 1.0]])
    weights = upweight_errors(scores, np.array([0, 0]), RobustConfig(upweight=6.0))
    assert weights.tolist() == [1.0, 6.0]
