"""Index plans for the torch path: which cells each level needs, as gathers without padding waste.

Everything at level d = a + b depends on lower levels only, so a chart takes N + M - 1 steps, for
all pairs of a ragged batch at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from augkit.grammars.charts.batches import move
from augkit.grammars.charts.lattice import (
    Cells,
    Lattice,
    count_spans,
    count_splits,
    is_allowed,
    list_cells,
    number_span,
    splits_of,
)

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Group:
    """Rows ``start:stop`` of a level, whose counts of splits differ by less than a factor of two.

    ``left`` and ``right`` are int64[rows, splits]: the cells of the children; padding points at
    cell 0, which derives nothing.
    """

    start: int
    stop: int
    left: torch.Tensor
    right: torch.Tensor


@dataclass(frozen=True)
class Level:
    """One level: int64[cells] numbers, splits, and the ways to put a leaf beside a symbol.

    ``slot`` and ``rest`` are int64[cells, 2 * kinds]: first the leaves on the left, then those on
    the right (numbered from ``lattice.slots`` on, as their folded rules are others). ``row``,
    ``first`` and ``second`` are int64[two leaves]: cells of two leaves and their slots.
    """

    cells: torch.Tensor
    groups: tuple[Group, ...]
    slot: torch.Tensor
    rest: torch.Tensor
    row: torch.Tensor
    first: torch.Tensor
    second: torch.Tensor


@dataclass(frozen=True)
class Plan:
    """The levels of a batch from 2 words up, and the cell that spans each pair: int64[pairs]."""

    lattice: Lattice
    levels: tuple[Level, ...]
    tops: torch.Tensor


@dataclass(frozen=True)
class _Places:
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
        span_a, span_b = number_span(i, a, self.n), number_span(j, b, self.m)
        return self.pair_cell + span_a * count_spans(self.m) + span_b

    def slot(self, i: Ints, j: Ints, kind: Ints) -> Ints:
        """Numbers of slots; ``kind`` is int64[kinds, 2], which sides have a word."""
        on_a, on_b = kind.T
        local: Ints = (i + 1) * on_a * (self.m + 1) + (j + 1) * on_b
        return self.pair_slot + local

    def part(self, rows: slice | Ints) -> _Places:
        """Some of the cells."""
        return _Places(*(column[rows] for column in vars(self).values()))


@dataclass(frozen=True)
class Rule:
    """Which derivations are left out: those the paper's code loses, those through some corners."""

    published: bool = False
    kept: NDArray[np.bool_] | None = None

    def allows(self, places: _Places, u: Ints, v: Ints) -> NDArray[np.bool_]:
        """Whether cells may be split at (u, v): [cells, ways]; with an empty side they may."""
        import numpy as np

        if self.kept is None:
            return np.ones((1, 1), np.bool_)
        i, j = places.i + u, places.j + v
        corner = np.clip(places.pair_slot + i * (places.m + 1) + j, 0, len(self.kept) - 1)
        allowed: NDArray[np.bool_] = (places.a == 0) | (places.b == 0) | self.kept[corner]
        return allowed


def make_plan(
    lattice: Lattice,
    device: torch.device | str = "cpu",
    *,
    published: bool = False,
    kept: NDArray[np.bool_] | None = None,
) -> Plan:
    """The plan of a batch.

    ``published`` leaves out what the slicing fault of the paper's code leaves out: a leaf on the
    left of a symbol where the source span is empty. ``kept`` are the corners that are not pruned
    (see ``prune``).
    """
    import torch

    device = torch.device(device)
    rule = Rule(published, kept)
    cells = list_cells(lattice, kept)
    levels = tuple(
        _plan_level(lattice, cells, level, device, rule)
        for level in range(2, lattice.levels + 1)
        if cells.offsets[level] < cells.offsets[level + 1]
    )
    return Plan(lattice, levels, move(lattice.tops, device))


def _plan_level(
    lattice: Lattice, cells: Cells, level: int, device: torch.device, rule: Rule
) -> Level:
    part = slice(*cells.offsets[level : level + 2])
    columns = [cells.pair, cells.i, cells.a, cells.j, cells.b]
    return plan_cells(lattice, [column[part] for column in columns], device, rule)


def plan_cells(lattice: Lattice, columns: list[Ints], device: torch.device, rule: Rule) -> Level:
    """The ways to fill some cells, given as pair, i, a, j, b by falling count of splits."""
    pair, i, a, j, b = columns
    sizes = [lattice.cell_base, lattice.slot_base, lattice.source, lattice.target]
    base, slot_base, n, m = (column[pair] for column in sizes)
    places = _Places(*(column[:, None] for column in (base, slot_base, i, a, j, b, n, m)))
    own = places.cell(places.i, places.a, places.j, places.b)[:, 0]
    groups = _groups(places, lattice, device, rule)
    arrays = *_leaves(places, lattice, rule), *_two_leaves(places, rule)
    slot, rest, row, first, second = (move(array, device) for array in arrays)
    return Level(move(own, device), groups, slot, rest, row, first, second)


def _groups(
    places: _Places, lattice: Lattice, device: torch.device, rule: Rule
) -> tuple[Group, ...]:
    counts = count_splits(lattice)[places.a[:, 0], places.b[:, 0]]
    groups = []
    start = 0
    while start < len(counts) and counts[start]:
        stop = int((counts * 2 > counts[start]).sum())
        left, right = _split(places.part(slice(start, stop)), lattice, int(counts[start]), rule)
        groups.append(Group(start, stop, move(left, device), move(right, device)))
        start = stop
    return tuple(groups)


def _split(places: _Places, lattice: Lattice, width: int, rule: Rule) -> tuple[Ints, Ints]:
    """The children at every split of some cells: int64[cells, width] twice."""
    i, a, j, b = places.i, places.a, places.j, places.b
    u, v = (table[a[:, 0], b[:, 0], :width] for table in splits_of(lattice))
    real = ((u + v) > 0) & rule.allows(places, u, v)
    left, right = places.cell(i, u, j, v), places.cell(i + u, a - u, j + v, b - v)
    return left * real, right * real


def _leaves(places: _Places, lattice: Lattice, rule: Rule) -> tuple[Ints, Ints]:
    """Slots and rests of a leaf beside a symbol, on the left and on the right."""
    import numpy as np

    kind = np.array([[1, 0], [0, 1], [1, 1]] if lattice.has_targets else [[1, 0]])
    u, v = kind.T
    i, a, j, b = places.i, places.a, places.j, places.b
    rest_a, rest_b = a - u, b - v
    fits = (np.minimum(rest_a, rest_b) >= 0) & (np.maximum(rest_a, rest_b) > 1)
    fits &= is_allowed(u, v, a, b)
    on_left = fits & (a > 0) if rule.published else fits
    on_left = on_left & rule.allows(places, u, v)
    on_right = fits & rule.allows(places, rest_a, rest_b)
    left_rest = places.cell(i + u, rest_a, j + v, rest_b) * on_left
    right_rest = places.cell(i, rest_a, j, rest_b) * on_right
    left = places.slot(i, j, kind) * on_left
    right = places.slot(i + rest_a, j + rest_b, kind) * on_right + lattice.slots
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


def _two_leaves(places: _Places, rule: Rule) -> tuple[Ints, Ints, Ints]:
    """Cells that two leaves fill: their rows in the level, and the two slots."""
    import numpy as np

    rows, firsts, seconds = ([np.empty(0, np.int64)] for _ in range(3))
    small = np.flatnonzero((places.a <= 2) & (places.b <= 2))
    for first, second in _PAIRS_OF_LEAVES if len(small) else ():
        kind = np.array([first, second])
        a, b = kind.sum(0)
        fits = (places.a == a) & (places.b == b) & rule.allows(places, kind[:1, 0], kind[:1, 1])
        row = np.flatnonzero(fits)
        part = places.part(row)
        rows.append(row)
        firsts.append(part.slot(part.i, part.j, kind[:1])[:, 0])
        seconds.append(part.slot(part.i + first[0], part.j + first[1], kind[1:])[:, 0])
    return np.concatenate(rows), np.concatenate(firsts), np.concatenate(seconds)
