"""Classifiers of all kinds: their settings, how each is trained, and how a saved one is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from augkit.core.errors import ConfigError, DataError
from augkit.core.types import Example
from augkit.models.classifiers.encoder import EncoderClassifier, train_encoder
from augkit.models.classifiers.linear import LinearClassifier, train_linear
from augkit.models.classifiers.multiple_choice import FILE as CHOICES
from augkit.models.classifiers.multiple_choice import (
    MultipleChoiceClassifier,
    are_multiple_choice,
    train_multiple_choice,
)
from augkit.models.classifiers.settings import (
    ClassifierConfig,
    LinearConfig,
    TransformersConfig,
)
from augkit.models.classifiers.storage import load_record
from augkit.models.classifiers.transformers_classifier import (
    TransformersClassifier,
    train_transformers,
)

TrainedClassifier = (
    LinearClassifier | EncoderClassifier | TransformersClassifier | MultipleChoiceClassifier
)


def train_classifier(
    examples: Sequence[Example],
    config: ClassifierConfig,
    validation: Sequence[Example] | None = None,
    *,
    numeric: bool = False,
) -> TrainedClassifier:
    """Train a classifier of the kind that the settings are of.

    ``validation`` chooses the best epoch of a transformer; the others have no epochs. ``numeric``
    labels are predicted as numbers, by ridge regression or by a transformer with one output. Rows
    with ``options`` are multiple choice: the classifier scores each option.
    """
    if are_multiple_choice(examples):
        return train_multiple_choice(
            examples, validation, lambda pairs, held_out: train_classifier(pairs, config, held_out)
        )
    if isinstance(config, TransformersConfig):
        return train_transformers(examples, config, validation, numeric=numeric)
    if numeric:
        if "learner" in config.model_fields_set and config.learner != "ridge":
            raise ConfigError(
                f"labels that are numbers are learnt by ridge regression, not by {config.learner}: "
                "leave learner out"
            )
        config = config.model_copy(update={"learner": "ridge", "penalty": "l2"})
    if isinstance(config, LinearConfig):
        return train_linear(examples, config, numeric=numeric)
    return train_encoder(examples, config, numeric=numeric)


def load_trained_classifier(folder: Path) -> TrainedClassifier:
    """Read a saved classifier of any of these kinds, recognised by its files."""
    if (folder / CHOICES).is_file():
        return MultipleChoiceClassifier.load(folder, _load_plain(folder))
    return _load_plain(folder)


def _load_plain(folder: Path) -> LinearClassifier | EncoderClassifier | TransformersClassifier:
    if (folder / "augkit.json").is_file():
        return TransformersClassifier.load(folder)
    if not (folder / "model.json").is_file():
        raise DataError(
            f"{folder}: no classifier is saved there. Train one: augkit train DATASET "
            f"--out {folder}"
        )
    if load_record(folder / "model.json")["config"].get("kind") == "encoder":
        return EncoderClassifier.load(folder)
    return LinearClassifier.load(folder)
