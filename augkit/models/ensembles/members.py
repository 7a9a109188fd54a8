"""The classifiers that an ensemble can be made of, and how each kind learns from part of the rows.

What does not depend on the part is done once: n-grams are counted, and texts read by an encoder,
for all rows; a fold takes its rows out of that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Discriminator, Tag

from augkit.core.types import Example
from augkit.models.classifiers.encoder import (
    EncoderClassifier,
    EncoderConfig,
    embed,
    fit_head,
    train_encoder,
)
from augkit.models.classifiers.linear import (
    LinearClassifier,
    LinearConfig,
    fit_counted,
    train_linear,
)
from augkit.models.classifiers.ngrams import Counted, count_ngrams
from augkit.models.classifiers.tokenized import check_fields
from augkit.models.classifiers.transformers_classifier import (
    TransformersClassifier,
    TransformersConfig,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def _kind(told: Any) -> str:
    """Settings without a kind are those of a linear classifier."""
    return str(told.get("kind", "linear") if isinstance(told, Mapping) else told.kind)


Member = Annotated[
    Annotated[LinearConfig, Tag("linear")]
    | Annotated[EncoderConfig, Tag("encoder")]
    | Annotated[TransformersConfig, Tag("transformers")],
    Discriminator(_kind),
]
"""The settings of one classifier of an ensemble."""

Model = LinearClassifier | EncoderClassifier | TransformersClassifier


def train_member(
    examples: Sequence[Example], config: Member, validation: Sequence[Example] | None = None
) -> Model:
    """One classifier of whichever kind the settings are of, trained on labelled examples.

    ``validation`` chooses the best pass of a transformer; the others have no passes.
    """
    if isinstance(config, LinearConfig):
        return train_linear(examples, config)
    if isinstance(config, EncoderConfig):
        return train_encoder(examples, config)
    from augkit.models.classifiers.fine_tune import train_transformers

    return train_transformers(examples, config, validation=validation)


@dataclass(frozen=True)
class Prepared:
    """All rows as the members read them: n-grams by their length, vectors by encoder."""

    rows: Sequence[Example]
    counted: Mapping[int, Counted]
    vectors: Mapping[str, Floats]

    def train(self, member: Member, inside: Ints, targets: Ints, labels: tuple[str, ...]) -> Model:
        """The member trained on the rows ``inside``, whose labels are ``targets``."""
        if isinstance(member, LinearConfig):
            return fit_counted(self.counted[member.ngrams].rows(inside), targets, labels, member)
        if isinstance(member, EncoderConfig):
            vectors = self.vectors[_encoder_key(member)][inside]
            return fit_head(vectors, targets, labels, tuple(self.rows[0].fields), member)
        from augkit.models.classifiers.fine_tune import train_transformers

        return train_transformers([self.rows[row] for row in inside.tolist()], member)

    def ask(self, model: Model, outside: Ints) -> Floats:
        """The probabilities that a model gives to the rows ``outside``."""
        if isinstance(model, LinearClassifier):
            counts = self.counted[model.config.ngrams].rows(outside).counts
            return model.probabilities(model.weigh(counts))
        if isinstance(model, EncoderClassifier):
            return model.probabilities(self.vectors[_encoder_key(model.config)][outside])
        return model.predict([self.rows[row] for row in outside.tolist()])


def prepare(rows: Sequence[Example], members: Sequence[Member]) -> Prepared:
    """Count n-grams and read vectors once for all members and all folds."""
    linear = [one for one in members if isinstance(one, LinearConfig)]
    encoders = {_encoder_key(one): one for one in members if isinstance(one, EncoderConfig)}
    fields = tuple(rows[0].fields)
    vectors = {key: embed(rows, check_fields(fields), one) for key, one in encoders.items()}
    return Prepared(rows, _count_once(rows, linear) if linear else {}, vectors)


def _encoder_key(config: EncoderConfig) -> str:
    return f"{config.model}:{config.max_tokens}"


def _count_once(rows: Sequence[Example], members: Sequence[LinearConfig]) -> dict[int, Counted]:
    """Longest n-gram → the counts of all rows."""
    import numpy as np

    longest = max(one.ngrams for one in members)
    everything = count_ngrams(rows, longest, min(one.min_df for one in members))
    lengths = [
        np.array([term.count(" ") + 1 for term in vocabulary.terms])
        for vocabulary in everything.vocabularies
    ]
    return {
        ngrams: everything.only([np.flatnonzero(words <= ngrams) for words in lengths], ngrams)
        for ngrams in {one.ngrams for one in members}
    }
