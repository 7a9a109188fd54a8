"""Linear classifiers of word n-grams: by default TF-IDF and logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from augkit.core.arrays import Floats, Ints
from augkit.core.contributions import Contributions
from augkit.core.errors import DataError
from augkit.core.types import Example
from augkit.models.classifiers.labels import SCALE, class_labels, indices_of, training_targets
from augkit.models.classifiers.learners import LinearHead, fit
from augkit.models.classifiers.ngrams import (
    NgramCounts,
    NgramVocabulary,
    Occurrences,
    count_ngrams,
    find_ngrams,
    gather_contributions,
    row_frequency,
    texts_by_field,
    tokenise,
)
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.classifiers.storage import load_arrays, load_parts


@dataclass(frozen=True)
class FeatureSpace:
    """One feature space: its n-grams, and the factor of each: float[terms].

    For TF-IDF the factor is the idf, otherwise 1; a term unknown to the model has 0.
    """

    vocabulary: NgramVocabulary
    factor: Floats

    def weigh(self, counts: Any, config: LinearConfig) -> Any:
        """Features from counts: sparse float[rows, terms]."""
        import numpy as np
        from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l2

        weighed = counts.astype(np.float64)
        if config.features == "binary":
            weighed.data = np.ones_like(weighed.data)
        elif config.features == "tfidf" and config.sublinear:
            weighed.data = np.log(weighed.data) + 1
        weighed.data *= self.factor[weighed.indices]
        if config.features != "counts":
            inplace_csr_row_normalize_l2(weighed)
        return weighed


@dataclass(frozen=True)
class LinearClassifier(LinearHead):
    """Weights on the features of all spaces, one after another."""

    config: LinearConfig
    spaces: tuple[FeatureSpace, ...]

    @property
    def vocabularies(self) -> tuple[NgramVocabulary, ...]:
        """The n-grams of each space."""
        return tuple(space.vocabulary for space in self.spaces)

    def features(self, examples: Sequence[Example]) -> Any:
        """The sparse features: float[examples, features]."""
        texts = texts_by_field(examples, self.fields)
        return self.weigh([space.vocabulary.count(texts) for space in self.spaces])

    def contributions(self, examples: Sequence[Example], labels: Sequence[str]) -> Contributions:
        """The n-grams by position, and what each adds to the score of its example's label."""
        tokenised = tokenise(examples, self.fields)
        occurrences = [find_ngrams(tokenised, vocabulary) for vocabulary in self.vocabularies]
        targets = indices_of(labels, self.labels)
        scores = self.score_occurrences(occurrences, targets)
        return gather_contributions(tokenised, occurrences, scores, self.centred_bias[targets])

    def score_occurrences(self, occurrences: Sequence[Occurrences], targets: Ints) -> Floats:
        """What each occurrence adds to the score of its row's label: float[occurrences].

        A count of 2 that became 1 + ln 2, weighted by the idf and divided by the row's length,
        gives each of the two occurrences half of that, times the label's weight.
        """
        import numpy as np

        scores, offset = [], 0
        for space, in_space in zip(self.spaces, occurrences, strict=True):
            values = space.weigh(in_space.counts, self.config).data / in_space.counts.data
            label_weights = self.centred_weights[targets[in_space.rows], offset + in_space.columns]
            scores.append(values[in_space.entry] * label_weights)
            offset += len(space.factor)
        return np.concatenate(scores)

    @cached_property
    def centred_weights(self) -> Floats:
        """The weights of each label, less their mean."""
        centred: Floats = self.weights - self.weights.mean(axis=0)
        return centred

    @cached_property
    def centred_bias(self) -> Floats:
        """The bias of each label, less their mean."""
        centred: Floats = self.bias - self.bias.mean()
        return centred

    def weigh(self, counts: Sequence[Any]) -> Any:
        """The sparse features of rows whose n-grams are counted, space by space."""
        return _weigh(self.spaces, counts, self.config)

    def save(self, folder: Path) -> None:
        """Write ``model.json`` (settings, labels, n-grams) and ``model.npz`` (numbers)."""
        factors = {f"idf_{number}": space.factor for number, space in enumerate(self.spaces)}
        self._save(folder, factors, spaces=[space.vocabulary.record() for space in self.spaces])

    @classmethod
    def load(cls, folder: Path) -> LinearClassifier:
        """Read a saved classifier; nothing in the files is executed."""
        parts, record = load_parts(folder / "model.json", LinearConfig)
        arrays = load_arrays(folder / "model.npz")
        spaces = tuple(
            FeatureSpace(NgramVocabulary.of(space, parts[0].ngrams), arrays[f"idf_{number}"])
            for number, space in enumerate(record["spaces"])
        )
        return cls(*parts, arrays["weights"], arrays["bias"], spaces)


def train_linear(
    examples: Sequence[Example], config: LinearConfig | None = None, *, numeric: bool = False
) -> LinearClassifier:
    """Train on labelled examples.

    The losses are convex and nothing is random: the same rows give the same classifier.

    Args:
        examples: Labelled rows.
        config: The settings.
        numeric: Whether labels are numbers to predict, and no classes.
    """
    config = LinearConfig() if config is None else config
    labels = SCALE if numeric else class_labels(examples)
    counted = count_ngrams(examples, config.ngrams, config.min_df, cross=config.cross)
    return fit_counted(counted, training_targets(examples, labels), labels, config)


def fit_counted(
    counted: NgramCounts, targets: Any, labels: tuple[str, ...], config: LinearConfig
) -> LinearClassifier:
    """Train on counted rows whose labels have these numbers.

    A term in fewer than ``min_df`` of the rows gets the factor 0, so that it counts for nothing.
    """
    import numpy as np

    spaces = tuple(
        _space(vocabulary, counts, config)
        for vocabulary, counts in zip(counted.vocabularies, counted.counts, strict=True)
    )
    features = _weigh(spaces, counted.counts, config)
    used = np.flatnonzero(np.hstack([space.factor for space in spaces]))
    if not used.size:
        raise DataError(
            f"no n-gram occurs in {config.min_df} or more of {len(targets)} rows: set min_df to 1"
        )
    fitted = fit(features[:, used], targets, len(labels), config)
    weights = np.zeros((len(labels), features.shape[1]))
    weights[:, used] = fitted.weights
    return LinearClassifier(config, labels, counted.fields, weights, fitted.bias, spaces)


def _weigh(spaces: Sequence[FeatureSpace], counts: Sequence[Any], config: LinearConfig) -> Any:
    from scipy.sparse import hstack

    weighed = [space.weigh(count, config) for space, count in zip(spaces, counts, strict=True)]
    return hstack(weighed, format="csr")


def _space(vocabulary: NgramVocabulary, counts: Any, config: LinearConfig) -> FeatureSpace:
    import numpy as np

    frequency = row_frequency(counts)
    factor = np.ones(len(frequency))
    if config.features == "tfidf":
        factor = np.log((1 + counts.shape[0]) / (1 + frequency)) + 1
    used = (frequency >= config.min_df) & (config.cross or type(vocabulary) is NgramVocabulary)
    return FeatureSpace(vocabulary, np.where(used, factor, 0.0))
