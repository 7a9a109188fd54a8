"""Linear learners: weights and a bias per label, whatever the loss they come from.

Each gives p(label | x) = softmax(W·x + b). Logistic regression is fitted as such; the scores of the
other three are not log-probabilities (those of naive Bayes count dependent words twice), so they
are scaled by one factor, the one under which held-out rows are most probable. Where the one label
is a number, it is W·x + b itself, by ridge regression.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from augkit.core.arrays import Floats, Ints
from augkit.core.light_imports import prepare_sklearn
from augkit.core.types import Example
from augkit.models.classifiers.settings import LearnerConfig
from augkit.models.classifiers.storage import save_classifier

_HELD_OUT = 5
"""One row in this many is held out to fit the scaling factor."""
_SMOOTHING = 1.0
"""Count added to every word under every label by naive Bayes."""


class Weights(NamedTuple):
    """``weights`` is float[labels, features], ``bias`` float[labels]."""

    weights: Floats
    bias: Floats


@dataclass(frozen=True)
class LinearHead:
    """Weights on the features of texts: float[labels, features]; a ``protocols.Classifier``."""

    config: Any
    labels: tuple[str, ...]
    fields: tuple[str, ...]
    weights: Floats
    bias: Floats

    @abstractmethod
    def features(self, examples: Sequence[Example]) -> Any:
        """What the weights are on: float[examples, features]."""

    def predict(self, examples: Sequence[Example]) -> Floats:
        """Probabilities, or the numbers of a regressor: float[examples, labels]."""
        import numpy as np

        if not examples:
            return np.empty((0, len(self.labels)))
        return self.probabilities(self.features(examples))

    def probabilities(self, features: Any) -> Floats:
        """The softmax of the scores of features, of a regressor the scores: float[rows, labels]."""
        return to_probabilities(features @ self.weights.T + self.bias)

    def save(self, folder: Path) -> None:
        """Write ``model.json`` (settings, labels, fields) and ``model.npz`` (numbers)."""
        self._save(folder, {})

    def _save(self, folder: Path, arrays: dict[str, Any], **more: Any) -> None:
        import numpy as np

        save_classifier(folder / "model.json", self, **more)
        np.savez_compressed(folder / "model.npz", weights=self.weights, bias=self.bias, **arrays)


def to_probabilities(scores: Floats) -> Floats:
    """The softmax of scores, float[rows, labels]; of one label, a number to predict, the scores."""
    import numpy as np

    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape[1] == 1:
        return scores
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities: Floats = powers / powers.sum(axis=1, keepdims=True)
    return probabilities


def fit(features: Any, targets: Any, labels: int, config: LearnerConfig) -> Weights:
    """Weights and bias of a softmax over all labels, two labels included.

    ``features`` is sparse float[rows, features], ``targets`` the index of each row's label; of one
    label, each row's number.
    """
    fitted = _fit(features, targets, labels, config)
    if labels == 1 or config.learner == "logistic":
        return fitted
    factor = _scaling(features, targets, labels, config)
    return Weights(fitted.weights * factor, fitted.bias * factor)


def _fit(features: Any, targets: Any, labels: int, config: LearnerConfig) -> Weights:
    import numpy as np

    prepare_sklearn()
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # no stubs

    model = _estimator(config, labels)
    # More threads mostly wait for one another: sums are short, and would depend on the machine.
    with warnings.catch_warnings(), threadpool_limits(1, "blas"):
        # ``iterations`` is a bound, and held-out rows show how good the classifier is.
        warnings.simplefilter("ignore", ConvergenceWarning)
        # Many labels of few rows each are what the caller decides about.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        model.fit(features, targets)
    if config.learner == "naive-bayes":
        return Weights(model.feature_log_prob_, model.class_log_prior_)
    weights = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
    bias = np.atleast_1d(np.asarray(model.intercept_, dtype=np.float64))
    if labels == 2:  # sigmoid(s) = softmax(-s/2, s/2)
        return Weights(np.vstack([-weights, weights]) / 2, np.hstack([-bias, bias]) / 2)
    return Weights(weights, bias)


def _estimator(config: LearnerConfig, labels: int) -> Any:
    from sklearn import linear_model, naive_bayes, svm

    if labels == 1:
        return linear_model.Ridge(alpha=1 / config.strength)
    if config.learner == "naive-bayes":
        return naive_bayes.MultinomialNB(alpha=_SMOOTHING)
    if config.learner == "ridge":
        return linear_model.RidgeClassifier(alpha=1 / config.strength)
    if config.learner == "svm":
        return svm.LinearSVC(
            C=config.strength,
            max_iter=config.iterations,
            penalty=config.penalty,
            dual="auto",
            random_state=0,
        )
    return linear_model.LogisticRegression(C=config.strength, max_iter=config.iterations)


def _scaling(features: Any, targets: Ints, labels: int, config: LearnerConfig) -> float:
    """The factor of the scores under which held-out rows are most probable; 1 without such rows."""
    import numpy as np
    from scipy.optimize import minimize_scalar
    from scipy.special import log_softmax

    held_out = np.zeros(len(targets), dtype=bool)
    for label in range(labels):
        held_out[np.flatnonzero(targets == label)[::_HELD_OUT][1:]] = True
    if not held_out.any():
        return 1.0
    fitted = _fit(features[~held_out], targets[~held_out], labels, config)
    scores = features[held_out] @ fitted.weights.T + fitted.bias
    gold = np.arange(len(scores)), targets[held_out]

    def loss(power: float) -> float:
        return -float(log_softmax(scores * np.exp(power), axis=1)[gold].mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-8, 8), method="bounded").x))
