"""The classifier of the proofs, and balanced accuracy.

It reads words, pairs of words and the form of a text, so that it can rely on whatever ``check``
counts. It never chose a cue: those are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

from augkit.core.arrays import Flags, Floats
from augkit.core.types import Example
from augkit.text.features.kinds import formats, lowered_words

Fields = Mapping[str, str]
_STRENGTH = 10.0
_STEPS = 200


def text_features(text: str) -> list[str]:
    """The words, pairs of words and forms of a text.

    >>> text_features("So it is!")[:5]
    ['so', 'it', 'is', 'so it', 'it is']
    """
    words = lowered_words(text)
    pairs = [f"{first} {second}" for first, second in pairwise(words)]
    forms = [f"form: {name}" for name in formats(text)]
    return [*words, *pairs, *forms]


def row_features(fields: Fields) -> list[str]:
    """The features of all texts of a row; each knows its field where there are several."""
    if len(fields) == 1:
        return text_features(next(iter(fields.values())))
    return [f"{name}: {found}" for name, text in fields.items() for found in text_features(text)]


class Reader:
    """TF-IDF of what ``row_features`` gives, and a logistic regression with balanced labels."""

    def __init__(
        self,
        rows: Sequence[Fields],
        labels: Sequence[str],
        weights: Floats | None = None,
        analyzer: Any = row_features,
    ) -> None:
        """Train on rows; ``weights`` says what each counts."""
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        self._vectorizer = TfidfVectorizer(analyzer=analyzer, sublinear_tf=True, min_df=1)
        self._model = LogisticRegression(C=_STRENGTH, max_iter=_STEPS, class_weight="balanced")
        self._model.fit(self._vectorizer.fit_transform(rows), labels, sample_weight=weights)

    def predict(self, rows: Sequence[Fields]) -> list[str]:
        """The labels of rows."""
        return list(self._model.predict(self._vectorizer.transform(rows))) if rows else []

    def probabilities(self, rows: Sequence[Fields]) -> tuple[list[str], Floats]:
        """The labels, and the probability of each: float[rows, labels]."""
        scores = self._model.predict_proba(self._vectorizer.transform(rows))
        return list(self._model.classes_), scores


def is_right(predicted: Sequence[str], rows: Sequence[Example]) -> Flags:
    """Whether each label is the row's: bool[rows]."""
    import numpy as np

    return np.array([name == row.label for name, row in zip(predicted, rows, strict=True)])


def balanced_accuracy(right: Flags, labels: Sequence[str]) -> float:
    """The mean over labels of the share of their rows that was right.

    >>> import numpy as np
    >>> balanced_accuracy(np.array([True, True, True, False]), ["a", "a", "a", "b"])
    0.5
    """
    return _balanced_mean(right.astype(float), labels)


def balanced_difference(before: Flags, after: Flags, labels: Sequence[str]) -> tuple[float, float]:
    """The difference in balanced accuracy on the same rows, and its standard error."""
    import numpy as np

    changes = after.astype(float) - before.astype(float)
    names = np.array(labels)
    kinds = sorted(set(labels))
    variance = 0.0
    for kind in kinds:
        of_kind = changes[names == kind]
        spread = float(of_kind.var(ddof=1)) if len(of_kind) > 1 else 1.0
        variance += spread / len(of_kind)
    return _balanced_mean(changes, labels), sqrt(variance) / len(kinds)


def _balanced_mean(values: Floats, labels: Sequence[str]) -> float:
    import numpy as np

    names = np.array(labels)
    means = [float(values[names == kind].mean()) for kind in sorted(set(labels))]
    return sum(means) / len(means) if means else 0.0
