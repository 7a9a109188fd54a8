"""The conditional logit: which of several candidates wins, by what they are and nothing else.

    p(j | item) = exp(w·x_j) / Σ_k exp(w·x_k)

The sum is over the candidates of the item. For two it is logistic regression on the difference of
their features. Several winners of an item share its weight.
"""

from __future__ import annotations

from typing import Any

from augkit.core.arrays import Floats
from augkit.text.features.within_items import Items


def fit_conditional_logit(
    features: Any, items: Items, strength: float = 1.0, weights: Floats | None = None
) -> Floats:
    """The weights with the highest penalised likelihood: float[features].

    Args:
        features: Of all candidates: sparse or dense, float[candidates, features].
        items: The candidates of each item, and which of them won.
        strength: The weight of the items against the penalty |w|²/2.
        weights: What each item counts; 1 unless given.
    """
    import numpy as np
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # no stubs

    starts = np.cumsum(items.sizes) - items.sizes
    target = items.won / items.winners[items.numbers]
    counts = 1.0 if weights is None else weights[items.numbers]

    def loss(slopes: Floats) -> tuple[float, Floats]:
        scores = features @ slopes
        highest = np.maximum.reduceat(scores, starts)[items.numbers]
        powers = np.exp(scores - highest)
        sums = np.add.reduceat(powers, starts)[items.numbers]
        logs = scores - highest - np.log(sums)
        value = -strength * float(target * counts @ logs) + float(slopes @ slopes) / 2
        gradient = strength * (features.T @ (counts * (powers / sums - target))) + slopes
        return value, np.asarray(gradient)

    start = np.zeros(features.shape[1])
    options = {"maxiter": 200, "maxcor": 5}
    with threadpool_limits(1, "blas"):  # several threads wait for each other longer than they work
        fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    return np.asarray(fitted.x, dtype=np.float64)
