"""Linear learners: weights and a bias per label, whatever the loss they come from.

Each gives p(label | x) = softmax(W·x + b). Logistic regression is fitted as such; the scores of the
other three are no log-probabilities (those of naive Bayes count dependent words twice), so they are
stretched by one factor that makes rows which were held out likeliest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import Field, model_validator
from typing_extensions import Self

from augkit.core.config import StrictModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Learner = Literal["logistic", "svm", "naive-bayes", "ridge"]
Penalty = Literal["l2", "l1"]

_HELD_OUT = 5
"""One row in this many is held out to learn how far scores are to be stretched."""
_SMOOTHING = 1.0
"""Count added to every word under every label by naive Bayes."""


class LearnerConfig(StrictModel):
    """Which loss is minimised, and how strongly the weights are held back."""

    learner: Learner = Field("logistic", description="logistic, svm, naive-bayes or ridge")
    penalty: Penalty = Field("l2", description="l1 leaves most weights at exactly 0; for svm only")
    strength: float = Field(
        10.0, gt=0, description="C of the learner: larger holds the weights back less"
    )
    iterations: int = Field(1000, ge=1, description="most steps of the optimiser")

    @model_validator(mode="after")
    def _penalty_fits(self) -> Self:
        if self.penalty == "l1" and self.learner != "svm":
            raise ValueError(f"penalty l1 is for the learner svm, not for {self.learner}")
        return self


class Weights(NamedTuple):
    """``weights`` is float[labels, features], ``bias`` float[labels]."""

    weights: Floats
    bias: Floats


def fit(features: Any, targets: Ints, labels: int, config: LearnerConfig) -> Weights:
    """Weights and bias of a softmax over all labels, two labels included.

    ``features`` is sparse float[rows, features], ``targets`` the number of each row's label.
    """
    learnt = _fit(features, targets, labels, config)
    if config.learner == "logistic":
        return learnt
    factor = _stretch(features, targets, labels, config)
    return Weights(learnt.weights * factor, learnt.bias * factor)


def _fit(features: Any, targets: Ints, labels: int, config: LearnerConfig) -> Weights:
    import numpy as np

    model = _estimator(config)
    model.fit(features, targets)
    if config.learner == "naive-bayes":
        return Weights(model.feature_log_prob_, model.class_log_prior_)
    weights = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
    bias = np.atleast_1d(np.asarray(model.intercept_, dtype=np.float64))
    if labels == 2:  # sigmoid(s) = softmax(-s/2, s/2)
        return Weights(np.vstack([-weights, weights]) / 2, np.hstack([-bias, bias]) / 2)
    return Weights(weights, bias)


def _estimator(config: LearnerConfig) -> Any:
    from sklearn import linear_model, naive_bayes, svm

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


def _stretch(features: Any, targets: Ints, labels: int, config: LearnerConfig) -> float:
    """The factor for the scores that makes held-out rows likeliest; 1 where none can be spared."""
    import numpy as np
    from scipy.optimize import minimize_scalar
    from scipy.special import log_softmax

    held_out = np.zeros(len(targets), dtype=bool)
    for label in range(labels):
        held_out[np.flatnonzero(targets == label)[::_HELD_OUT][1:]] = True
    if not held_out.any():
        return 1.0
    learnt = _fit(features[~held_out], targets[~held_out], labels, config)
    scores = features[held_out] @ learnt.weights.T + learnt.bias
    places = np.arange(len(scores)), targets[held_out]

    def loss(power: float) -> float:
        return -float(log_softmax(scores * np.exp(power), axis=1)[places].mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-8, 8), method="bounded").x))
