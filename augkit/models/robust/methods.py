"""Robust training on feature arrays: JTT, DRiFt, product of experts (PoE), reweighting (ReW).

``features`` are float[rows, features], ``targets`` int[rows] the numbers of the labels, and
``bias_features`` [rows, features] what should not decide alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack, vstack
from scipy.special import logsumexp, softmax

from augkit.core.arrays import Floats, Ints
from augkit.models.classifiers.learners import Weights
from augkit.models.robust.config import RobustConfig

_SHARPNESS = 20.0
"""Of the smooth maximum: its error is at most ln(labels) / 20."""
_TINY = 1e-12
"""Added under the root of the penalty, which has no slope at 0 without it."""


def just_train_twice(features: Any, targets: Ints, labels: int, config: RobustConfig) -> Weights:
    """Train a weak model, then train again with its errors counted more often.

    No shortcut need be known: a weak model errs mostly on rows where the easy cue misleads. Our
    weak model is strongly regularised, where the paper stops after an epoch.

    Reference: liu2021just.
    """
    loss = SoftmaxLoss(strength=config.weak_strength, iterations=config.iterations)
    weak = fit_softmax(features, targets, labels, loss)
    weights = upweight_errors(linear_scores(weak, features), targets, config)
    loss = SoftmaxLoss(config.strength, row_weights=weights, iterations=config.iterations)
    return fit_softmax(features, targets, labels, loss)


def upweight_errors(predictions: Floats, targets: Ints, config: RobustConfig) -> Floats:
    """The weight of each row in JTT's second training: float[rows].

    ``predictions`` are the scores or probabilities of the first model: float[rows, labels].
    """
    return np.where(predictions.argmax(axis=1) != targets, config.upweight, 1.0)


def residual_fit(
    features: Any, targets: Ints, labels: int, bias_features: Any, config: RobustConfig
) -> Weights:
    """Fit what the bias features leave unexplained.

        min over f of  Σ_i -log softmax( f(x_i) + log p_b(· | b_i) )[y_i]

    p_b is an L1 logistic regression on the bias features alone. The classifier f is used without
    it, so it gains nothing from repeating what they already predict. The paper's p_b has seen the
    rows it predicts; with ``folds`` > 1 ours has not, so that f still learns from memorised rows.

    Reference: he2019unlearn.
    """
    offset = bias_log_probabilities(bias_features, targets, labels, config)
    loss = SoftmaxLoss(config.strength, offset=offset, iterations=config.iterations)
    return fit_softmax(features, targets, labels, loss)


def bias_log_probabilities(
    bias_features: Any, targets: Ints, labels: int, config: RobustConfig
) -> Floats:
    """Log-probabilities of the labels given the bias features alone: float[rows, labels]."""
    loss = SoftmaxLoss(config.bias_strength, sparse=True, iterations=config.iterations)
    rows = len(targets)
    if config.folds == 1:
        model = fit_softmax(bias_features, targets, labels, loss)
        return log_softmax(linear_scores(model, bias_features))
    fold = np.random.default_rng(config.seed).permutation(rows) % config.folds
    log_p = np.empty((rows, labels))
    for number in range(config.folds):
        seen = np.flatnonzero(fold != number)
        unseen = np.flatnonzero(fold == number)
        model = fit_softmax(bias_features[seen], targets[seen], labels, loss)
        log_p[unseen] = log_softmax(linear_scores(model, bias_features[unseen]))
    return log_p


def product_of_experts(
    features: Any, targets: Ints, labels: int, bias_features: Any, config: RobustConfig
) -> Weights:
    """Fit a classifier f together with an expert g on the bias features, and keep f alone.

        min over f, g of  Σ_i -log softmax( f(x_i) + g(b_i) )[y_i]
                          + β Σ_i -log softmax( g(b_i) )[y_i]

    The product of two experts' probabilities is the softmax of the sum of their scores. The second
    term, with β ``expert_weight``, keeps g a classifier of its own, so that g explains what the
    bias features predict and f the rest. In DRiFt g is fitted first and held fixed; here both
    train at once, as in the paper. Both are linear with an L2 penalty, which makes it one convex
    problem: a regression on the rows (x_i, b_i) and, with weight β, the rows (0, b_i). The expert
    has a C of its own, ``expert_strength``: bias features times √(C_g / C_f) under one penalty are
    the same problem.

    Reference: mahabadi2020end.
    """
    rows, width = features.shape
    ones = csr_matrix(np.ones((rows, 1)))  # the bias of f
    main_features = hstack([csr_matrix(features), ones])
    expert = csr_matrix(bias_features) * np.sqrt(config.expert_strength / config.strength)
    stacked = vstack(
        [hstack([main_features, expert]), hstack([csr_matrix(main_features.shape), expert])],
        format="csr",
    )
    row_weights = np.repeat([1.0, config.expert_weight], rows)
    loss = SoftmaxLoss(config.strength, row_weights=row_weights, iterations=config.iterations)
    fitted = fit_softmax(stacked, np.concatenate([targets, targets]), labels, loss)
    return Weights(fitted.weights[:, :width], fitted.weights[:, width])


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
    minimum = minimize(problem, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return np.asarray(minimum.x)


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
        bias = slope.sum(axis=0)
        parameters = flat[: -self.labels]
        if self.loss.sparse:
            gradients = np.concatenate([gradient + 1, 1 - gradient, bias])
            return value + float(parameters.sum()), gradients
        whole = value + 0.5 * float(parameters @ parameters)
        return whole, np.concatenate([gradient + parameters, bias])
