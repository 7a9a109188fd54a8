"""Index plans for the torch path: which cells each level needs, as gathers without padding waste.

Everything at level d = a + b depends on lower levels only, so a chart takes N + M - 1 steps, for
all pairs of a ragged batch at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from augkit.core.arrays import Ints
from augkit.grammars.charts.batches import to_device
from augkit.grammars.charts.synchronous_cells import (
    Lattice,
    count_spans,
    count_splits,
    is_allowed,
    list_cells,
    number_span,
    splits_of,
)


@dataclass(frozen=True)
class SplitGroup:
    """Rows ``start:stop`` of a level, whose counts of splits differ by less than a factor of two.

    ``left`` and ``right`` are int64[rows, splits]: the cells of the children; padding points at
    cell 0, which derives nothing.
    """

    start: int
    stop: int
    left: torch.Tensor
    right: torch.Tensor


@dataclass(frozen=True)
class ChartLevel:
    """One level: int64[cells] numbers, splits, and the options to put a leaf beside a symbol.

    ``slot`` and ``rest`` are int64[cells, 2 * kinds]: first the leaves on the left, then those on
    the right (numbered from ``lattice.slots`` on, as their folded rules are others). ``row``,
    ``first`` and ``second`` are int64[two leaves]: cells of two leaves and their slots.
    """

    cells: torch.Tensor
    groups: tuple[SplitGroup, ...]
    slot: torch.Tensor
    rest: torch.Tensor
    row: torch.Tensor
    first: torch.Tensor
    second: torch.Tensor


@dataclass(frozen=True)
class ChartPlan:
    """The levels of a batch from 2 words up, and the cell that spans each pair: int64[pairs]."""

    lattice: Lattice
    levels: tuple[ChartLevel, ...]
    tops: torch.Tensor


@dataclass(frozen=True)
class _LevelCells:
    """The cells of one level, with the sizes of their pairs: int64[cells, 1] each."""

    pair_cell: Ints
    pair_slot: Ints
    i: Ints
    a: Ints
    j: Ints
    b: Ints
    n: Ints
    m: Ints

    def cell(self, i: Ints, a: Ints, j: Ints, b: Ints) -> Ints:
        """Numbers of other cells of the same pairs; the arguments are [cells, any]."""
        span_a = number_span(i, a, self.n)
        span_b = number_span(j, b, self.m)
        return self.pair_cell + span_a * count_spans(self.m) + span_b

    def slot(self, i: Ints, j: Ints, kind: Ints) -> Ints:
        """Numbers of slots; ``kind`` is int64[kinds, 2], which sides have a word."""
        on_a, on_b = kind.T
        local: Ints = (i + 1) * on_a * (self.m + 1) + (j + 1) * on_b
        return self.pair_slot + local

    def part(self, rows: slice | Ints) -> _LevelCells:
        """Some of the cells."""
        return _LevelCells(*(column[rows] for column in vars(self).values()))


def make_index_plan(lattice: Lattice, device: torch.device | str = "cpu") -> ChartPlan:
    """The plan of a batch."""
    device = torch.device(device)
    columns, offsets = list_cells(lattice)
    levels = tuple(
        plan_cells(lattice, [column[start:stop] for column in columns], device)
        for start, stop in pairwise(offsets[2:])
        if start < stop
    )
    return ChartPlan(lattice, levels, to_device(lattice.tops, device))


def plan_cells(lattice: Lattice, columns: list[Ints], device: torch.device) -> ChartLevel:
    """The options to fill some cells, given as pair, i, a, j, b by descending number of splits."""
    pair, i, a, j, b = columns
    sizes = [lattice.cell_base, lattice.slot_base, lattice.source, lattice.target]
    base, slot_base, n, m = (column[pair] for column in sizes)
    cells = _LevelCells(*(column[:, None] for column in (base, slot_base, i, a, j, b, n, m)))
    numbers = cells.cell(cells.i, cells.a, cells.j, cells.b)[:, 0]
    groups = _split_groups(cells, lattice, device)
    arrays = *_leaves(cells, lattice), *_two_leaves(cells)
    slot, rest, row, first, second = (to_device(array, device) for array in arrays)
    return ChartLevel(to_device(numbers, device), groups, slot, rest, row, first, second)


def _split_groups(
    cells: _LevelCells, lattice: Lattice, device: torch.device
) -> tuple[SplitGroup, ...]:
    counts = count_splits(lattice)[cells.a[:, 0], cells.b[:, 0]]
    groups = []
    start = 0
    while start < len(counts) and counts[start]:
        stop = int((counts * 2 > counts[start]).sum())
        part = cells.part(slice(start, stop))
        i = part.i
        a = part.a
        j = part.j
        b = part.b
        u, v = (table[a[:, 0], b[:, 0], : int(counts[start])] for table in splits_of(lattice))
        left = part.cell(i, u, j, v)
        right = part.cell(i + u, a - u, j + v, b - v)
        sides = (to_device(side * ((u + v) > 0), device) for side in (left, right))
        groups.append(SplitGroup(start, stop, *sides))
        start = stop
    return tuple(groups)


def _leaves(cells: _LevelCells, lattice: Lattice) -> tuple[Ints, Ints]:
    """Slots and rests of a leaf beside a symbol, on the left and on the right."""
    kind = np.array([[1, 0], [0, 1], [1, 1]] if lattice.has_targets else [[1, 0]])
    u, v = kind.T
    i = cells.i
    a = cells.a
    j = cells.j
    b = cells.b
    rest_a = a - u
    rest_b = b - v
    fits = (np.minimum(rest_a, rest_b) >= 0) & (np.maximum(rest_a, rest_b) > 1)
    fits &= is_allowed(u, v, a, b)
    left_rest = cells.cell(i + u, rest_a, j + v, rest_b) * fits
    right_rest = cells.cell(i, rest_a, j, rest_b) * fits
    left = cells.slot(i, j, kind) * fits
    right = cells.slot(i + rest_a, j + rest_b, kind) * fits + lattice.slots
    return np.concatenate([left, right], 1), np.concatenate([left_rest, right_rest], 1)


_PAIRS_OF_LEAVES = [
    ((1, 0), (1, 0)),
    ((0, 1), (0, 1)),
    ((1, 0), (1, 1)),
    ((1, 1), (1, 0)),
    ((0, 1), (1, 1)),
    ((1, 1), (0, 1)),
    ((1, 1), (1, 1)),
]


def _two_leaves(cells: _LevelCells) -> tuple[Ints, Ints, Ints]:
    """Cells that two leaves fill: their rows in the level, and the two slots."""
    rows, firsts, seconds = ([np.empty(0, np.int64)] for _ in range(3))
    small = np.flatnonzero((cells.a <= 2) & (cells.b <= 2))
    for first, second in _PAIRS_OF_LEAVES if len(small) else ():
        kind = np.array([first, second])
        a, b = kind.sum(0)
        fits = (cells.a == a) & (cells.b == b)
        row = np.flatnonzero(fits)
        part = cells.part(row)
        rows.append(row)
        firsts.append(part.slot(part.i, part.j, kind[:1])[:, 0])
        seconds.append(part.slot(part.i + first[0], part.j + first[1], kind[1:])[:, 0])
    return np.concatenate(rows), np.concatenate(firsts), np.concatenate(seconds)
