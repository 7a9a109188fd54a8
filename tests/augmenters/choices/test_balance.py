"""Balance: weights and parts against slow, obvious oracles."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.sparse import csr_array

from augkit.augmenters.choices.balance import (
    capped_weights,
    effective_share,
    entropy_weights,
    largest_part,
)


def test_capped_weights_are_those_of_a_general_solver():
    """The same least square as SLSQP finds."""
    gains = np.random.default_rng(1).normal(0.3, 1, (12, 3))
    weights = capped_weights(csr_array(gains), 7)
    solved = minimize(
        lambda w: float((w @ gains) @ (w @ gains)),
        np.full(12, 7 / 12),
        bounds=[(0, 1)] * 12,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 7},
        method="SLSQP",
    )
    assert weights.sum() == pytest.approx(7)
    assert weights.min() >= 0
    assert weights.max() <= 1
    assert np.linalg.norm(weights @ gains) ** 2 == pytest.approx(solved.fun, abs=1e-4)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 8))
def test_a_part_is_nearly_as_balanced_as_the_best_of_all(seed, size):
    """Of all parts of nine items, hardly any is more balanced."""
    gains = np.random.default_rng(seed).choice([-0.5, 0.0, 0.5], (9, 2))
    chosen = largest_part(csr_array(gains), size)
    assert chosen.sum() == size
    sums = sorted(
        float(np.linalg.norm(gains[list(part)].sum(0))) for part in combinations(range(9), size)
    )
    reached = float(np.linalg.norm(gains[chosen].sum(0)))
    assert reached <= sums[0] + 0.71  # at most one exchange away


def test_a_feature_of_two_thirds_is_balanced_with_two_thirds_of_the_items():
    """40 winners have it, 20 losers have it: 20 of the 40 go."""
    gains = csr_array(np.array([[0.5]] * 40 + [[-0.5]] * 20))
    chosen = largest_part(gains, 40)
    assert (gains[chosen].sum(), chosen[40:].sum()) == (0.0, 20)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_entropy_weights_are_positive_sum_to_the_items_and_balance(seed):
    """And they are those that a general solver of the primal problem finds."""
    generator = np.random.default_rng(seed)
    gains = np.vstack([generator.choice([-0.5, 0.0, 0.5], (14, 2)), np.eye(2), -np.eye(2)])
    weights = entropy_weights(csr_array(gains), np.full(2, 1e-9))
    assert weights.min() > 0
    assert weights.sum() == pytest.approx(len(gains))
    assert weights @ gains == pytest.approx(0, abs=1e-3)
    solved = minimize(
        lambda w: float(w @ np.log(w)),
        np.ones(len(gains)),
        bounds=[(1e-6, None)] * len(gains),
        constraints=[
            {"type": "eq", "fun": lambda w: w.sum() - len(gains)},
            {"type": "eq", "fun": lambda w: w @ gains},
        ],
        method="SLSQP",
        options={"maxiter": 500},
    )
    assert weights == pytest.approx(solved.x, abs=0.02)


def test_weights_of_what_cannot_be_balanced_end():
    """Where every winner has the feature, a ridge lets it be."""
    weights = entropy_weights(csr_array(np.full((5, 1), 0.5)), np.array([1e-7]))
    assert weights == pytest.approx(1)
    assert effective_share(weights) == pytest.approx(1)
