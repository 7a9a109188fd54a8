"""The settings of classifiers of all kinds, which load nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator
from typing_extensions import Self

from augkit.core.config import StrictModel
from augkit.core.errors import ConfigError
from augkit.core.moved import VALUES, raise_moved
from augkit.models.training import Decay

Learner = Literal["logistic", "svm", "naive-bayes", "ridge"]
Penalty = Literal["l2", "l1"]
Features = Literal["tfidf", "counts", "binary"]


class LearnerConfig(StrictModel):
    """The loss and its regularisation."""

    learner: Learner = Field("logistic", description="logistic, svm, naive-bayes or ridge")
    penalty: Penalty = Field("l2", description="l1 leaves most weights at exactly 0; for svm only")
    strength: float = Field(
        10.0, gt=0, description="C of the learner: larger means weaker regularisation"
    )
    iterations: int = Field(1000, ge=1, description="maximum steps of the optimiser")

    @model_validator(mode="after")
    def _penalty_fits(self) -> Self:
        if self.penalty == "l1" and self.learner != "svm":
            raise ValueError(f"penalty l1 is for the learner svm, not for {self.learner}")
        return self


class LinearConfig(LearnerConfig):
    """The features and the learner."""

    kind: Literal["linear"] = Field("linear", description="a linear classifier")
    features: Features = Field(
        "tfidf", description="tfidf, counts or binary; rows have length 1, those of counts not"
    )
    ngrams: int = Field(
        2,
        ge=1,
        le=5,
        description="longest word n-gram, at most 5: longer ones mostly occur once; all shorter "
        "ones count",
    )
    min_df: int = Field(2, ge=1, description="a feature must occur in this many training rows")
    cross: bool = Field(
        default=False,
        description="of pairs of texts: words of the first with words of the second as features",
    )
    sublinear: bool = Field(
        default=True, description="of tfidf: 1 + ln(count) instead of the count"
    )

    @property
    def name(self) -> str:
        """What tables call it: the features, the longest n-gram and the learner.

        >>> LinearConfig().name
        'tfidf2-logistic'
        """
        penalty = "" if self.penalty == "l2" else f"-{self.penalty}"
        return f"{self.features}{self.ngrams}-{self.learner}{penalty}"


class EncoderConfig(LearnerConfig):
    """The encoder, and the learner of the head."""

    kind: Literal["encoder"] = Field("encoder", description="an encoder with a linear head")
    model: str = Field(description="a folder with a saved encoder, or a hub id such as owner/model")
    max_tokens: int = Field(256, ge=4, description="longer texts are truncated")
    learner: Literal["logistic", "svm", "ridge"] = Field(
        "logistic", description="logistic, svm or ridge"
    )
    strength: float = Field(
        0.01, gt=0, description="C of the learner: larger means weaker regularisation"
    )

    @property
    def name(self) -> str:
        """What tables call it: the encoder and the learner."""
        return f"{Path(self.model).name}-{self.learner}"


class LoraConfig(StrictModel):
    """Low-rank updates instead of all weights."""

    rank: int = Field(8, ge=1, description="rank of the updates")
    alpha: int = Field(16, ge=1, description="they are scaled by alpha / rank")
    dropout: float = Field(0.05, ge=0, lt=1, description="share of the inputs left out")
    modules: tuple[str, ...] = Field(
        (), description="names of the layers that are updated; none: all linear ones"
    )


def _as_lora(value: object) -> object:
    """``lora: true`` takes the defaults, as ``lora: {}`` does."""
    return {} if value is True else value


class TransformersConfig(StrictModel):
    """A backbone and how it is fine-tuned; the defaults are those of the CoBA paper.

    Warm-up and decay, of which it says nothing, are those of PANDA's Table 12.
    """

    kind: Literal["transformers"] = Field("transformers", description="a fine-tuned transformer")
    model: str = Field(description="a folder with a saved model, or a hub id such as owner/model")
    epochs: int = Field(10, ge=1, description="maximum epochs")
    patience: int = Field(3, ge=1, description="epochs without a better validation to stop after")
    batch_size: int = Field(32, ge=1, description="rows per update")
    learning_rate: float = Field(5e-5, gt=0, description="of AdamW")
    weight_decay: float = Field(0.01, ge=0, description="of AdamW")
    clip: float = Field(1.0, gt=0, description="maximum norm of the gradient")
    max_tokens: int = Field(300, ge=4, description="longer texts are truncated")
    validation: float = Field(
        0.1, gt=0, lt=1, description="share of the rows that choose the best epoch"
    )
    lora: Annotated[LoraConfig | None, BeforeValidator(_as_lora)] = Field(
        None, description="low-rank updates (true: the usual ones); none: train all weights"
    )
    seed: int = Field(0, description="of the new head, the order of rows and dropout")
    warmup: float = Field(
        0.06, ge=0, lt=1, description="share of the updates in which the learning rate rises"
    )
    decay: Decay = Field("linear", description="afterwards it falls to 0 (linear), or not (none)")

    @property
    def name(self) -> str:
        """What tables call it: the last part of the model's name."""
        return Path(self.model).name + ("-lora" if self.lora else "")


def _kind(config: Any) -> str:
    """Settings without a kind are those of a linear classifier."""
    return str(config.get("kind", "linear") if isinstance(config, Mapping) else config.kind)


ClassifierConfig = Annotated[
    Annotated[LinearConfig, Tag("linear")]
    | Annotated[EncoderConfig, Tag("encoder")]
    | Annotated[TransformersConfig, Tag("transformers")],
    Discriminator(_kind),
]
"""The settings of a classifier of any kind."""
CLASSIFIER_KINDS = ("linear", "encoder", "transformers")


def is_classifier_spec(spec: str) -> bool:
    """Whether it is ``linear``, ``encoder:PATH`` or ``transformers:PATH``.

    >>> is_classifier_spec("encoder:models/minilm"), is_classifier_spec("linear-five")
    (True, False)
    """
    kind, _, path = spec.partition(":")
    return kind in CLASSIFIER_KINDS and bool(path) != (kind == "linear")


def is_linear_ensemble(name: str) -> bool:
    """Whether all members of an ensemble are linear, as far as its name tells.

    >>> is_linear_ensemble("linear,linear-three"), is_linear_ensemble("linear-three,encoder:PATH")
    (True, False)
    """
    parts = [part.strip() for part in name.split(",")]
    return set(parts) <= {"auto", "linear", "linear-three", "linear-five"}


def parse_classifier(spec: str) -> dict[str, str]:
    """The settings that ``linear``, ``encoder:PATH`` or ``transformers:PATH`` stand for."""
    if not is_classifier_spec(spec):
        raise_moved(VALUES, spec.partition(":")[0])
        raise ConfigError(
            f"no model '{spec}': choose linear, encoder:PATH or transformers:PATH, where PATH is a "
            "folder with a saved model or a hub id. An LLM (llm:openai:NAME) can be evaluated, not "
            "trained"
        )
    kind, _, path = spec.partition(":")
    return {"kind": kind, **({"model": path} if path else {})}
