"""The conditional logit against logistic regression on differences, and against its own loss."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

from augkit.models.conditional_logit import fit_conditional_logit
from augkit.text.features.within_items import Items


def test_of_pairs_it_is_logistic_regression_of_the_difference():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(80, 3))
    won = np.tile([True, False], 40)
    swap = rng.random(40) < 0.3
    won = np.where(np.repeat(swap, 2), ~won, won)
    items = Items(np.repeat(np.arange(40), 2), won, np.arange(40))
    difference = features[::2] - features[1::2]
    regression = LogisticRegression(fit_intercept=False, tol=1e-8)
    expected = regression.fit(difference, won[::2]).coef_[0]
    fitted = fit_conditional_logit(csr_array(features), items)
    assert fitted == pytest.approx(expected, abs=1e-3)


def test_several_candidates_and_winners_have_the_highest_likelihood():
    """Written item by item, and minimised without a gradient."""
    rng = np.random.default_rng(1)
    sizes = [2, 3, 4, 3, 5, 2]
    numbers = np.repeat(np.arange(len(sizes)), sizes)
    features = rng.normal(size=(len(numbers), 2))
    won = np.zeros(len(numbers), dtype=bool)
    for item in range(len(sizes)):
        won[np.flatnonzero(numbers == item)[: 1 + (item == 4)]] = True

    def loss(weights):
        total = weights @ weights / 2
        for item in range(len(sizes)):
            scores = features[numbers == item] @ weights
            logs = scores - np.log(np.exp(scores).sum())
            total -= logs[won[numbers == item]].mean()
        return total

    slow = minimize(
        loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12}
    )
    items = Items(numbers, won, np.arange(len(sizes)))
    assert fit_conditional_logit(features, items) == pytest.approx(slow.x, abs=1e-4)
