"""What a bias model sees of a row: one field of a pair, or words that predict the label.

A hypothesis should not decide the label without the premise, nor a single word that of a text.
Which field, or which words, can be given or found in the training rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from augkit.core.errors import ConfigError
from augkit.core.types import Example
from augkit.models.classifiers.labels import class_labels, label_indices
from augkit.models.classifiers.linear import LinearClassifier, train_linear
from augkit.models.classifiers.ngrams import count_ngrams, tokens_of
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.ensembles.crossfit import EnsembleConfig, train_crossfitted
from augkit.text.features.document_counts import label_counts
from augkit.text.features.statistics import corrected, p_values, z_scores

_ALPHA = 0.05
_SAMPLE = 3_000
"""Rows that are enough to see which of two fields predicts the label better."""


@dataclass(frozen=True)
class BiasView:
    """What a bias model sees of a row: one field, or some words of all fields.

    Attributes:
        field: Name of the field, or None.
        words: The words, where there is no field.
    """

    field: str | None = None
    words: tuple[str, ...] = ()

    def __call__(self, examples: Sequence[Example]) -> list[Example]:
        """The rows as the bias model reads them.

        >>> from augkit.core.types import example
        >>> BiasView(words=("never",))([example("She never wore it.")])[0].fields["text"]
        'never'
        """
        return [
            Example(self._seen(row), row.label, row.id, row.columns, row.fault) for row in examples
        ]

    def record(self) -> dict[str, Any]:
        """As plain values."""
        return {"field": self.field, "words": list(self.words)}

    def __str__(self) -> str:
        """For messages."""
        if self.field is not None:
            return f"the field '{self.field}' alone"
        shown = ", ".join(self.words[:5]) + (" ..." if self.words[5:] else "")
        return f"{len(self.words)} words alone ({shown})"

    def _seen(self, row: Example) -> dict[str, str]:
        if self.field is not None:
            if self.field not in row.fields:
                raise ConfigError(
                    f"the rows have no field '{self.field}': they have {', '.join(row.fields)}"
                )
            return {self.field: row.fields[self.field]}
        seen_words = frozenset(self.words)
        return {
            name: " ".join(token.word for token in tokens_of(text) if token.word in seen_words)
            for name, text in row.fields.items()
        }


def find_view(examples: Sequence[Example], most_words: int) -> BiasView:
    """For pairs the field that alone predicts the label best; for single texts predictive words."""
    fields = tuple(examples[0].fields)
    if len(fields) > 1:
        return BiasView(field=max(fields, key=lambda name: _field_accuracy(examples, name)))
    return BiasView(words=predictive_words(examples, most_words))


def predictive_words(examples: Sequence[Example], most: int) -> tuple[str, ...]:
    """The words most associated with a label, of those significant after Holm's correction (5 %).

    Shortcuts and words that decide the label legitimately are both found. Give the words where
    you know them.
    """
    import numpy as np

    labels = class_labels(examples)
    counted = count_ngrams(examples, 1, 2)
    # The last space is that of all fields together.
    present = (counted.counts[-1] > 0).astype(np.int64)
    numbers = label_indices(examples, labels)
    counts, totals = label_counts(present, numbers, len(labels)), np.bincount(numbers)
    chance = corrected(p_values(counts, totals), "holm").min(axis=1)
    strength = np.where(chance <= _ALPHA, z_scores(counts, totals).max(axis=1), -np.inf)
    order = np.argsort(-strength, kind="stable")[:most]
    terms = counted.vocabularies[-1].terms
    words = tuple(terms[index] for index in order.tolist() if strength[index] > 0)
    if not words:
        raise ConfigError(
            f"no word of the {len(examples)} rows is significantly associated with a label, so "
            "there is no bias to train against. Give words, or train without --robust"
        )
    return words


def fit_bias_model(
    examples: Sequence[Example], view: BiasView, config: LinearConfig
) -> tuple[LinearClassifier, Any]:
    """A linear model of the bias alone, and its features: sparse float[rows, features]."""
    seen = view(examples)
    model = train_linear(seen, config)
    return model, model.features(seen)


def _field_accuracy(examples: Sequence[Example], field: str) -> float:
    """Held-out accuracy of a classifier that sees one field."""
    rows = BiasView(field=field)(sorted(examples, key=lambda row: row.id)[:_SAMPLE])
    members = (LinearConfig(iterations=100),)
    config = EnsembleConfig(members=members, folds=3, group_column=None)
    fitted = train_crossfitted(rows, config, f"classifier of the field '{field}'")
    return fitted.held_out[0].accuracy
