"""Between classifiers and metrics: probabilities to labels, scores to plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from augkit.data import Example, Score
from augkit.protocols import Classifier


def answered(classifier: Classifier, examples: Sequence[Example]) -> list[str]:
    """The most probable label of each example; among equals the first of the classifier's."""
    chosen = classifier.predict(examples).argmax(axis=1)
    return [classifier.labels[number] for number in chosen.tolist()]


def plain(score: Score) -> dict[str, Any]:
    """A score for JSON."""
    return {"value": score.value, "low": score.low, "high": score.high, "n": score.n}
