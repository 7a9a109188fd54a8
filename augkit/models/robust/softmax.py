"""Softmax regression with row weights and fixed score offsets: what robust training minimises.

``features`` are float[rows, features], sparse or dense, ``targets`` int[rows]. ``bias_features``
[rows, features] of the methods in this folder are what should not decide alone, such as the
n-grams of a claim without its evidence, or the rules of a grammar that a text uses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from augkit.core.arrays import Floats, Ints
from augkit.models.classifiers.learners import Weights


@dataclass(frozen=True)
class SoftmaxLoss:
    """C, the kind of penalty, the weights of rows, and scores that are fixed.

    ``offset`` float[rows, labels] is added to every score and not fitted.
    """

    strength: float = 10.0
    sparse: bool = False
    row_weights: Floats | None = None
    offset: Floats | None = None
    iterations: int = 300


def linear_scores(model: Weights, features: Any) -> Floats:
    """W·x + b of every row: float[rows, labels]."""
    return np.asarray(features @ model.weights.T + model.bias)


def log_softmax(score: Floats) -> Floats:
    """Log-probabilities of scores float[rows, labels]."""
    return np.asarray(score - logsumexp(score, axis=1, keepdims=True))


def fit_softmax(features: Any, targets: Ints, labels: int, loss: SoftmaxLoss) -> Weights:
    """Logistic regression of several labels, with fixed scores and weighted rows.

        min over W, b of  C Σ_i w_i · -log softmax(W x_i + b + o_i)[y_i] + penalty(W)

    The penalty is ½‖W‖² or, where ``loss.sparse``, ‖W‖₁; the bias b is free. For ‖W‖₁ the weights
    are split into a positive and a negative part, bounded by 0, which makes the problem smooth.
    """
    size = labels * features.shape[1]
    problem = _Problem(features, targets, labels, loss)
    start = np.zeros((2 * size if loss.sparse else size) + labels)
    bounds = [(0, None)] * (2 * size) + [(None, None)] * labels if loss.sparse else None
    return Weights(*problem.unpack(minimize_smooth(problem, start, loss.iterations, bounds)))


def minimize_smooth(
    problem: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    iterations: int,
    bounds: list[Any] | None,
) -> Floats:
    """Where a function that returns its value and gradient is smallest, by L-BFGS-B."""
    options = {"maxiter": iterations, "maxfun": 4 * iterations}
    found = minimize(problem, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return np.asarray(found.x)


@dataclass(frozen=True)
class _Problem:
    """The loss and its gradient at a flat vector of parameters."""

    features: Any
    targets: Ints
    labels: int
    loss: SoftmaxLoss

    def unpack(self, flat: Floats) -> tuple[Floats, Floats]:
        size = self.labels * self.features.shape[1]
        weights = flat[:size] - flat[size : 2 * size] if self.loss.sparse else flat[:size]
        return weights.reshape(self.labels, -1), flat[-self.labels :]

    def __call__(self, flat: Floats) -> tuple[float, Floats]:
        score = linear_scores(Weights(*self.unpack(flat)), self.features)
        if self.loss.offset is not None:
            score = score + self.loss.offset
        logs = log_softmax(score)
        rows = np.arange(len(self.targets))
        slope = np.exp(logs)
        slope[rows, self.targets] -= 1
        weights = np.ones(len(rows)) if self.loss.row_weights is None else self.loss.row_weights
        value = -self.loss.strength * float(weights @ logs[rows, self.targets])
        slope *= self.loss.strength * weights[:, None]
        gradient = np.asarray((self.features.T @ slope).T).ravel()
        return self._penalised(value, gradient, slope.sum(axis=0), flat)

    def _penalised(
        self, value: float, gradient: Floats, bias: Floats, flat: Floats
    ) -> tuple[float, Floats]:
        parameters = flat[: -self.labels]
        if self.loss.sparse:
            both = np.concatenate([gradient + 1, 1 - gradient, bias])
            return value + float(parameters.sum()), both
        whole = value + 0.5 * float(parameters @ parameters)
        return whole, np.concatenate([gradient + parameters, bias])
