"""Logistic regression with intervals that know which rows belong together.

    logit P(y = 1 | x) = β·x

Targets may be probabilities. For each coefficient half a success and half a failure are added at
x = 1 (the log-F(1, 1) prior of Greenland and Mansournia), so that it is finite where every verdict
goes one way. The covariance is that of the jackknife over clusters, with one Newton step for each
cluster that is left out: it is too wide, not too narrow, where clusters are few.

References: greenland2015penalization, mackinnon2023fast.
"""

from __future__ import annotations

from typing import Any

from augkit.core.arrays import Floats, Ints
from augkit.core.types import value
from augkit.evaluation.statistics.intervals import LEVEL


@value
class Coefficient:
    """A coefficient with its 95 % interval and the p-value of the hypothesis that it is 0."""

    value: float
    low: float
    high: float
    p: float


@value
class LogitFit:
    """The coefficients, and how each changes where a cluster is left out."""

    weights: Floats
    """float[features]"""
    changes: Floats
    """float[clusters + features, features]: the last are those of the prior."""
    clusters: int

    def covariance(self) -> Floats:
        """float[features, features], by the jackknife."""
        total: Floats = self.changes.T @ self.changes
        return total * (self.clusters - 1) / self.clusters

    def coefficient(self, number: int) -> Coefficient:
        """One of the coefficients; t has as many degrees of freedom as clusters, less 1."""
        from scipy.stats import t

        centre = float(self.weights[number])
        free = max(1, self.clusters - 1)
        error = max(float(self.covariance()[number, number]) ** 0.5, 1e-12)
        half = float(t.ppf((1 + LEVEL) / 2, free)) * error
        p = 2 * float(t.sf(abs(centre) / error, free))
        return Coefficient(centre, centre - half, centre + half, p)


def fit_logit(features: Floats, targets: Floats, clusters: Ints) -> LogitFit:
    """Fit float[rows, features] to targets between 0 and 1; clusters are numbers from 0."""
    import numpy as np

    width = features.shape[1]
    x = np.vstack([features, np.eye(width)])
    y = np.concatenate([targets, np.full(width, 0.5)])
    weights = newton_logit(x, y)
    p = logistic(x @ weights)
    residuals = x * (y - p)[:, None]
    curvature = x * (p * (1 - p))[:, None]
    whole = x.T @ curvature
    rows = len(features)
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    changes = []
    for members in np.split(order, starts[1:]):
        without = whole - x[members].T @ curvature[members]
        changes.append(np.linalg.solve(without, residuals[members].sum(axis=0)))
    prior = np.linalg.solve(whole, residuals[rows:].T).T
    return LogitFit(weights, np.vstack([*changes, prior]), len(starts))


def newton_logit(
    x: Any, y: Floats, precision: Floats | float = 0.0, centre: Floats | float = 0.0
) -> Floats:
    """The weights with the highest likelihood, less Σ precision · (weights - centre)² / 2."""
    import numpy as np

    width = x.shape[1]
    penalty = np.broadcast_to(precision, width)
    target = np.broadcast_to(centre, width)

    def loss(weights: Floats) -> float:
        scores = x @ weights
        fit = np.logaddexp(0, scores) - y * scores
        return float(fit.sum() + penalty @ (weights - target) ** 2 / 2)

    weights = np.array(target, dtype=np.float64)
    lowest = loss(weights)
    for _ in range(100):
        p = logistic(x @ weights)
        slope = x.T @ (y - p) - penalty * (weights - target)
        curvature = x.T @ (x * (p * (1 - p))[:, None]) + np.diag(penalty)
        step = np.linalg.solve(curvature, slope)
        while loss(weights + step) > lowest and np.abs(step).max() > 1e-12:
            step = step / 2
        weights = weights + step
        lowest = loss(weights)
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(weights)


def logistic(scores: Floats) -> Floats:
    """1 / (1 + e⁻ˢ)."""
    import numpy as np

    return np.asarray(np.exp(-np.logaddexp(0, -scores)))
