"""Rows as numbers, so that many linear classifiers can be trained on parts of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from augkit.commands.fix.reader import Fields
from augkit.core.arrays import Flags, Floats, Ints

Analyzer = Callable[[Fields], list[str]]
_STRENGTH = 0.3
_ALWAYS = "*"
"""A feature of every row: without it, rows without words could not be trained on."""


@dataclass(frozen=True)
class ReaderAnswers:
    """What a classifier says of rows.

    Attributes:
        labels: The label of each row.
        margin: How far it is before the second: float[rows].
    """

    labels: Any
    margin: Floats


class CodedRows:
    """TF-IDF of what an analyzer sees of rows, and their labels.

    The frequencies are those of all rows, tested ones too: they know no label.
    """

    def __init__(self, rows: Sequence[Fields], labels: Sequence[str], analyzer: Analyzer) -> None:
        """Count the features of all rows."""
        import numpy as np
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer(
            analyzer=lambda fields: [*analyzer(fields), _ALWAYS], sublinear_tf=True, min_df=2
        )
        self._features: Any = vectorizer.fit_transform(rows)
        self.labels: Any = np.array(labels)

    def ask(self, trained: Ints, tested: Ints, weights: Floats | None = None) -> ReaderAnswers:
        """Train a linear support vector machine on some rows, and ask it about others."""
        import numpy as np
        from sklearn.svm import LinearSVC

        names = sorted(set(self.labels[trained]))
        if len(names) < 2:
            return ReaderAnswers(np.full(len(tested), names[0]), np.zeros(len(tested)))
        model = LinearSVC(C=_STRENGTH, class_weight="balanced", random_state=0)
        model.fit(self._features[trained], self.labels[trained], sample_weight=weights)
        scores = model.decision_function(self._features[tested])
        if scores.ndim == 1:
            scores = np.stack([-scores, scores], axis=1) / 2
        ranked = np.sort(scores, axis=1)
        return ReaderAnswers(model.classes_[scores.argmax(axis=1)], ranked[:, -1] - ranked[:, -2])

    def is_right(self, tested: Ints, answers: ReaderAnswers) -> Flags:
        """Whether each answer is the row's label: bool[rows]."""
        right: Flags = answers.labels == self.labels[tested]
        return right
