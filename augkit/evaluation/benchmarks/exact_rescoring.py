"""Which of two is likelier, cheaply: rounded where they lie far apart, exactly where not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FIRST, _NEXT = 16, 4
"""Pairs scored again: at first enough to see how large errors are, then a few at a time."""

_MARGIN = 2.0
"""A gap of so many times the largest error that was seen is no work of rounding."""


def settled(
    rounded: NDArray[np.float64], exactly: Callable[[Sequence[int]], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """The scores of both sides of each pair, exact where rounding may have turned them round.

    ``exactly`` scores the pairs of given numbers without rounding. It is asked for the nearest
    pairs first, a few at a time, until the next pair lies further apart than twice the largest
    error of a gap so far. How far rounding moves a gap does not depend on how wide it is, so the
    errors of the nearest pairs tell those of the others.
    """
    import numpy as np

    both: NDArray[np.float64] = rounded.copy()
    gaps = rounded[:, 0] - rounded[:, 1]
    nearest = [at for at in np.argsort(np.abs(gaps)).tolist() if not np.isnan(gaps[at])]
    largest = done = 0
    while done < len(nearest):
        near = nearest[done : done + (_NEXT if done else _FIRST)]
        if done and abs(gaps[near[0]]) > _MARGIN * largest:
            break
        both[near] = exactly(near)
        largest = max(largest, np.abs(both[near, 0] - both[near, 1] - gaps[near]).max())
        done += len(near)
    return both
