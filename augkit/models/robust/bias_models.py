"""Training against a model that sees the bias alone: product of experts, reweighting, CLEVER.

Arrays as in ``robust``: ``features`` float[rows, features] of the classifier, ``targets``
int[rows], and ``hints`` [rows, features] of what should not decide alone, such as the n-grams of a
claim without its evidence. ``robust_train`` does it for texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from augkit.models.classifiers.learners import Weights
from augkit.models.robust.jtt_drift import Loss, RobustConfig, fit_softmax, scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_SHARPNESS = 20.0
"""Of the smooth maximum of ReW: its error is at most ln(labels) / 20."""
_TINY = 1e-12
"""Added under the root of ReW's penalty, which has no slope at 0 without it."""


def product_of_experts(
    features: Any, targets: Ints, labels: int, hints: Any, config: RobustConfig
) -> Weights:
    """Fit a classifier f together with an expert g on the hints, and keep f alone: PoE.

        min over f, g of  Σ_i -log softmax( f(x_i) + g(h_i) )[y_i]
                          + β Σ_i -log softmax( g(h_i) )[y_i]

    The product of two experts' probabilities is the softmax of the sum of their scores. The second
    term, with β ``expert_weight``, keeps g a classifier of its own, so that what the hints tell is
    its task and f learns the rest. In DRiFt g is fitted first and held fixed; here both learn at
    once, as in the paper. Both are linear with an L2 penalty, which makes it one convex problem: a
    regression on the rows (x_i, h_i) and, with weight β, the rows (0, h_i). The expert has a C of
    its own, ``expert_strength``: hints times √(C_g / C_f) under one penalty are the same problem.

    Reference: mahabadi2020end.
    """
    import numpy as np
    from scipy.sparse import csr_matrix, hstack, vstack

    rows, width = features.shape
    own = hstack([csr_matrix(features), csr_matrix(np.ones((rows, 1)))])  # f's own bias
    told = csr_matrix(hints) * np.sqrt(config.expert_strength / config.strength)
    both = vstack(
        [hstack([own, told]), hstack([csr_matrix(own.shape), told])],
        format="csr",
    )
    counted = np.repeat([1.0, config.expert_weight], rows)
    loss = Loss(config.strength, row_weights=counted, iterations=config.iterations)
    learnt = fit_softmax(both, np.concatenate([targets, targets]), labels, loss)
    return Weights(learnt.weights[:, :width], learnt.weights[:, width])


def reweighted_fit(
    features: Any, targets: Ints, labels: int, hints: Any, config: RobustConfig
) -> Weights:
    """Train on rows weighted so that no hint goes with one label: ReW (``balancing_weights``).

    Reference: schuster2019towards.
    """
    weights = balancing_weights(hints, targets, labels, config)
    loss = Loss(config.strength, row_weights=weights, iterations=config.iterations)
    return fit_softmax(features, targets, labels, loss)


def balancing_weights(hints: Any, targets: Ints, labels: int, config: RobustConfig) -> Floats:
    """The weight 1 + a_i of each row under which phrases tell least of the label: float[rows].

        b_j^c = Σ_i [w_j ∈ i] (1 + a_i) [y_i = c] / Σ_i [w_j ∈ i] (1 + a_i)
        min over a ≥ 0 of  (1/|V|) Σ_j max_c b_j^c + λ √( (1/n) Σ_i a_i² )

    w_j is a phrase of the vocabulary V: a column of ``hints``, in row i where it is not 0; λ is
    ``balance``. Departures: the paper sums over phrases and takes the plain norm of a, so that its
    λ hangs on the size of the data, ours does not; the maximum is a smooth one.

    Reference: schuster2019towards.
    """
    import numpy as np
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix

    present = (csr_matrix(hints) != 0).astype(np.float64)
    present = present[:, np.flatnonzero(present.getnnz(axis=0))]
    rows = len(targets)
    if not present.shape[1]:
        return np.ones(rows)
    problem = _Balance(present, np.eye(labels)[targets], config.balance)
    options = {"maxiter": config.iterations, "maxfun": 4 * config.iterations}
    found = minimize(
        problem, np.zeros(rows), jac=True, method="L-BFGS-B", bounds=[(0, None)] * rows,
        options=options,
    )  # fmt: skip
    return np.asarray(1 + found.x)


@dataclass(frozen=True)
class _Balance:
    """ReW's objective, times the number of rows, and its gradient at a: float[rows]."""

    present: Any
    targets: Floats
    balance: float

    def __call__(self, alpha: Floats) -> tuple[float, Floats]:
        import numpy as np
        from scipy.special import logsumexp, softmax

        rows, phrases = self.present.shape
        mass = self.present.T @ ((1 + alpha)[:, None] * self.targets)
        total = mass.sum(axis=1, keepdims=True)
        bias = mass / total
        value = logsumexp(_SHARPNESS * bias, axis=1).sum() / _SHARPNESS / phrases
        share = softmax(_SHARPNESS * bias, axis=1)
        up = ((self.present @ (share / total)) * self.targets).sum(axis=1)
        down = self.present @ ((share * bias).sum(axis=1) / total[:, 0])
        spread = np.sqrt((alpha**2).mean() + _TINY)
        gradient = rows * (up - down) / phrases + self.balance * alpha / spread
        return rows * float(value + self.balance * spread), np.asarray(gradient)


@dataclass(frozen=True)
class Subtracted:
    """CLEVER: a model of everything and one of the hints; the second is taken off when asked."""

    fused: Weights
    biased: Weights
    factor: float = 1.0

    def scores(self, features: Any, hints: Any) -> Floats:
        """f(x) - k g(h) of every row: float[rows, labels]; k is ``factor``."""
        return scores(self.fused, features) - self.factor * scores(self.biased, hints)


def clever_fit(
    features: Any, targets: Ints, labels: int, hints: Any, config: RobustConfig
) -> Subtracted:
    """Train f on everything and g on the hints, each alone; answer by their difference: CLEVER.

        ŷ = argmax_c  f(x)_c - k g(h)_c

    f and g are the scores of two plain logistic regressions. What the hints alone suggest is in
    both and cancels; nothing is changed in training. k is ``subtract``; the paper's is 1.

    Reference: xu2023counterfactual.
    """
    loss = Loss(config.strength, iterations=config.iterations)
    fused = fit_softmax(features, targets, labels, loss)
    loss = Loss(config.expert_strength, iterations=config.iterations)
    return Subtracted(fused, fit_softmax(hints, targets, labels, loss), config.subtract)
