"""The predictions of a classifier in the form that metrics score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from augkit.core.arrays import Floats
from augkit.core.protocols import Classifier
from augkit.core.results import PredictedPair
from augkit.core.types import Example, Pair

_PAIR = "pair_id"
"""The column that an original and its counterfactuals share."""
_BREAKDOWN_COLUMNS = ("group", "shortcut")


@dataclass(frozen=True)
class RecordingClassifier:
    """A classifier that keeps the label of every row it predicts."""

    inner: Classifier
    given: dict[str, str] = field(default_factory=dict)
    """Id of a row → the predicted label."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the columns of ``predict``."""
        return self.inner.labels

    def predict(self, examples: Sequence[Example]) -> Floats:
        """The probabilities of the inner classifier."""
        found = self.inner.predict(examples)
        for row, number in zip(examples, found.argmax(axis=1).tolist(), strict=True):
            self.given[row.id] = self.labels[number]
        return found


def predicted_labels(classifier: Classifier, examples: Sequence[Example]) -> list[str]:
    """The most probable label of each example; among equals the first of the classifier's."""
    if not examples:
        return []
    chosen = classifier.predict(examples).argmax(axis=1)
    return [classifier.labels[number] for number in chosen.tolist()]


def row_predictions(classifier: Classifier, rows: Sequence[Example]) -> list[PredictedPair]:
    """The prediction for every row, with its columns ``group`` and ``shortcut``."""
    return [
        PredictedPair(label, gold=row.label, row=row.id, about=_about(row))
        for label, row in zip(predicted_labels(classifier, rows), rows, strict=True)
    ]


def counterfactual_predictions(
    classifier: Classifier, rows: Sequence[Example]
) -> list[PredictedPair]:
    """The predictions for both members of every counterfactual pair.

    Rows with the same ``pair_id`` belong together: the first is the original, the others are its
    counterfactuals.
    """
    paired = [row for row in rows if row.columns.get(_PAIR)]
    originals: dict[str, PredictedPair] = {}
    found = []
    for row, own in zip(paired, row_predictions(classifier, paired), strict=True):
        original = originals.setdefault(str(row.columns[_PAIR]), own)
        if original is not own:
            found.append(replace(original, variant=own.original, variant_gold=own.gold))
    return found


def pair_predictions(classifier: Classifier, pairs: Sequence[Pair]) -> list[PredictedPair]:
    """The predictions for every variant and its row; no other row is predicted."""
    rows = {pair.original.id: pair.original for pair in pairs}
    originals = dict(zip(rows, predicted_labels(classifier, list(rows.values())), strict=True))
    variants = predicted_labels(classifier, [pair.variant for pair in pairs])
    return [
        PredictedPair(
            originals[pair.original.id],
            label,
            pair.original.label,
            pair.variant.label,
            pair.original.id,
            pair.provenance.about,
        )
        for pair, label in zip(pairs, variants, strict=True)
    ]


def _about(row: Example) -> dict[str, str]:
    return {
        name: str(row.columns[name])
        for name in _BREAKDOWN_COLUMNS
        if row.columns.get(name) is not None
    }
