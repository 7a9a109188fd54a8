"""JTT: a planted shortcut decides less."""

import numpy as np
import pytest

from augkit.models.robust.methods import (
    RobustConfig,
    SoftmaxLoss,
    fit_softmax,
    just_train_twice,
    linear_scores,
    upweight_errors,
)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_counter_examples_are_classified_better(shortcut_arrays, seed):
    """The accuracy on counter-examples rises above that of plain training."""
    features, targets, _, _ = shortcut_arrays(seed)
    test, gold, _, agrees = shortcut_arrays(seed + 100)
    plain = fit_softmax(features, targets, 2, SoftmaxLoss())
    robust = just_train_twice(features, targets, 2, RobustConfig(upweight=6.0))
    counter = [
        (linear_scores(model, test).argmax(axis=1) == gold)[~agrees].mean()
        for model in (plain, robust)
    ]
    assert counter[1] > counter[0] + 0.1


def test_errors_of_the_first_model_weigh_more():
    scores = np.array([[1.0, 0.0], [0.0, 1.0]])
    weights = upweight_errors(scores, np.array([0, 0]), RobustConfig(upweight=6.0))
    assert weights.tolist() == [1.0, 6.0]
