"""Robust training of any classifier on texts: JTT, DRiFt, PoE, ReW, CLEVER.

The ways that need it are told what should not decide alone, as a ``BiasView`` of the rows or as
hints that were made elsewhere (which rules of a grammar a text uses).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from augkit.core.errors import ConfigError
from augkit.core.protocols import SavedClassifier
from augkit.core.types import Example
from augkit.models.classifiers.encoder import EncoderClassifier, EncoderConfig, embed, standardised
from augkit.models.classifiers.fine_tune import Teaching, train_transformers
from augkit.models.classifiers.labels import class_labels, label_numbers
from augkit.models.classifiers.learners import Weights
from augkit.models.classifiers.linear import LinearConfig, train_linear
from augkit.models.classifiers.tokenized import check_fields
from augkit.models.classifiers.transformers_classifier import TransformersConfig
from augkit.models.ensembles.members import Member, train_member
from augkit.models.robust.bias_features import BiasView, train_view
from augkit.models.robust.bias_models import balancing_weights, product_of_experts, reweighted_fit
from augkit.models.robust.clever import DebiasedClassifier
from augkit.models.robust.jtt_drift import (
    RobustConfig,
    hinted,
    just_train_twice,
    residual_fit,
    upweighted,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

Way = Literal["jtt", "drift", "poe", "rew", "clever"]
"""Just Train Twice, DRiFt, product of experts, reweighting, CLEVER's subtraction."""


@dataclass(frozen=True)
class Robust:
    """A way, its settings, and what it trains against.

    ``hints`` sparse float[rows, hints] are those of the training rows where they do not come from
    ``view``; JTT needs neither.
    """

    way: Way
    config: RobustConfig
    view: BiasView | None = None
    hints: Any = None

    def rows(self, places: Ints) -> Robust:
        """The same for some of the training rows."""
        return self if self.hints is None else replace(self, hints=self.hints[places])


def train_robust(
    examples: Sequence[Example],
    member: Member,
    robust: Robust,
    validation: Sequence[Example] | None = None,
) -> SavedClassifier:
    """Train a classifier that leans less on what the view shows, or the hints tell.

    ``validation`` chooses the best pass of a transformer; the others have no passes.
    """
    _check(member, robust)
    if robust.way == "clever":
        return _subtracted(examples, member, robust, validation)
    hints = None if robust.way == "jtt" else _hints(examples, robust)
    if isinstance(member, TransformersConfig):
        teaching = _teaching(examples, member, robust, hints)
        return train_transformers(examples, member, validation=validation, teaching=teaching)
    labels = class_labels(examples)
    targets = label_numbers(examples, labels)
    config = _strengths(robust.config, member.strength)

    def learn(features: Any) -> Weights:
        return _fits()[robust.way](features, targets, len(labels), hints, config)

    if isinstance(member, LinearConfig):
        plain = train_linear(examples, member)
        learnt = learn(plain.features(examples))
        return replace(plain, weights=learnt.weights, bias=learnt.bias)
    fields = check_fields(tuple(examples[0].fields))
    head = standardised(embed(examples, fields, member), learn)
    return EncoderClassifier(member, labels, fields, *head)


def _check(member: Member, robust: Robust) -> None:
    if robust.way not in get_args(Way):
        raise ConfigError(f"no way '{robust.way}' to train: choose {', '.join(get_args(Way))}")
    if isinstance(member, LinearConfig | EncoderConfig) and member.learner != "logistic":
        raise ConfigError(
            f"robust training is for the learner logistic, not for {member.learner}: leave "
            "learner out"
        )
    if robust.way == "clever" and robust.view is None:
        raise ConfigError(
            "clever takes the bias off when an answer is asked, so it must be seen in new texts: "
            "train against a field or against words"
        )
    if robust.way not in {"jtt", "clever"} and robust.view is None and robust.hints is None:
        raise ConfigError(f"{robust.way} must be told what to train against: a field or words")


def _fits() -> dict[str, Callable[..., Weights]]:
    return {
        "jtt": lambda x, y, labels, _, config: just_train_twice(x, y, labels, config),
        "drift": residual_fit,
        "poe": product_of_experts,
        "rew": reweighted_fit,
    }


def _subtracted(
    examples: Sequence[Example],
    member: Member,
    robust: Robust,
    validation: Sequence[Example] | None,
) -> DebiasedClassifier:
    view = robust.view or BiasView()
    bias, _ = train_view(examples, view, _bias_config(robust.config))
    whole = train_member(examples, member, validation)
    return DebiasedClassifier(whole, bias, view, robust.config.subtract)


def _hints(examples: Sequence[Example], robust: Robust) -> Any:
    if robust.hints is not None:
        return robust.hints
    return train_view(examples, robust.view or BiasView(), _bias_config(robust.config))[1]


def _bias_config(config: RobustConfig) -> LinearConfig:
    return LinearConfig(strength=config.expert_strength, iterations=config.iterations)


def _strengths(config: RobustConfig, strength: float) -> RobustConfig:
    """The classifier's own C, and for JTT's weak model a hundredth of it unless one was named."""
    named = "weak_strength" in config.model_fields_set
    weak = config.weak_strength if named else strength / 100
    return config.model_copy(update={"strength": strength, "weak_strength": weak})


def _teaching(
    examples: Sequence[Example], member: TransformersConfig, robust: Robust, hints: Any
) -> Teaching:
    """What a transformer's loss is given: weights of rows, fixed scores, or an expert's hints."""
    labels = class_labels(examples)
    targets, config = label_numbers(examples, labels), robust.config
    if robust.way == "jtt":
        # One pass learns the easy; what it gets wrong counts more in the second training.
        weak = train_transformers(examples, member.model_copy(update={"epochs": 1}))
        return Teaching(row_weights=upweighted(weak.predict(examples), targets, config))
    if robust.way == "rew":
        return Teaching(row_weights=balancing_weights(hints, targets, len(labels), config))
    if robust.way == "drift":
        return Teaching(offset=hinted(hints, targets, len(labels), config))
    return Teaching(hints=hints, expert_weight=config.expert_weight, expert_rate=config.expert_rate)
