"""Robust training of any classifier on texts: JTT, DRiFt, PoE, ReW, CLEVER.

All but JTT need to know what should not decide alone: a ``BiasView`` of the rows, or bias features
that were made elsewhere (which rules of a grammar a text uses).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from augkit.core.arrays import Ints
from augkit.core.errors import ConfigError
from augkit.core.protocols import SavedClassifier
from augkit.core.types import Example
from augkit.models.classifiers.encoder import EncoderClassifier, embed, fit_standardised
from augkit.models.classifiers.labels import class_labels, label_indices
from augkit.models.classifiers.learners import Weights
from augkit.models.classifiers.linear import train_linear
from augkit.models.classifiers.settings import (
    ClassifierConfig,
    EncoderConfig,
    LinearConfig,
    TransformersConfig,
)
from augkit.models.classifiers.train import train_classifier
from augkit.models.classifiers.transformers_classifier import RobustTerms, train_transformers
from augkit.models.robust.bias_view import BiasView, fit_bias_model
from augkit.models.robust.clever import DebiasedClassifier
from augkit.models.robust.config import RobustConfig, RobustMethod
from augkit.models.robust.methods import (
    balancing_weights,
    bias_log_probabilities,
    just_train_twice,
    product_of_experts,
    residual_fit,
    reweighted_fit,
    upweight_errors,
)
from augkit.models.token_batches import check_fields


@dataclass(frozen=True)
class RobustTraining:
    """A method, its settings, and what it trains against.

    Attributes:
        method: Name of the method, as "poe".
        config: Its settings.
        view: What the bias model sees; JTT needs none.
        bias_features: Sparse float[rows, features] of the training rows, instead of ``view``.
    """

    method: RobustMethod
    config: RobustConfig
    view: BiasView | None = None
    bias_features: Any = None

    def rows(self, indices: Ints) -> RobustTraining:
        """The same for some of the training rows."""
        if self.bias_features is None:
            return self
        return replace(self, bias_features=self.bias_features[indices])


def train_robust(
    examples: Sequence[Example],
    config: ClassifierConfig,
    robust: RobustTraining,
    validation: Sequence[Example] | None = None,
) -> SavedClassifier:
    """Train a classifier that relies less on the bias.

    Args:
        examples: Labelled rows.
        config: The settings of the classifier.
        robust: What it is trained against, and how.
        validation: Rows that choose the best epoch of a transformer; the others have no epochs.
    """
    check_robust(config, robust)
    options = robust.config
    bias_features = robust.bias_features
    fits_bias = robust.method == "clever" or (robust.method != "jtt" and bias_features is None)
    if fits_bias and robust.view is not None:
        bias_config = LinearConfig(strength=options.expert_strength, iterations=options.iterations)
        bias, bias_features = fit_bias_model(examples, robust.view, bias_config)
        if robust.method == "clever":
            whole = train_classifier(examples, config, validation)
            return DebiasedClassifier(whole, bias, robust.view, options.subtract)
    if isinstance(config, TransformersConfig):
        terms = _loss_terms(examples, config, robust, bias_features)
        return train_transformers(examples, config, validation=validation, terms=terms)
    labels = class_labels(examples)
    targets = label_indices(examples, labels)
    # The classifier's own C; JTT's weak model has a hundredth of it unless set.
    is_set = "weak_strength" in options.model_fields_set
    weak = options.weak_strength if is_set else config.strength / 100
    options = options.model_copy(update={"strength": config.strength, "weak_strength": weak})

    def fit(features: Any) -> Weights:
        return _FITS[robust.method](features, targets, len(labels), bias_features, options)

    if isinstance(config, LinearConfig):
        plain = train_linear(examples, config)
        fitted = fit(plain.features(examples))
        return replace(plain, weights=fitted.weights, bias=fitted.bias)
    fields = check_fields(tuple(examples[0].fields))
    head = fit_standardised(embed(examples, fields, config), fit)
    return EncoderClassifier(config, labels, fields, *head)


def check_robust(config: ClassifierConfig, robust: RobustTraining) -> None:
    """Raise where the classifier cannot be trained so, or no bias is given."""
    methods = get_args(RobustMethod)
    if robust.method not in methods:
        raise ConfigError(f"no robust method '{robust.method}': choose {', '.join(methods)}")
    if isinstance(config, LinearConfig | EncoderConfig) and config.learner != "logistic":
        raise ConfigError(
            f"robust training is for the learner logistic, not for {config.learner}: leave "
            "learner out"
        )
    if robust.method == "clever" and robust.view is None:
        raise ConfigError(
            "clever subtracts the bias at prediction time, so it must see it in new texts: train "
            "against a field or against words"
        )
    has_bias = robust.view is not None or robust.bias_features is not None
    if robust.method != "jtt" and not has_bias:
        raise ConfigError(f"{robust.method} needs a bias to train against: a field or words")


_FITS: dict[str, Callable[..., Weights]] = {
    "jtt": lambda x, y, labels, _, config: just_train_twice(x, y, labels, config),
    "drift": residual_fit,
    "poe": product_of_experts,
    "rew": reweighted_fit,
}


def _loss_terms(
    examples: Sequence[Example],
    config: TransformersConfig,
    robust: RobustTraining,
    bias_features: Any,
) -> RobustTerms:
    """What is added to a transformer's loss: row weights, fixed scores, or a bias expert."""
    labels = class_labels(examples)
    targets = label_indices(examples, labels)
    options = robust.config
    if robust.method == "jtt":
        # The weak model is one epoch of training.
        weak = train_transformers(examples, config.model_copy(update={"epochs": 1}))
        return RobustTerms(row_weights=upweight_errors(weak.predict(examples), targets, options))
    if robust.method == "rew":
        weights = balancing_weights(bias_features, targets, len(labels), options)
        return RobustTerms(row_weights=weights)
    if robust.method == "drift":
        offset = bias_log_probabilities(bias_features, targets, len(labels), options)
        return RobustTerms(offset=offset)
    return RobustTerms(
        bias_features=bias_features,
        expert_weight=options.expert_weight,
        expert_rate=options.expert_rate,
    )
