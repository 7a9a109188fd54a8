"""Pearson's correlation of true and predicted numbers, for labels that are numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from augkit.core.errors import DataError
from augkit.core.types import PredictedPair, Score
from augkit.evaluation.statistics.intervals import bootstrap_counts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def pearson(pairs: Sequence[PredictedPair]) -> list[Score]:
    """The linear correlation of true and predicted labels, both read as numbers (1 to 5 stars).

        r = Σ (y - ȳ)(ŷ - ŷ̄) / √( Σ (y - ȳ)² · Σ (ŷ - ŷ̄)² )

    0 where either never varies. Bootstrap interval over rows. Labels that are no numbers are
    refused: the order of "entailment" and "neutral" means nothing.

    >>> rows = [PredictedPair(label, gold=label) for label in "1234"]
    >>> pearson(rows)[0].value
    1.0
    """
    import numpy as np

    cells = Counter(
        (number_of(pair.gold), number_of(pair.original)) for pair in pairs if pair.gold is not None
    )
    if not cells:
        raise DataError("pearson: no row has a true label to hold the predicted one against")
    gold, said = (np.array(column) for column in zip(*cells, strict=True))
    return [
        bootstrap_counts(
            "pearson",
            list(cells.values()),
            lambda drawn: pearson_statistic(drawn, gold, said),
            (-1.0, 1.0),
        )
    ]


def pearson_statistic(drawn: Floats, gold: Floats, said: Floats) -> Floats:
    """The correlation of each draw, where each kind of row comes up as often as told."""
    import numpy as np

    n = drawn.sum(axis=1)
    x, y = drawn @ gold / n, drawn @ said / n
    both = drawn @ (gold * said) / n - x * y
    spread = (drawn @ gold**2 / n - x**2) * (drawn @ said**2 / n - y**2)
    below = np.sqrt(np.maximum(spread, 0.0))
    found = np.divide(both, below, out=np.zeros_like(both), where=below > 1e-12)
    return np.asarray(np.clip(found, -1, 1))  # rounding may lead past the ends


def number_of(label: str | None) -> float:
    """The number that a label is.

    >>> number_of("3.5")
    3.5
    """
    try:
        return float(str(label))
    except ValueError:
        raise DataError(
            f"pearson: the label '{label}' is no number. It is for labels on a scale (stars, "
            "grades); for classes ask for accuracy, macro-f1 or matthews"
        ) from None
