"""A model that sees one view of the rows, and what can be done with what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from augkit.commands.fix.linear_rows import CodedRows
from augkit.commands.fix.reader import balanced_accuracy
from augkit.core.arrays import Flags, Floats, Ints

_THIRDS = 3
_CAP = 5.0
"""What a row counts at most."""
_STEP = 0.07
"""Share of the rows that a round of AFLite leaves out."""
_OVER = 0.05
"""Over guessing, balanced: where AFLite ends."""
_LEAST = 0.5
"""Share of the rows that it keeps at least."""


@dataclass(frozen=True)
class Blind:
    """What a model that sees one view says of each row, trained without it.

    Attributes:
        labels: What it says.
        margin: How sure it is.
        right: Whether that is the label.
        accuracy: Balanced.
    """

    labels: Any
    margin: Floats
    right: Flags
    accuracy: float


def cross_fit(coded: CodedRows, numbers: Ints, folds: Ints) -> Blind:
    """Predict every one of some rows by a model of those in the other folds."""
    import numpy as np

    labels = coded.labels[numbers]
    said = labels.copy()
    margin = np.zeros(len(numbers))
    for fold in np.unique(folds):
        held = np.flatnonzero(folds == fold)
        seen = np.flatnonzero(folds != fold)
        answers = coded.ask(numbers[seen], numbers[held])
        said[held] = answers.labels
        margin[held] = answers.margin
    right: Flags = said == labels
    return Blind(said, margin, right, balanced_accuracy(right, list(labels)))


def cell_weights(cells: Any, labels: Any) -> Floats:
    """What each row counts so that its cell says nothing of the label: float[rows], of mean 1.

    w = P(y) / P(y | cell), at most 5
    """
    import numpy as np

    weights = np.ones(len(labels))
    for label in np.unique(labels):
        is_label = labels == label
        share = is_label.mean()
        for cell in np.unique(cells):
            own = (cells == cell) & is_label
            if own.any():
                weights[own] = min(_CAP, share * (cells == cell).sum() / own.sum())
    return np.asarray(weights / weights.mean())


def blind_cells(blind: Blind) -> Any:
    """What the blind model says of each row, and in which third it is of how sure it is."""
    import numpy as np

    bounds = np.quantile(blind.margin, [third / _THIRDS for third in range(1, _THIRDS)])
    answers = np.unique(blind.labels, return_inverse=True)[1]
    return _THIRDS * answers + np.searchsorted(bounds, blind.margin)


def filter_rows(coded: CodedRows, numbers: Ints, folds: Sequence[Ints]) -> Ints:
    """Leave out what the blind model tells most surely, until it hardly tells the rest.

    AFLite (Le Bras et al., 2020) with one linear model a round, in place of many on random parts.

    Args:
        coded: What the blind model sees.
        numbers: The rows that it may choose from.
        folds: For each round, the fold of every one of these rows.
    """
    import numpy as np

    places = np.arange(len(numbers))
    least = _LEAST * len(numbers)
    labels = len(np.unique(coded.labels[numbers]))
    for of_row in folds:
        blind = cross_fit(coded, numbers[places], of_row[places])
        leaving = min(round(_STEP * len(places)), int(blind.right.sum()))
        if blind.accuracy <= 1 / labels + _OVER or len(places) - leaving < least:
            break
        surely = np.where(blind.right, blind.margin, -np.inf)
        gone = np.argsort(-surely, kind="stable")[:leaving]
        places = np.delete(places, gone)
    return numbers[places]
