"""Does a classifier lean on a feature? Its accuracy where the feature is right, and where not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Minority:
    """A classifier on the rows that hold a feature.

    Supporting rows have the label that the feature gives away, counter-examples another one. An
    accuracy is None where there is no such row.
    """

    supporting: int
    supporting_accuracy: float | None
    counter: int
    counter_accuracy: float | None


def minorities(occurrences: Any, label: Ints, gold: Ints, predicted: Ints) -> list[Minority]:
    """One entry a feature; rows must be ones that neither classifier nor features were made of.

    ``occurrences`` is bool[rows, features], sparse; ``label`` int[features]; ``gold`` and
    ``predicted`` int[rows].

    Reference: friedman2022finding.
    """
    import numpy as np

    columns = occurrences.tocsc()
    right = gold == predicted
    found = []
    for feature, own in enumerate(label):
        rows = columns.indices[columns.indptr[feature] : columns.indptr[feature + 1]]
        supports = gold[rows] == own
        accuracies = (_mean(right[rows[part]]) for part in (supports, ~supports))
        first, second = accuracies
        agreeing = int(np.count_nonzero(supports))
        found.append(Minority(agreeing, first, len(rows) - agreeing, second))
    return found


def _mean(right: Flags) -> float | None:
    return float(right.mean()) if len(right) else None
