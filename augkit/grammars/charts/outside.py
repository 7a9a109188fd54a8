"""The outside pass, by hand: the gradient of the log-likelihood, which is all posteriors.

For a cell c let g_c[A] = d logZ / d inside_c[A] * exp(scale_c); then g_c * value_c is the
posterior of (c, A). It starts as root / (root . value) at the top and runs down the levels. No
graph is kept: only values, scales and the products P of the inside pass.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from augkit.grammars.charts.index_plan import ChartLevel, SplitGroup
from augkit.grammars.charts.inside import (
    FoldedRules,
    InsideChart,
    LevelChart,
    Potentials,
    beside_scales,
    children,
    split_scales,
)


@dataclass(frozen=True)
class Outside:
    """Gradients of the weighted sum of log-likelihoods, by the log potentials.

    * ``cells``: float[cells, A], g above; times ``chart.value`` the posterior of each cell;
    * ``rules``, ``root``, ``emissions``: expected counts, in the shapes of the potentials.
    """

    cells: torch.Tensor
    rules: torch.Tensor
    root: torch.Tensor
    emissions: torch.Tensor


@dataclass(frozen=True)
class OutsideSums:
    """What the levels add to: gradients of cells and of the folded rules."""

    cells: torch.Tensor
    inner: torch.Tensor
    beside: torch.Tensor
    two: torch.Tensor
    leaf: torch.Tensor


def run_outside(potentials: Potentials, chart: InsideChart, weight: torch.Tensor) -> Outside:
    """The outside pass; ``weight`` is float[pairs], the gradient of each log-likelihood."""
    folded = chart.folded
    tops = chart.plan.tops
    root = potentials.root.exp()
    top = chart.value[tops]
    share = (weight / (top * root).sum(1))[:, None]
    names = [chart.value, folded.inner, folded.beside, folded.two, folded.leaf]
    sums = OutsideSums(*(torch.zeros_like(tensor) for tensor in names))
    sums.cells[tops] = share * root
    # The inner rules as float[A, A*A], at (B, C) and at (C, B); a product by a view is slow.
    symbols = folded.inner.shape[1]
    by_right = folded.inner.view(symbols, symbols, symbols).transpose(0, 1).reshape(-1, symbols)
    transposed = folded.inner.T.contiguous(), by_right.T.contiguous()
    for level, level_chart in zip(reversed(chart.plan.levels), reversed(chart.levels), strict=True):
        _outside_level(level, level_chart, chart, sums, transposed)
    rules, emissions = unfold_leaves(folded, sums)
    return Outside(sums.cells, rules, root * (share * top).sum(0), emissions)


def _outside_level(
    level: ChartLevel,
    level_chart: LevelChart,
    chart: InsideChart,
    sums: OutsideSums,
    transposed: tuple[torch.Tensor, torch.Tensor],
) -> None:
    """Pass the gradients of one level's cells down to their parts."""
    gradient = sums.cells[level.cells] * level_chart.inverse[:, None]
    for group, product in zip(level.groups, level_chart.products, strict=True):
        rows = slice(group.start, group.stop)
        part = gradient[rows]
        sums.inner.addmm_(product.T, part)
        weight = torch.exp(split_scales(group, chart.scale) - level_chart.ref[rows, None])
        down = part @ transposed[0], part @ transposed[1]
        _outside_group(group, chart.value, weight, down, sums.cells)
    _outside_beside(level, level_chart, chart, gradient, sums)
    if len(level.row):
        _outside_two(level, level_chart, chart.folded, gradient, sums)


def _outside_group(
    group: SplitGroup,
    value: torch.Tensor,
    weight: torch.Tensor,
    down: tuple[torch.Tensor, torch.Tensor],
    cells: torch.Tensor,
) -> None:
    """Splits: ``down`` is the gradient of P, as [B, C] and transposed, as [C, B]."""
    symbols = value.shape[1]
    by_left, by_right = (gradient.view(-1, symbols, symbols) for gradient in down)
    left, right = children(group, value)
    to_left = torch.bmm(right, by_right) * weight[:, :, None]
    to_right = torch.bmm(left, by_left) * weight[:, :, None]
    cells.index_add_(0, group.left.view(-1), to_left.view(-1, symbols))
    cells.index_add_(0, group.right.view(-1), to_right.view(-1, symbols))


def _outside_beside(
    level: ChartLevel,
    level_chart: LevelChart,
    chart: InsideChart,
    gradient: torch.Tensor,
    sums: OutsideSums,
) -> None:
    """Leaves beside symbols: to the symbol and to the folded rule."""
    folded = chart.folded
    rows, options = level.slot.shape
    symbols = gradient.shape[1]
    weight = torch.exp(beside_scales(level, folded, chart.scale) - level_chart.ref[:, None])
    slot = level.slot.view(-1)
    rest = level.rest.view(-1)
    rules = folded.beside.index_select(0, slot).view(rows, options * symbols, symbols)
    to_rest = torch.bmm(rules, gradient[:, :, None]).view(rows, options, symbols)
    sums.cells.index_add_(0, rest, (to_rest * weight[:, :, None]).view(-1, symbols))
    value = chart.value.index_select(0, rest).view(rows, options, symbols) * weight[:, :, None]
    outer = torch.bmm(value.view(rows, -1, 1), gradient[:, None])
    sums.beside.index_add_(0, slot, outer.view(rows * options, -1))


def _outside_two(
    level: ChartLevel,
    level_chart: LevelChart,
    folded: FoldedRules,
    gradient: torch.Tensor,
    sums: OutsideSums,
) -> None:
    """Two leaves: to the second leaf, and to the rule into which the first is folded."""
    row = level.row
    first = level.first
    second = level.second
    scale = folded.leaf_scale[first] + folded.leaf_scale[second]
    part = gradient[row] * torch.exp(scale - level_chart.ref[row])[:, None]
    sums.leaf.index_add_(0, second, torch.bmm(folded.two[first], part[:, :, None])[:, :, 0])
    sums.two.index_add_(0, first, torch.bmm(folded.leaf[second][:, :, None], part[:, None]))


def unfold_leaves(folded: FoldedRules, sums: OutsideSums) -> tuple[torch.Tensor, torch.Tensor]:
    """Gradients by log rules and log emissions, from those by the folded rules."""
    leaf = folded.leaf
    rules = folded.rules
    slots, leaves = leaf.shape
    symbols = rules.shape[0]
    by_left = sums.beside[:slots]
    by_right = sums.beside[slots:]
    two = sums.two.view(slots, -1)
    whole = torch.zeros_like(rules)
    whole[:, :symbols, :symbols] = sums.inner.view(symbols, symbols, symbols).permute(2, 0, 1)
    shape = (leaves, symbols, symbols)
    whole[:, symbols:, :symbols] = (leaf.T @ by_left).view(shape).permute(2, 0, 1)
    whole[:, :symbols, symbols:] = (leaf.T @ by_right).view(shape).permute(2, 1, 0)
    whole[:, symbols:, symbols:] = (leaf.T @ two).view(leaves, leaves, symbols).permute(2, 0, 1)
    left = rules[:, symbols:, :symbols].permute(2, 0, 1).reshape(-1, leaves)
    right = rules[:, :symbols, symbols:].permute(1, 0, 2).reshape(-1, leaves)
    two_leaves = rules[:, symbols:, symbols:].permute(2, 0, 1).reshape(-1, leaves)
    to_leaf = sums.leaf + by_left @ left + by_right @ right + two @ two_leaves
    return whole * rules, to_leaf * leaf
