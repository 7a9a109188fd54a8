"""Mutual information of features and labels, on the selection rows and on held-out rows.

The best of a million features look good by chance alone. So rows are split: features are selected
on one part, and tested on the other. The number of tests is then the number of features selected,
and Holm's correction is for that number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from augkit.core.arrays import Flags, Floats, Ints
from augkit.text.features.document_counts import label_counts
from augkit.text.features.statistics import corrected, p_values


@dataclass(frozen=True)
class LabelledRows:
    """The labels of all rows, and which rows are held out from selection."""

    names: tuple[str, ...]
    numbers: Ints
    """int[rows]"""
    held_out: Flags
    """bool[rows]"""

    def totals(self, part: Flags) -> Ints:
        """Rows of each label in a part: int[labels]."""
        import numpy as np

        return np.bincount(self.numbers[part], minlength=len(self.names))

    def counts(self, occurrences: Any, part: Flags) -> Ints:
        """Rows of each label in a part that have each feature: int[features, labels]."""
        import numpy as np

        rows = np.flatnonzero(part)
        return label_counts(occurrences[rows], self.numbers[rows], len(self.names))


@dataclass(frozen=True)
class FeatureStatistics:
    """Statistics of features, one entry each; ``label`` is the label a feature is associated with.

    ``counts`` and ``held_counts`` are int[features, labels], rows of the selection part and of
    the held-out part that have the feature. ``p_value`` is the probability of so large a share on
    the held-out part if feature and label were independent, ``corrected`` the same after Holm's
    correction.
    """

    label: Ints
    counts: Ints
    information: Floats
    held_counts: Ints
    held_information: Floats
    p_value: Floats
    corrected: Floats

    def __len__(self) -> int:
        """The number of features."""
        return len(self.label)

    def share(self, *, held_out: bool = False) -> Floats:
        """The share of its label among the rows that have a feature; NaN where none has."""
        import numpy as np

        counts = self.held_counts if held_out else self.counts
        agreeing = counts[np.arange(len(counts)), self.label].astype(float)
        rows = counts.sum(axis=1)
        shares = np.divide(agreeing, rows, out=np.full(len(rows), np.nan), where=rows > 0)
        return np.asarray(shares)


def mutual_information(present: Ints, totals: Ints) -> Floats:
    """I(Z; Y) in nats of the label and the presence of a feature: float[features].

        I(Z; Y) = Σ_z Σ_y p(y, z) log( p(y, z) / (p(y) p(z)) ),   p(y, z) ∝ 1 + count(y, z)

    ``present`` is int[features, labels], the rows that have the feature; ``totals`` int[labels],
    all rows. The added one keeps a feature of a single row from seeming certain of its label.

    Reference: friedman2022finding.

    >>> import numpy as np
    >>> mutual_information(np.array([[0, 5], [5, 5]]), np.array([10, 10])).round(3).tolist()
    [0.114, 0.0]
    """
    import numpy as np

    joint = np.stack([totals - present, present], axis=1) + 1.0  # [features, z, labels]
    joint /= joint.sum(axis=(1, 2), keepdims=True)
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=2, keepdims=True)
    return np.asarray((joint * np.log(joint / independent)).sum(axis=(1, 2)))


def associated_label(present: Ints, totals: Ints) -> Ints:
    """The label under which a feature is most frequent: int[features].

    For labels of equal size this is the majority label of the paper; where one label has most of
    the rows, the majority would be that label for nearly every feature.

    >>> import numpy as np
    >>> associated_label(np.array([[6, 5]]), np.array([90, 10])).tolist()
    [1]
    """
    import numpy as np

    return np.asarray((present / np.maximum(totals, 1)).argmax(axis=1))


def feature_statistics(
    occurrences: Any, labelled: LabelledRows, label: Ints | None = None
) -> FeatureStatistics:
    """Statistics of the features in the columns of a sparse boolean matrix [rows, features].

    ``label`` is the label of each feature where it is given; otherwise it is the one associated
    with it on the selection rows.
    """
    import numpy as np

    held = labelled.held_out
    totals = labelled.totals(~held)
    held_totals = labelled.totals(held)
    counts, held_counts = (labelled.counts(occurrences, part) for part in (~held, held))
    label = associated_label(counts, totals) if label is None else label
    p_value = p_values(held_counts, held_totals)[np.arange(len(label)), label]
    return FeatureStatistics(
        label=label,
        counts=counts,
        information=mutual_information(counts, totals),
        held_counts=held_counts,
        held_information=mutual_information(held_counts, held_totals),
        p_value=p_value,
        corrected=corrected(p_value, "holm") if len(p_value) else p_value,
    )
