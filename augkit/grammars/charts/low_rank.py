"""Low-rank rules: R[A, B, C] = sum_r out[A, r] left[B, r] right[C, r], inside and outside.

``out`` sums to one over r, ``left`` and ``right`` over the symbols, so R is normalised. A cell
keeps y = left^T inside and z = right^T inside; for the splits of a cell

    X[r] = sum_z w_z y_l[r] z_r[r];   inside = out X

and leaves are cells like others. Exact for its model, which is another than the dense one: fewer
sums per split (r instead of 32 x 32), so on a CPU it is faster; on a GPU the dense rules
sum_r out left right are.

Reference: yang2021pcfgs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from augkit.grammars.charts.index_plan import ChartLevel, ChartPlan, make_index_plan
from augkit.grammars.charts.inside import LOG_ZERO, Potentials
from augkit.grammars.charts.synchronous_cells import Lattice


@dataclass(frozen=True)
class RankPotentials:
    """Probabilities, not logs: out float[A, r], left and right float[S, r], root float[A].

    Emissions are log probabilities, float[slots, T].
    """

    out: torch.Tensor
    left: torch.Tensor
    right: torch.Tensor
    root: torch.Tensor
    emissions: torch.Tensor

    def dense(self) -> Potentials:
        """The dense grammar that these factors stand for."""
        rules = torch.einsum("ar,br,cr->abc", self.out, self.left, self.right)
        return Potentials(rules.log(), self.root.log(), self.emissions)


@dataclass(frozen=True)
class _RankChart:
    """Values of cells, then of slots: float[cells + slots, ·], with one log scale each."""

    plan: ChartPlan
    value: torch.Tensor
    leaf: torch.Tensor
    scale: torch.Tensor
    by_left: torch.Tensor
    by_right: torch.Tensor
    levels: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]
    log_likelihood: torch.Tensor


def rank_log_likelihood(potentials: RankPotentials, lattice: Lattice) -> torch.Tensor:
    """The log probability of each pair: float[pairs]; differentiable by all factors."""
    return _RankLogLikelihood.apply(*vars(potentials).values(), lattice)  # type: ignore[no-any-return, no-untyped-call]


class _RankLogLikelihood(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> torch.Tensor:
        potentials = RankPotentials(*(tensor.detach() for tensor in inputs[:-1]))
        chart = _rank_inside(potentials, make_index_plan(inputs[-1], potentials.out.device))
        ctx.kept = potentials, chart
        return chart.log_likelihood.clone()  # the chart itself would hold its own graph

    @staticmethod
    def backward(ctx: Any, weight: torch.Tensor) -> Any:
        potentials, chart = ctx.kept
        return *_rank_outside(potentials, chart, weight), None


def _splits(
    level: ChartLevel, cells: int, slots: int
) -> list[tuple[slice, torch.Tensor, torch.Tensor]]:
    """All splits of the cells of a level; leaves are numbered after the cells."""
    splits = [(slice(group.start, group.stop), group.left, group.right) for group in level.groups]
    half = level.slot.shape[1] // 2
    left_leaf, right_leaf = level.slot[:, :half], level.slot[:, half:] - slots
    every = slice(0, len(level.cells))
    first = torch.cat([left_leaf + cells, level.rest[:, half:]], 1)
    second = torch.cat([level.rest[:, :half], right_leaf + cells], 1)
    splits.append((every, first, second))
    return splits


def _rank_inside(potentials: RankPotentials, plan: ChartPlan) -> _RankChart:
    cells = plan.lattice.cells
    symbols, rank = potentials.out.shape
    leaf_scale = potentials.emissions.amax(1)
    leaf = torch.exp(potentials.emissions - leaf_scale[:, None])
    empty = plan.lattice.slot_base
    leaf[empty], leaf_scale[empty] = 0.0, LOG_ZERO
    none = leaf.new_zeros(cells, rank)
    scale = torch.cat([leaf.new_full((cells,), LOG_ZERO), leaf_scale])
    by_left = torch.cat([none, leaf @ potentials.left[symbols:]])
    by_right = torch.cat([none, leaf @ potentials.right[symbols:]])
    chart = _RankChart(
        plan, leaf.new_zeros(cells, symbols), leaf, scale, by_left, by_right, [], leaf_scale
    )
    for level in plan.levels:
        chart.levels.append(_rank_inside_level(level, potentials, chart))
    top = (chart.value[plan.tops] * potentials.root).sum(1)
    log_p = chart.scale[plan.tops] + torch.log(top)
    return _RankChart(plan, chart.value, leaf, scale, by_left, by_right, chart.levels, log_p)


def _rank_inside_level(
    level: ChartLevel, potentials: RankPotentials, chart: _RankChart
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Fill a level; its largest log scales, 1 / largest values, and X."""
    lattice, scale = chart.plan.lattice, chart.scale
    splits = _splits(level, lattice.cells, lattice.slots)
    two = scale[level.first + lattice.cells] + scale[level.second + lattice.cells]
    ref = scale.new_full((len(level.cells),), LOG_ZERO).scatter_reduce_(0, level.row, two, "amax")
    for rows, first, second in splits:
        ref[rows] = torch.maximum(ref[rows], (scale[first] + scale[second]).amax(1))
    total = chart.by_left.new_zeros(len(level.cells), chart.by_left.shape[1])
    for rows, first, second in splits:
        weight = torch.exp(scale[first] + scale[second] - ref[rows, None])
        pairs = _rows(chart.by_left, first) * _rows(chart.by_right, second)
        total[rows] += torch.bmm(weight[:, None], pairs)[:, 0]
    leaves = chart.by_left[level.first + lattice.cells]
    leaves = leaves * chart.by_right[level.second + lattice.cells]
    total.index_add_(0, level.row, leaves * torch.exp(two - ref[level.row])[:, None])
    value = total @ potentials.out.T
    most = value.amax(1)
    inverse = torch.where(most > 0, 1 / most, 0.0)
    value *= inverse[:, None]
    symbols = len(potentials.out)
    chart.value[level.cells] = value
    chart.by_left[level.cells] = value @ potentials.left[:symbols]
    chart.by_right[level.cells] = value @ potentials.right[:symbols]
    scale[level.cells] = torch.where(most > 0, ref + torch.log(most), LOG_ZERO)
    return ref, inverse, total


def _rows(values: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    """Rows by a table of numbers: float[..., r]; index_select is by far the fastest."""
    return values.index_select(0, at.reshape(-1)).view(*at.shape, values.shape[1])


def _rank_outside(
    potentials: RankPotentials, chart: _RankChart, weight: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """Gradients by out, left, right, root and emissions."""
    symbols = len(potentials.out)
    tops, cells = chart.plan.tops, chart.plan.lattice.cells
    top = chart.value[tops]
    share = (weight / (top * potentials.root).sum(1))[:, None]
    direct = torch.zeros_like(chart.value)
    direct[tops] = share * potentials.root
    to_left, to_right = torch.zeros_like(chart.by_left), torch.zeros_like(chart.by_right)
    to_out = torch.zeros_like(potentials.out)
    inner = potentials.left[:symbols].T.contiguous(), potentials.right[:symbols].T.contiguous()
    levels = zip(reversed(chart.plan.levels), reversed(chart.levels), strict=True)
    for level, (ref, inverse, total) in levels:
        here = level.cells
        gradient = direct[here] + to_left[here] @ inner[0] + to_right[here] @ inner[1]
        gradient *= inverse[:, None]
        to_out.addmm_(gradient.T, total)
        _rank_outside_level(level, ref, gradient @ potentials.out, chart, (to_left, to_right))
    to_leaf = to_left[cells:] @ potentials.left[symbols:].T
    to_leaf += to_right[cells:] @ potentials.right[symbols:].T
    by_left, by_right = (
        torch.cat([chart.value.T @ side[:cells], chart.leaf.T @ side[cells:]])
        for side in (to_left, to_right)
    )
    return to_out, by_left, by_right, (share * top).sum(0), to_leaf * chart.leaf


def _rank_outside_level(
    level: ChartLevel,
    ref: torch.Tensor,
    gradient: torch.Tensor,
    chart: _RankChart,
    sums: tuple[torch.Tensor, torch.Tensor],
) -> None:
    """Pass the gradient of X down to the parts of every split."""
    lattice, scale = chart.plan.lattice, chart.scale
    rank = gradient.shape[1]
    for rows, first, second in _splits(level, lattice.cells, lattice.slots):
        weight = torch.exp(scale[first] + scale[second] - ref[rows, None])[:, :, None]
        part = gradient[rows, None] * weight
        to_first = _rows(chart.by_right, second) * part
        to_second = _rows(chart.by_left, first) * part
        sums[0].index_add_(0, first.reshape(-1), to_first.view(-1, rank))
        sums[1].index_add_(0, second.reshape(-1), to_second.view(-1, rank))
    first, second = level.first + lattice.cells, level.second + lattice.cells
    part = gradient[level.row] * torch.exp(scale[first] + scale[second] - ref[level.row])[:, None]
    sums[0].index_add_(0, first, chart.by_right[second] * part)
    sums[1].index_add_(0, second, chart.by_left[first] * part)
