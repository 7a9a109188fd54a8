"""Training that does not lean on known shortcuts: Just Train Twice, and DRiFt's residual fitting.

Both take arrays, whatever these were made of: ``features`` float[rows, features], sparse or dense,
of the classifier, ``targets`` int[rows], and for DRiFt ``hints`` [rows, features] of a model that
sees shortcuts alone, such as which rules of a grammar a text uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.models.classifiers.learners import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


class RobustConfig(StrictModel):
    """How strongly weights are held back, and how the shortcut is countered."""

    strength: float = Field(
        10.0, gt=0, description="C of the classifier: larger holds the weights back less"
    )
    iterations: int = Field(300, ge=1, description="most steps of the optimiser")
    weak_strength: float = Field(
        0.1, gt=0, description="C of the first model of JTT, held back so that it learns the easy"
    )
    upweight: float = Field(
        4.0, ge=1, description="JTT: how often a row counts that the first model gets wrong"
    )
    hint_strength: float = Field(1.0, gt=0, description="DRiFt: C of the L1 model of the hints")
    folds: int = Field(
        5, ge=1, description="DRiFt: the hints' model predicts each fold unseen; 1: all rows seen"
    )
    seed: int = Field(0, description="of the folds")
    expert_strength: float = Field(
        10.0, gt=0, description="PoE, CLEVER: C of the model of the hints"
    )
    expert_weight: float = Field(
        1.0, ge=0, description="PoE: how much the hints' expert is asked to be right by itself"
    )
    expert_rate: float = Field(
        0.01, gt=0, description="PoE beside a transformer: learning rate of the hints' expert"
    )
    balance: float = Field(
        0.01, ge=0, description="ReW: how strongly the weights of rows are held together"
    )
    subtract: float = Field(
        1.0, ge=0, description="CLEVER: how much of the hints' scores is taken off"
    )


@dataclass(frozen=True)
class Loss:
    """What is minimised besides the fit: C, the kind of penalty, rows' weights, fixed scores.

    ``offset`` float[rows, labels] is added to every score and not learnt.
    """

    strength: float = 10.0
    sparse: bool = False
    row_weights: Floats | None = None
    offset: Floats | None = None
    iterations: int = 300


def just_train_twice(features: Any, targets: Ints, labels: int, config: RobustConfig) -> Weights:
    """Train a weak model, then train again with the rows that it got wrong counted more often.

    No shortcut need be known: what a weak model gets wrong are mostly rows where the easy cue
    misleads. Our weak model is one held back strongly, where the paper stops after an epoch.

    Reference: liu2021just.
    """
    loss = Loss(strength=config.weak_strength, iterations=config.iterations)
    weak = fit_softmax(features, targets, labels, loss)
    weights = upweighted(scores(weak, features), targets, config)
    loss = Loss(config.strength, row_weights=weights, iterations=config.iterations)
    return fit_softmax(features, targets, labels, loss)


def upweighted(answers: Floats, targets: Ints, config: RobustConfig) -> Floats:
    """How often each row counts in JTT's second training: float[rows].

    ``answers`` are the scores or probabilities of the first model: float[rows, labels].
    """
    import numpy as np

    return np.where(answers.argmax(axis=1) != targets, config.upweight, 1.0)


def residual_fit(
    features: Any, targets: Ints, labels: int, hints: Any, config: RobustConfig
) -> Weights:
    """Fit what the hints leave unexplained: DRiFt.

        min over f of  Σ_i -log softmax( f(x_i) + log p_h(· | h_i) )[y_i]

    p_h is an L1 logistic regression on the hints alone. The classifier f is used without it, so it
    gains nothing from repeating what the hints already tell. The paper's p_h has seen the rows it
    predicts; with ``folds`` > 1 ours has not, so that a row it knows by heart still teaches.

    Reference: he2019unlearn.
    """
    told = hinted(hints, targets, labels, config)
    loss = Loss(config.strength, offset=told, iterations=config.iterations)
    return fit_softmax(features, targets, labels, loss)


def hinted(hints: Any, targets: Ints, labels: int, config: RobustConfig) -> Floats:
    """Log-probabilities of the labels by the hints alone: float[rows, labels]."""
    import numpy as np

    loss = Loss(config.hint_strength, sparse=True, iterations=config.iterations)
    rows = len(targets)
    if config.folds == 1:
        return _log_softmax(scores(fit_softmax(hints, targets, labels, loss), hints))
    fold = np.random.default_rng(config.seed).permutation(rows) % config.folds
    told = np.empty((rows, labels))
    for number in range(config.folds):
        seen, unseen = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        model = fit_softmax(hints[seen], targets[seen], labels, loss)
        told[unseen] = _log_softmax(scores(model, hints[unseen]))
    return told


def scores(model: Weights, features: Any) -> Floats:
    """W·x + b of every row: float[rows, labels]."""
    import numpy as np

    return np.asarray(features @ model.weights.T + model.bias)


def fit_softmax(features: Any, targets: Ints, labels: int, loss: Loss) -> Weights:
    """Logistic regression of several labels, with fixed scores and weighted rows.

        min over W, b of  C Σ_i w_i · -log softmax(W x_i + b + o_i)[y_i] + penalty(W)

    The penalty is ½‖W‖² or, where ``loss.sparse``, ‖W‖₁; the bias b is free. For ‖W‖₁ the weights
    are split into a positive and a negative part, bounded by 0, which makes the problem smooth.
    """
    import numpy as np
    from scipy.optimize import minimize

    width = features.shape[1]
    size = labels * width
    problem = _Problem(features, targets, labels, loss)
    start = np.zeros((2 * size if loss.sparse else size) + labels)
    bounds = [(0, None)] * (2 * size) + [(None, None)] * labels if loss.sparse else None
    options = {"maxiter": loss.iterations, "maxfun": 4 * loss.iterations}
    found = minimize(problem, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    weights, bias = problem.unpack(found.x)
    return Weights(weights, bias)


@dataclass(frozen=True)
class _Problem:
    """The loss and its gradient at a flat vector of parameters."""

    features: Any
    targets: Ints
    labels: int
    loss: Loss

    def unpack(self, flat: Floats) -> tuple[Floats, Floats]:
        size = self.labels * self.features.shape[1]
        weights = flat[:size] - flat[size : 2 * size] if self.loss.sparse else flat[:size]
        return weights.reshape(self.labels, -1), flat[-self.labels :]

    def __call__(self, flat: Floats) -> tuple[float, Floats]:
        import numpy as np

        weights, bias = self.unpack(flat)
        score = scores(Weights(weights, bias), self.features)
        if self.loss.offset is not None:
            score = score + self.loss.offset
        logs = _log_softmax(score)
        rows = np.arange(len(self.targets))
        slope = np.exp(logs)
        slope[rows, self.targets] -= 1
        importance = self.loss.strength
        counted = np.ones(len(rows)) if self.loss.row_weights is None else self.loss.row_weights
        value = -importance * float(counted @ logs[rows, self.targets])
        slope *= importance * counted[:, None]
        gradient = np.asarray((self.features.T @ slope).T).ravel()
        return self._penalised(value, gradient, slope.sum(axis=0), flat)

    def _penalised(
        self, value: float, gradient: Floats, bias: Floats, flat: Floats
    ) -> tuple[float, Floats]:
        import numpy as np

        parameters = flat[: -self.labels]
        if self.loss.sparse:
            both = np.concatenate([gradient + 1, 1 - gradient, bias])
            return value + float(parameters.sum()), both
        whole = value + 0.5 * float(parameters @ parameters)
        return whole, np.concatenate([gradient + parameters, bias])


def _log_softmax(score: Floats) -> Floats:
    import numpy as np
    from scipy.special import logsumexp

    return np.asarray(score - logsumexp(score, axis=1, keepdims=True))
