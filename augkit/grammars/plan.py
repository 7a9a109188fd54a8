"""Index plans for the torch path: which cells each level needs, as gathers without padding waste.

Everything at level d = a + b depends on lower levels only, so a chart takes N + M - 1 steps, for
all pairs of a ragged batch at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from augkit.grammars.lattice import (
    Cells,
    Lattice,
    count_splits,
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
    """The cells of one level as tensors, with the sizes of their pairs."""

    pair_cell: torch.Tensor
    pair_slot: torch.Tensor
    i: torch.Tensor
    a: torch.Tensor
    j: torch.Tensor
    b: torch.Tensor
    n: torch.Tensor
    m: torch.Tensor
    spans_b: torch.Tensor

    def cell(
        self, i: torch.Tensor, a: torch.Tensor, j: torch.Tensor, b: torch.Tensor
    ) -> torch.Tensor:
        """Numbers of other cells of the same pairs; the arguments are [cells, any]."""
        n, m, spans_b = self.n[:, None], self.m[:, None], self.spans_b[:, None]
        local = number_span(i, a, n) * spans_b + number_span(j, b, m)
        return self.pair_cell[:, None] + local

    def slot(self, i: torch.Tensor, j: torch.Tensor, kind: torch.Tensor) -> torch.Tensor:
        """Numbers of slots; ``kind`` is int64[kinds, 2], which sides have a word."""
        on_a, on_b = kind.T
        local: torch.Tensor = (i + 1) * on_a * (self.m[:, None] + 1) + (j + 1) * on_b
        return self.pair_slot[:, None] + local


@dataclass(frozen=True)
class Rule:
    """Which derivations are left out: those the paper's code loses, those through some corners."""

    published: bool = False
    kept: torch.Tensor | None = None

    def allows(self, places: _Places, u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        """Whether cells may be split at (u, v): [cells, ways]; with an empty side they may."""
        import torch

        if self.kept is None:
            return torch.ones((), dtype=torch.bool, device=u.device).expand(len(places.i), 1)
        i, j, m = places.i[:, None] + u, places.j[:, None] + v, places.m[:, None]
        empty = (places.a == 0) | (places.b == 0)
        inside = (i >= 0) & (j >= 0)
        corner = (places.pair_slot[:, None] + i * (m + 1) + j) * inside
        return empty[:, None] | self.kept[corner.clamp(0, len(self.kept) - 1)]


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

    rule = Rule(published, None if kept is None else torch.from_numpy(kept).to(device))
    cells = list_cells(lattice, kept)
    levels = tuple(
        _plan_level(lattice, cells, level, device, rule)
        for level in range(2, lattice.levels + 1)
        if cells.offsets[level] < cells.offsets[level + 1]
    )
    return Plan(lattice, levels, torch.from_numpy(lattice.tops).to(device))


def _plan_level(
    lattice: Lattice, cells: Cells, level: int, device: torch.device | str, rule: Rule
) -> Level:
    part = slice(*cells.offsets[level : level + 2])
    columns = [cells.pair, cells.i, cells.a, cells.j, cells.b]
    return plan_cells(lattice, [column[part] for column in columns], device, rule)


def plan_cells(
    lattice: Lattice, columns: list[Ints], device: torch.device | str, rule: Rule
) -> Level:
    """The ways to fill some cells, given as pair, i, a, j, b by falling count of splits."""
    import torch

    pair, i, a, j, b = (torch.from_numpy(column).to(device) for column in columns)
    sizes = [lattice.cell_base, lattice.slot_base, lattice.source, lattice.target]
    base, slot_base, n, m = (torch.from_numpy(column).to(device)[pair] for column in sizes)
    places = _Places(base, slot_base, i, a, j, b, n, m, 1 + (m * (m + 1) >> 1))
    shapes = columns[2], columns[4]
    slot, rest = _leaves(places, lattice, rule)
    row, first, second = _two_leaves(places, shapes, rule)
    own = places.cell(i[:, None], a[:, None], j[:, None], b[:, None])[:, 0]
    return Level(own, _groups(places, lattice, shapes, rule), slot, rest, row, first, second)


def _groups(
    places: _Places, lattice: Lattice, shapes: tuple[Ints, Ints], rule: Rule
) -> tuple[Group, ...]:
    counts = count_splits(lattice)[shapes]
    groups = []
    start = 0
    while start < len(counts) and counts[start]:
        stop = int((counts * 2 > counts[start]).sum())
        bounds = start, stop, int(counts[start])
        groups.append(_group(places, lattice, shapes, bounds, rule))
        start = stop
    return tuple(groups)


def _group(
    places: _Places,
    lattice: Lattice,
    shapes: tuple[Ints, Ints],
    bounds: tuple[int, int, int],
    rule: Rule,
) -> Group:
    import torch

    start, stop, width = bounds
    rows = slice(start, stop)
    device = places.i.device
    table_u, table_v = splits_of(lattice)
    a, b = shapes[0][rows], shapes[1][rows]
    u, v = (torch.from_numpy(t[a, b, :width]).to(device) for t in (table_u, table_v))
    part = _Places(**{name: column[rows] for name, column in vars(places).items()})
    i, j = part.i[:, None], part.j[:, None]
    real = ((u + v) > 0) & rule.allows(part, u, v)
    left = part.cell(i, u, j, v)
    right = part.cell(i + u, part.a[:, None] - u, j + v, part.b[:, None] - v)
    return Group(start, stop, left * real, right * real)


def _kinds(paired: bool, device: torch.device) -> torch.Tensor:
    """Which sides of a leaf have a word: int64[kinds, 2]."""
    import torch

    return torch.tensor([[1, 0], [0, 1], [1, 1]] if paired else [[1, 0]], device=device)


def _leaves(places: _Places, lattice: Lattice, rule: Rule) -> tuple[torch.Tensor, torch.Tensor]:
    """Slots and rests of a leaf beside a symbol, on the left and on the right."""
    import torch

    kind = _kinds(lattice.has_targets, places.i.device)
    u, v = kind.T
    i, a, j, b = (column[:, None] for column in (places.i, places.a, places.j, places.b))
    rest_a, rest_b = a - u, b - v
    fits = (torch.minimum(rest_a, rest_b) >= 0) & (torch.maximum(rest_a, rest_b) > 1)
    fits &= ~(((u == 0) | (u == a)) & ((v == 0) | (v == b)))
    on_left = fits & (a > 0) if rule.published else fits
    on_left = on_left & rule.allows(places, u, v)
    on_right = fits & rule.allows(places, rest_a, rest_b)
    left_rest = places.cell(i + u, rest_a, j + v, rest_b) * on_left
    right_rest = places.cell(i, rest_a, j, rest_b) * on_right
    left = places.slot(i, j, kind) * on_left
    right = places.slot(i + rest_a, j + rest_b, kind) * on_right + lattice.slots
    return torch.cat([left, right], 1), torch.cat([left_rest, right_rest], 1)


_PAIRS_OF_LEAVES = [
    ((1, 0), (1, 0)),
    ((0, 1), (0, 1)),
    ((1, 0), (1, 1)),
    ((1, 1), (1, 0)),
    ((0, 1), (1, 1)),
    ((1, 1), (0, 1)),
    ((1, 1), (1, 1)),
]


def _two_leaves(
    places: _Places, shapes: tuple[Ints, Ints], rule: Rule
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Cells that two leaves fill: their rows in the level, and the two slots."""
    import torch

    rows, firsts, seconds = [], [], []
    present = set(zip(*(shape.tolist() for shape in shapes), strict=True))
    for first, second in _PAIRS_OF_LEAVES:
        if (first[0] + second[0], first[1] + second[1]) not in present:
            continue
        kind = torch.tensor([first, second], device=places.i.device)
        a, b = kind.sum(0)
        here = rule.allows(places, kind[:1, 0], kind[:1, 1])[:, 0]
        row = torch.nonzero((places.a == a) & (places.b == b) & here)[:, 0]
        part = _Places(**{name: column[row] for name, column in vars(places).items()})
        i, j = part.i[:, None], part.j[:, None]
        rows.append(row)
        firsts.append(part.slot(i, j, kind[:1])[:, 0])
        seconds.append(part.slot(i + first[0], j + first[1], kind[1:])[:, 0])
    none = places.i[:0]
    return torch.cat([none, *rows]), torch.cat([none, *firsts]), torch.cat([none, *seconds])
