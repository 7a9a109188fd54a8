"""Does a classifier know what it does not know? Confidence on familiar against foreign rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from augkit.core.errors import DataError
from augkit.core.types import Score
from augkit.evaluation.statistics.intervals import keyed_generator, percentile_score
from augkit.evaluation.statistics.significance import Difference, bootstrap_p

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_DRAWS = 2_000
_CELLS = 2_000_000
"""Counts held at once; the draws come in blocks of so many."""


def confidence_auroc(inside: Floats, outside: Floats) -> Score:
    """How well the greatest probability tells familiar rows from foreign ones: AUROC.

    ``inside`` and ``outside`` are probabilities float[rows, labels] of rows of the distribution the
    classifier was trained on and of another; see ``auroc``. 1: always surer at home, ½: no sign.

    Reference: hendrycks2017baseline.
    """
    return auroc("ood_auroc", inside.max(axis=1).tolist(), outside.max(axis=1).tolist())


def confidence_difference(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], seed: int = 0
) -> Difference:
    """How far two classifiers' ``confidence_auroc`` lie apart, second minus first.

    Each gives probabilities of the same familiar and of the same foreign rows; both kinds of rows
    are resampled, for both classifiers alike.
    """
    import numpy as np

    sides = [[side.max(axis=1) for side in (one[0], one[1])] for one in (first, second)]
    rows = [len(side) for side in sides[0]]
    if not all(rows):
        raise DataError("ood_auroc: rows of both kinds are needed")
    whole = [np.ones((1, count)) for count in rows]
    value = float((_weighted(sides[1], *whole) - _weighted(sides[0], *whole))[0])
    drawn = np.concatenate(
        [
            _weighted(sides[1], *both) - _weighted(sides[0], *both)
            for both in _resampled([one[0] for one in whole], seed, "ood_auroc difference")
        ]
    )
    score = percentile_score("ood_auroc difference", value, drawn, sum(rows), (-1.0, 1.0))
    return Difference("ood_auroc", score, bootstrap_p(drawn))


def _weighted(sides: Sequence[Floats], inside: Floats, outside: Floats) -> Floats:
    """The area for each draw of how often each row comes up: float[draws, rows] on each side."""
    import numpy as np

    values, place = np.unique(np.concatenate(sides), return_inverse=True)
    cut = len(sides[0])
    counted = []
    for weights, places in ((inside, place[:cut]), (outside, place[cut:])):
        sums = np.zeros((len(weights), len(values)))
        np.add.at(sums.T, places, weights.T)
        counted.append(sums)
    return _areas(*counted)


def auroc(name: str, positive: Sequence[float], negative: Sequence[float], seed: int = 0) -> Score:
    """The area under the ROC curve: the chance that a positive scores above a negative.

        A = (1/nm) · Σ_i Σ_j ( [p_i > q_j] + ½ [p_i = q_j] )

    The interval is a bootstrap that resamples both sides.

    >>> auroc("a", [0.9, 0.8, 0.5], [0.5, 0.1]).value
    0.9166666666666666
    """
    import numpy as np

    if not positive or not negative:
        raise DataError(f"{name}: rows of both kinds are needed")
    values = np.unique([*positive, *negative])
    sides = [
        np.bincount(np.searchsorted(values, side), minlength=len(values)).astype(np.float64)
        for side in (positive, negative)
    ]
    value = float(_areas(sides[0][None], sides[1][None])[0])
    n = len(positive) + len(negative)
    drawn = np.concatenate([_areas(*both) for both in _resampled(sides, seed, name)])
    fewer = min(len(positive), len(negative))
    return replace(percentile_score(name, value, drawn, fewer, (0.0, 1.0)), n=n)


def _areas(positive: Floats, negative: Floats) -> Floats:
    """The area for each draw of counts by rising value: float[draws, values] each."""
    import numpy as np

    below = np.cumsum(negative, axis=1) - negative / 2
    pairs = positive.sum(axis=1) * negative.sum(axis=1)
    return np.asarray((positive * below).sum(axis=1) / pairs)


def _resampled(sides: Sequence[Floats], seed: int, name: str) -> Iterator[tuple[Floats, Floats]]:
    """Counts of resampled rows of both sides, in blocks of draws."""
    generator = keyed_generator(seed, name, *(str(side.sum()) for side in sides))
    block = max(1, min(_DRAWS, _CELLS // len(sides[0])))
    for start in range(0, _DRAWS, block):
        size = min(block, _DRAWS - start)
        first, second = (
            generator.multinomial(int(side.sum()), side / side.sum(), size=size).astype(float)
            for side in sides
        )
        yield first, second
