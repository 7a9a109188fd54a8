"""Which of two sentences is likelier: rounded scores where they differ clearly, exact otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from augkit.core.arrays import Floats

_FIRST, _NEXT = 16, 4
"""Pairs rescored: at first enough to see how large errors are, then a few at a time."""

_MARGIN = 2.0
"""A gap of this many times the largest error so far is not due to rounding."""


def rescore_close_pairs(rounded: Floats, exactly: Callable[[Sequence[int]], Floats]) -> Floats:
    """The scores of both sides of each pair, exact where rounding may have reversed their order.

    ``exactly`` scores pairs, given by index, without rounding. It is called for the closest pairs
    first, a few at a time, until the next pair differs by more than twice the largest error of a
    gap so far. The error of a gap does not depend on its size, so the errors of the closest pairs
    are those of the others.
    """
    import numpy as np

    both: Floats = rounded.copy()
    gaps = rounded[:, 0] - rounded[:, 1]
    closest = [index for index in np.argsort(np.abs(gaps)).tolist() if not np.isnan(gaps[index])]
    largest = done = 0
    while done < len(closest):
        near = closest[done : done + (_NEXT if done else _FIRST)]
        if done and abs(gaps[near[0]]) > _MARGIN * largest:
            break
        both[near] = exactly(near)
        largest = max(largest, np.abs(both[near, 0] - both[near, 1] - gaps[near]).max())
        done += len(near)
    return both
