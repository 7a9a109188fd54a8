"""Minority groups: the accuracy of a classifier where a feature contradicts the label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from augkit.core.arrays import Flags, Ints


@dataclass(frozen=True)
class MinorityGroup:
    """The accuracy of a classifier on the rows that have a feature.

    Supporting rows have the label associated with the feature, counter-examples another one. An
    accuracy is None where there is no such row.
    """

    supporting: int
    supporting_accuracy: float | None
    counter: int
    counter_accuracy: float | None


def minority_groups(
    occurrences: Any, label: Ints, gold: Ints, predicted: Ints
) -> list[MinorityGroup]:
    """One entry per feature; neither classifier nor features may be fitted on these rows.

    ``occurrences`` is bool[rows, features], sparse; ``label`` int[features]; ``gold`` and
    ``predicted`` int[rows].

    Reference: friedman2022finding.
    """
    import numpy as np

    columns = occurrences.tocsc()
    correct = gold == predicted
    found = []
    for feature, own in enumerate(label):
        rows = columns.indices[columns.indptr[feature] : columns.indptr[feature + 1]]
        supports = gold[rows] == own
        first, second = (_mean(correct[rows[part]]) for part in (supports, ~supports))
        agreeing = int(np.count_nonzero(supports))
        found.append(MinorityGroup(agreeing, first, len(rows) - agreeing, second))
    return found


def _mean(correct: Flags) -> float | None:
    return float(correct.mean()) if len(correct) else None
