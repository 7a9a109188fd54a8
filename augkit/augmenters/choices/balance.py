"""Which items to keep, or what each counts, so that nothing about winners is left to learn.

Every item has a row of gains g: how much more of each feature its winners have than a candidate
drawn blindly. A ruler is at chance where its gains sum to 0, and a conditional logit learns
nothing where those of all its features do: Σ g_i is the gradient of its likelihood at weights 0,
and the likelihood is concave.

Subset (``largest_part``): of all items the m with the least |Σ g_i|². The weights between 0 and 1
that sum to m are a convex problem, solved by accelerated projected gradients (beck2009fast); the m
largest are taken, and exchanged one for one as long as the sum gets smaller.

Weights (``entropy_weights``): the weights nearest to equal ones, by entropy, for which the sum is 0
(hainmueller2012entropy): w_i ∝ exp(-λ·g_i), where λ minimises log Σ exp(-λ·g_i) + |ridge·λ²|/2.
"""

from __future__ import annotations

from typing import Any

from augkit.core.arrays import Flags, Floats

_ITERATIONS = 400
_EXCHANGES = 200
_BISECTIONS = 50


def largest_part(gains: Any, size: int) -> Flags:
    """So many of the items, with sums of gains near 0: bool[items].

    Args:
        gains: Sparse or dense, float[items, features].
        size: The number of items to keep.
    """
    import numpy as np

    count = gains.shape[0]
    chosen = np.zeros(count, dtype=bool)
    if size >= count:
        return ~chosen
    weights = capped_weights(gains, size)
    chosen[np.argsort(-weights, kind="stable")[:size]] = True
    return _exchanged(gains, chosen)


def capped_weights(gains: Any, total: float) -> Floats:
    """The weights between 0 and 1 of this sum with the least |Σ w_i g_i|²: float[items]."""
    import numpy as np

    count = gains.shape[0]
    steepness = _largest_square(gains)
    weights = np.full(count, total / count)
    ahead = weights
    speed = 1.0
    for _ in range(_ITERATIONS):
        slope = np.asarray(gains @ (gains.T @ ahead)) / steepness
        nearer = _within_caps(ahead - slope, total)
        faster = (1 + np.sqrt(1 + 4 * speed**2)) / 2
        ahead = nearer + (speed - 1) / faster * (nearer - weights)
        weights = nearer
        speed = faster
    return weights


def entropy_weights(gains: Any, ridge: Floats) -> Floats:
    """Weights that sum to the number of items and balance the gains: float[items].

    Args:
        gains: Sparse or dense, float[items, features].
        ridge: How much of each feature's imbalance may stay: float[features]; 0: nothing.
    """
    import numpy as np
    from scipy.optimize import minimize

    count = gains.shape[0]

    def loss(multipliers: Floats) -> tuple[float, Floats]:
        weights, highest = _tilted(gains, multipliers)
        total = weights.sum()
        value = highest + np.log(total) + float(ridge @ multipliers**2) / 2
        slope = ridge * multipliers - np.asarray(gains.T @ (weights / total))
        return float(value), slope

    options = {"maxiter": 1000, "ftol": 1e-14, "gtol": 1e-9}
    start = np.zeros(gains.shape[1])
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    weights, _ = _tilted(gains, fitted.x)
    return np.asarray(weights * count / weights.sum())


def covering_weights(rows: Floats, target: Floats) -> Floats:
    """The weights between 0 and 1 with the least |target + Σ w_i row_i|²: float[rows].

    >>> import numpy as np
    >>> covering_weights(np.array([[-4.0]]), np.array([3.0])).round(3).tolist()
    [0.75]
    """
    import numpy as np

    steepness = _largest_square(rows)
    weights = np.zeros(len(rows))
    for _ in range(_ITERATIONS):
        slope = rows @ (target + weights @ rows)
        weights = np.clip(weights - slope / steepness, 0, 1)
    return np.asarray(weights)


def effective_share(weights: Floats) -> float:
    """The share of the items that weights are worth: (Σ w)² / (n Σ w²), by Kish.

    >>> import numpy as np
    >>> effective_share(np.array([1.0, 1.0])), effective_share(np.array([2.0, 0.0]))
    (1.0, 0.5)
    """
    return float(weights.sum() ** 2 / (len(weights) * (weights**2).sum()))


def _tilted(gains: Any, multipliers: Floats) -> tuple[Floats, float]:
    """The powers exp(-λ·g_i), divided by the highest; and its logarithm."""
    import numpy as np

    powers = -np.asarray(gains @ multipliers)
    highest = float(powers.max())
    return np.exp(powers - highest), highest


def _within_caps(values: Floats, total: float) -> Floats:
    """The nearest weights between 0 and 1 of this sum."""
    import numpy as np

    low = float(values.min()) - 1
    high = float(values.max())
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if np.clip(values - middle, 0, 1).sum() > total:
            low = middle
        else:
            high = middle
    return np.asarray(np.clip(values - (low + high) / 2, 0, 1))


def _largest_square(gains: Any) -> float:
    """A bound of the largest squared singular value, by power iteration."""
    import numpy as np

    vector = np.random.default_rng(0).random(gains.shape[1]) + 0.5
    square = 1.0
    for _ in range(60):
        vector = np.asarray(gains.T @ (gains @ vector))
        square = float(np.linalg.norm(vector))
        if square == 0:
            return 1.0
        vector = vector / square
    return 1.1 * square


def _exchanged(gains: Any, chosen: Flags) -> Flags:
    """The part after exchanges of one item for another, each the best for the sum."""
    import numpy as np
    from scipy.sparse import csr_array

    gains = csr_array(gains)
    chosen = chosen.copy()
    squares = np.asarray(gains.multiply(gains).sum(axis=1)).ravel()
    total = np.asarray(gains[chosen].sum(axis=0)).ravel()
    for _ in range(_EXCHANGES):
        along = np.asarray(gains @ total)
        leaving = int(np.argmin(np.where(chosen, squares - 2 * along, np.inf)))
        left = total - gains[[leaving]].toarray().ravel()
        along = np.asarray(gains @ left)
        coming = int(np.argmin(np.where(chosen, np.inf, squares + 2 * along)))
        after = left + gains[[coming]].toarray().ravel()
        if after @ after >= total @ total - 1e-9:
            break
        chosen[leaving] = False
        chosen[coming] = True
        total = after
    return chosen
