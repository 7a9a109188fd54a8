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
from augkit.core.light_imports import prepare_sklearn
from augkit.core.types import Example
from augkit.models.classifiers.labels import SCALE, class_labels, indices_of, training_targets
from augkit.models.classifiers.learners import LinearHead, fit, to_probabilities
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


def scaled_counts(counts: Any, config: LinearConfig) -> Floats:
    """Counts as features before they are weighed: 1 each, 1 + ln(count), or the counts."""
    import numpy as np

    if config.features == "binary":
        return np.ones(len(counts))
    if config.features == "tfidf" and config.sublinear:
        logarithms: Floats = np.log(counts) + 1
        return logarithms
    return np.array(counts, dtype=np.float64)


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

        prepare_sklearn()
        from sklearn.utils.sparsefuncs_fast import inplace_csr_row_normalize_l2

        weighed = counts.astype(np.float64)
        weighed.data = scaled_counts(weighed.data, config)
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

        scores = []
        offset = 0
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


@dataclass(frozen=True)
class LinearFolds:
    """The classifiers of all folds, alike but for their numbers: rows of any folds together."""

    models: tuple[LinearClassifier, ...]

    @cached_property
    def _factors(self) -> list[Floats]:
        """Of each space: float[folds, terms]."""
        import numpy as np

        by_space = zip(*(model.spaces for model in self.models), strict=True)
        return [np.stack([space.factor for space in spaces]) for spaces in by_space]

    @cached_property
    def _weights(self) -> Floats:
        """float[folds, labels, features]."""
        import numpy as np

        return np.stack([model.weights for model in self.models])

    @cached_property
    def _centred_weights(self) -> Floats:
        import numpy as np

        return np.stack([model.centred_weights for model in self.models])

    def probabilities(self, counts: Sequence[Any], folds: Ints) -> Floats:
        """Those that each row gets from the model of its fold: float[rows, labels]."""
        import numpy as np

        labels = range(len(self.models[0].labels))
        scores = [np.zeros(len(folds)) for _ in labels]
        offset = 0
        for number, in_space in enumerate(counts):
            rows, values = self._weigh(number, in_space, folds)
            fold = folds[rows]
            column = offset + in_space.indices
            for label in labels:
                terms = values * self._weights[fold, label, column]
                scores[label] = np.bincount(rows, terms, len(folds)) + scores[label]
            offset += in_space.shape[1]
        bias = np.stack([model.bias for model in self.models])
        return to_probabilities(np.column_stack(scores) + bias[folds])

    def contributions(
        self, occurrences: Sequence[Occurrences], folds: Ints, targets: Ints
    ) -> tuple[Floats, Floats]:
        """What each occurrence adds to the score of its row's label, and the bias of that label."""
        import numpy as np

        scores = []
        offset = 0
        for number, in_space in enumerate(occurrences):
            values = self._weigh(number, in_space.counts, folds)[1] / in_space.counts.data
            rows = in_space.rows
            column = offset + in_space.columns
            weights = self._centred_weights[folds[rows], targets[rows], column]
            scores.append(values[in_space.entry] * weights)
            offset += in_space.counts.shape[1]
        bias = np.stack([model.centred_bias for model in self.models])
        return np.concatenate(scores), bias[folds, targets]

    def _weigh(self, number: int, counts: Any, folds: Ints) -> tuple[Ints, Floats]:
        """The rows and features of the counts of a space, as ``FeatureSpace.weigh`` gives them."""
        import numpy as np

        config = self.models[0].config
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        factor = self._factors[number][folds[rows], counts.indices]
        values = scaled_counts(counts.data, config) * factor
        if config.features != "counts":
            lengths = np.sqrt(np.bincount(rows, values * values, counts.shape[0]))
            values /= np.where(lengths == 0, 1.0, lengths)[rows]
        return rows, values


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
