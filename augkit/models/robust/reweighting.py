"""Reweighting (ReW): row weights under which no phrase of the bias features predicts the label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from augkit.core.arrays import Floats, Ints
from augkit.models.classifiers.learners import Weights
from augkit.models.robust.config import RobustConfig
from augkit.models.robust.softmax import SoftmaxLoss, fit_softmax, minimize_smooth

_SHARPNESS = 20.0
"""Of the smooth maximum: its error is at most ln(labels) / 20."""
_TINY = 1e-12
"""Added under the root of the penalty, which has no slope at 0 without it."""


def reweighted_fit(
    features: Any, targets: Ints, labels: int, bias_features: Any, config: RobustConfig
) -> Weights:
    """Train on rows weighted by ``balancing_weights``.

    Reference: schuster2019towards.
    """
    weights = balancing_weights(bias_features, targets, labels, config)
    loss = SoftmaxLoss(config.strength, row_weights=weights, iterations=config.iterations)
    return fit_softmax(features, targets, labels, loss)


def balancing_weights(
    bias_features: Any, targets: Ints, labels: int, config: RobustConfig
) -> Floats:
    """The weight 1 + a_i of each row under which phrases say least about the label: float[rows].

        b_j^c = Σ_i [w_j ∈ i] (1 + a_i) [y_i = c] / Σ_i [w_j ∈ i] (1 + a_i)
        min over a ≥ 0 of  (1/|V|) Σ_j max_c b_j^c + λ √( (1/n) Σ_i a_i² )

    w_j is a phrase of the vocabulary V: a column of ``bias_features``, in row i where it is not 0;
    λ is ``balance``. Departures: the paper sums over phrases and takes the plain norm of a, so that
    its λ depends on the size of the data, ours does not; the maximum is a smooth one.

    Reference: schuster2019towards.
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    present = (csr_matrix(bias_features) != 0).astype(np.float64)
    present = present[:, np.flatnonzero(present.getnnz(axis=0))]
    rows = len(targets)
    if not present.shape[1]:
        return np.ones(rows)
    problem = _Balance(present, np.eye(labels)[targets], config.balance)
    bounds = [(0, None)] * rows
    return 1 + minimize_smooth(problem, np.zeros(rows), config.iterations, bounds)


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
