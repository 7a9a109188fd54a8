"""The lattice of a ragged batch: the cells that the charts of both grammars are over.

A monotone derivation of a pair (a, b) walks the corners (i, j) of an (N+1) x (M+1) grid from
(0, 0) to (N, M). A *cell* is a span of a with a span of b; a *slot* is a cell that one leaf can
fill: w/w, w/empty or empty/w. A sentence is a pair whose target is empty (M = 0), so one
implementation serves both grammars: ``index_plan.py`` orders the cells, ``inside.py`` fills them.

Spans of one side are numbered 0 for the empty span (whatever its position: what it can derive does
not depend on it, so it is stored once), then by width and start. A cell's number is
``base + span_a * spans_b + span_b``; number 0 of each pair, empty with empty, is never derived
and serves as padding. Slots are numbered likewise with spans of width 0 and 1 only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from augkit.core.arrays import Flags, Ints
from augkit.core.errors import DataError

MAX_LENGTH = 255
"""No side may have more words: positions are packed into bytes for the GPU."""


@dataclass(frozen=True)
class Lattice:
    """The sizes of a ragged batch; ``source`` and ``target`` are int64[pairs] lengths."""

    source: Ints
    target: Ints
    cell_base: Ints
    slot_base: Ints
    cells: int
    slots: int

    @property
    def has_targets(self) -> bool:
        """Whether any pair has a target side; sentences have none."""
        return bool(self.target.any())

    @property
    def levels(self) -> int:
        """The largest N + M of the batch."""
        return int((self.source + self.target).max())

    @property
    def tops(self) -> Ints:
        """The cell that spans everything, of each pair: int64[pairs]."""
        spans_b = count_spans(self.target)
        return self.cell_base + (count_spans(self.source) - 1) * spans_b + spans_b - 1


def make_lattice(lengths: Sequence[tuple[int, int]]) -> Lattice:
    """The lattice of a batch of (N, M) lengths; each pair needs two words on one side."""
    sides = np.array(lengths, dtype=np.int64).reshape(-1, 2)
    if not len(sides):
        raise DataError("an empty batch has no derivations: give at least one text")
    if sides.max() > MAX_LENGTH or (sides.max(axis=1) < 2).any():
        raise DataError(
            f"a text needs 2 to {MAX_LENGTH} words on one side to have a derivation; "
            f"this batch has lengths from {sides.min(axis=0)} to {sides.max(axis=0)}"
        )
    source, target = sides.T
    cells = np.cumsum(count_spans(source) * count_spans(target))
    slots = np.cumsum((source + 1) * (target + 1))
    return Lattice(
        source,
        target,
        np.append(0, cells[:-1]),
        np.append(0, slots[:-1]),
        int(cells[-1]),
        int(slots[-1]),
    )


def count_spans(length: Ints) -> Ints:
    """How many spans a side has, the empty one counted once."""
    return 1 + length * (length + 1) // 2


def number_span(start: Ints, width: Ints, length: Ints) -> Ints:
    """The number of a span of a side of this length: 0 for the empty one."""
    before = 1 + ((width - 1) * (2 * length - width + 2) >> 1)
    return (before + start) * (width > 0)


def list_cells(lattice: Lattice) -> tuple[list[Ints], Ints]:
    """All cells of a batch that an internal symbol can span: max(a, b) > 1.

    The columns pair, i, a, j, b (the pair, start and width of the span on each side) are
    int64[cells], by level (a + b), within a level by descending splits. Then where each level
    begins.
    """
    shapes = zip(lattice.source.tolist(), lattice.target.tolist(), strict=True)
    parts = [cells_of(*shape) for shape in shapes]
    i, a, j, b = np.concatenate(parts).T
    pair = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    order = np.lexsort((-count_splits(lattice)[a, b], a + b))
    offsets = np.searchsorted((a + b)[order], np.arange(lattice.levels + 2))
    return [column[order] for column in (pair, i, a, j, b)], offsets


@lru_cache(maxsize=4096)
def cells_of(n: int, m: int) -> Ints:
    """(i, a, j, b) of the cells of one pair: int64[cells, 4]."""
    (i, a), (j, b) = _spans_of(n), _spans_of(m)
    first, second = (grid.ravel() for grid in np.indices((len(i), len(j))))
    columns = np.stack([i[first], a[first], j[second], b[second]], axis=1)
    inner: Ints = columns[columns[:, [1, 3]].max(axis=1) > 1]
    return inner


def _spans_of(length: int) -> tuple[Ints, Ints]:
    """Starts and widths of the spans of a side in the order of their numbers."""
    width = np.repeat(np.arange(1, length + 1), np.arange(length, 0, -1))
    start = [np.arange(length - w + 1) for w in range(1, length + 1)]
    none = np.zeros(1, np.int64)
    return np.concatenate([none, *start]), np.concatenate([none, width])


def count_splits(lattice: Lattice) -> Ints:
    """How many splits into two internal symbols a shape has: int64[a, b]."""
    return _split_table(int(lattice.source.max()), int(lattice.target.max()))[2]


@lru_cache(maxsize=64)
def _split_table(n: int, m: int) -> tuple[Ints, Ints, Ints]:
    """For each shape the (u, v) of its splits into internal symbols, zero-padded, and the count."""
    a, b = (grid[..., None] for grid in np.indices((n + 1, m + 1)))
    u, v = (grid.ravel() for grid in np.indices((n + 1, m + 1)))
    inner = (u <= a) & (v <= b) & (np.maximum(u, v) > 1) & (np.maximum(a - u, b - v) > 1)
    inner &= is_allowed(u, v, a, b)
    count = inner.sum(axis=2)
    first = np.argsort(~inner, axis=2, kind="stable")[..., : max(1, int(count.max()))]
    real = np.take_along_axis(inner, first, axis=2)
    return u[first] * real, v[first] * real, count


def splits_of(lattice: Lattice) -> tuple[Ints, Ints]:
    """The (u, v) of all splits into internal symbols: int64[a, b, most] each, zero-padded."""
    return _split_table(int(lattice.source.max()), int(lattice.target.max()))[:2]


def is_allowed(u: Ints, v: Ints, a: int | Ints, b: int | Ints) -> Flags:
    """Whether a cell (a, b) may be split at (u, v).

    Both parts must be something, and w/empty is never put beside empty/w as the whole cell:
    those two orders and the aligned pair would be one analysis three times.
    """
    allowed: Flags = ~(((u == 0) | (u == a)) & ((v == 0) | (v == b)))
    return allowed
