"""Scores of the table of true and predicted labels: macro-F1 and Matthews' coefficient."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from augkit.core.errors import DataError
from augkit.core.types import PredictedPair, Score
from augkit.evaluation.statistics.intervals import bootstrap_counts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Statistic = Callable[["Floats", "Floats", "Floats"], "Floats"]
"""From right, true and predicted counts, each float[draws, labels], to float[draws]."""


def macro_f1(pairs: Sequence[PredictedPair]) -> list[Score]:
    """The mean over labels of F1, so that a rare label counts as much as a common one.

        F1_c = 2 · TP_c / (true_c + predicted_c),   macro-F1 = (1/|C|) Σ_{c∈C} F1_c

    C is the labels that occur as true or as predicted. Bootstrap interval over rows.

    >>> rows = [PredictedPair("a", gold="a"), PredictedPair("a", gold="b")]
    >>> round(macro_f1(rows)[0].value, 4)
    0.3333
    """
    return [_score("macro_f1", pairs, mean_f1, (0.0, 1.0))]


def matthews(pairs: Sequence[PredictedPair]) -> list[Score]:
    """Matthews' correlation of true and predicted labels, of two labels or more.

        R = (s · Σ TP_c - Σ true_c · predicted_c) / √( (s² - Σ predicted_c²) (s² - Σ true_c²) )

    s is the number of rows; 1 is always right, 0 no better than a constant answer (which makes the
    root 0, and R by convention too). Bootstrap interval over rows.

    References: matthews1975comparison, gorodkin2004comparing.

    >>> rows = [PredictedPair(label, gold=label) for label in "abab"]
    >>> matthews(rows)[0].value
    1.0
    """
    return [_score("matthews", pairs, correlation, (-1.0, 1.0))]


def mean_f1(right: Floats, true: Floats, predicted: Floats) -> Floats:
    """Macro-F1 of each draw, over the labels that occur in it."""
    import numpy as np

    both = true + predicted
    f1 = 2 * right / np.maximum(both, 1)
    return np.asarray(f1.sum(axis=1) / (both > 0).sum(axis=1))


def correlation(right: Floats, true: Floats, predicted: Floats) -> Floats:
    """Matthews' coefficient of each draw."""
    import numpy as np

    rows = true.sum(axis=1)
    above = rows * right.sum(axis=1) - (true * predicted).sum(axis=1)
    spread = [rows**2 - (counts**2).sum(axis=1) for counts in (true, predicted)]
    below = np.sqrt(spread[0] * spread[1])
    found = np.divide(above, below, out=np.zeros_like(below), where=below > 0)
    return np.asarray(np.clip(found, -1, 1))  # rounding may lead past the ends


def _score(
    name: str, pairs: Sequence[PredictedPair], statistic: Statistic, bounds: tuple[float, float]
) -> Score:
    import numpy as np

    cells = Counter((str(pair.gold), pair.original) for pair in pairs if pair.gold is not None)
    if not cells:
        raise DataError(f"{name}: no row has a true label to hold the predicted one against")
    kinds = sorted(cells)
    labels = sorted({label for kind in kinds for label in kind})
    true = np.array([[gold == label for label in labels] for gold, _ in kinds], dtype=np.float64)
    said = np.array([[told == label for label in labels] for _, told in kinds], dtype=np.float64)
    return bootstrap_counts(
        name,
        [cells[kind] for kind in kinds],
        lambda drawn: statistic(drawn @ (true * said), drawn @ true, drawn @ said),
        bounds,
    )
