"""The inside pass: the probability of every cell under every symbol, in linear space.

A cell's probabilities are ``value * exp(scale)`` with one log scale per cell and the largest value
1, so that sums are plain matrix products and nothing underflows that matters. Leaves are folded
into the rules first: for a slot k with leaf probabilities x_k,

    left_k[C, A]  = sum_t R[A, t, C] x_k[t]        right_k[B, A] = sum_t R[A, B, t] x_k[t]

so that a leaf beside a symbol costs one 32 x 32 product. For the splits z of a cell c

    P_c[B, C] = sum_z w_z l_z[B] r_z[C],   w_z = exp(scale_l + scale_r - ref_c)
    X_c[A]    = sum_BC R[A, B, C] P_c[B, C] + leaves;   value_c = X_c / max X_c

Exact: no pruning, no floor. Symbols: A of them internal, T pre-terminal, S = A + T together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from augkit.grammars.charts.index_plan import ChartLevel, ChartPlan, SplitGroup

LOG_ZERO = -1e30
"""The log scale of what derives nothing: finite, so that differences are never undefined."""


@dataclass(frozen=True)
class Potentials:
    """Log probabilities: rules float[A, S, S], root float[A], emissions float[slots, T]."""

    rules: torch.Tensor
    root: torch.Tensor
    emissions: torch.Tensor

    @property
    def symbols(self) -> int:
        """The number of internal symbols."""
        return int(self.rules.shape[0])


@dataclass(frozen=True)
class FoldedRules:
    """Rules in linear space, and with the leaves of every slot folded in.

    * ``inner``: float[A*A, A], R[A, B, C] at row (B, C);
    * ``leaf``: float[slots, T], with ``leaf_scale``: float[slots];
    * ``beside``: float[2 * slots, A * A], first left_k, then right_k, at (C, A);
    * ``two``: float[slots, T, A], left_k where the other part is a leaf too.
    """

    rules: torch.Tensor
    inner: torch.Tensor
    leaf: torch.Tensor
    leaf_scale: torch.Tensor
    beside: torch.Tensor
    two: torch.Tensor


@dataclass(frozen=True)
class LevelChart:
    """What the outside pass needs again of a level: ref float[cells], 1/max float[cells], P."""

    ref: torch.Tensor
    inverse: torch.Tensor
    products: tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class InsideChart:
    """``value`` float[cells, A] and ``scale`` float[cells], and what was computed on the way."""

    plan: ChartPlan
    folded: FoldedRules
    value: torch.Tensor
    scale: torch.Tensor
    levels: tuple[LevelChart, ...]
    log_likelihood: torch.Tensor


def run_inside(potentials: Potentials, plan: ChartPlan) -> InsideChart:
    """The chart of a batch and the log-likelihood of each pair: float[pairs]."""
    folded = fold_leaves(potentials, plan.lattice.slot_base)
    count = plan.lattice.cells
    symbols = potentials.symbols
    value = potentials.rules.new_zeros(count, symbols)
    scale = potentials.rules.new_full((count,), LOG_ZERO)
    levels = tuple(_inside_level(level, folded, value, scale) for level in plan.levels)
    top = (value[plan.tops] * potentials.root.exp()).sum(1)
    return InsideChart(plan, folded, value, scale, levels, scale[plan.tops] + torch.log(top))


def fold_leaves(potentials: Potentials, empty: Any) -> FoldedRules:
    """Fold the leaves into the rules; ``empty`` are the slots that hold nothing."""
    symbols = potentials.symbols
    rules = potentials.rules.exp()
    leaf_scale = potentials.emissions.amax(1)
    leaf = torch.exp(potentials.emissions - leaf_scale[:, None])
    leaf[empty] = 0.0
    leaf_scale[empty] = LOG_ZERO
    by_left = rules[:, symbols:].permute(1, 2, 0)  # [T, S, A]
    by_right = rules[:, :symbols, symbols:].permute(2, 1, 0)  # [T, A, A]
    beside = torch.cat(
        [
            leaf @ by_left[:, :symbols].reshape(-1, symbols * symbols),
            leaf @ by_right.reshape(-1, symbols * symbols),
        ]
    )
    two = leaf @ by_left[:, symbols:].reshape(leaf.shape[1], -1)
    inner = rules[:, :symbols, :symbols].permute(1, 2, 0).reshape(-1, symbols).contiguous()
    return FoldedRules(rules, inner, leaf, leaf_scale, beside, two.view(len(leaf), -1, symbols))


def _inside_level(
    level: ChartLevel, folded: FoldedRules, value: torch.Tensor, scale: torch.Tensor
) -> LevelChart:
    """Fill the cells of one level in ``value`` and ``scale``."""
    beside = beside_scales(level, folded, scale)
    two = folded.leaf_scale[level.first] + folded.leaf_scale[level.second]
    splits = [split_scales(group, scale) for group in level.groups]
    ref = _reference(level, beside, two, splits)
    total = _beside_sum(level, folded, value, torch.exp(beside - ref[:, None]))
    products = []
    for group, sums in zip(level.groups, splits, strict=True):
        left, right = children(group, value)
        left *= torch.exp(sums - ref[group.start : group.stop, None])[:, :, None]
        product = torch.bmm(left.transpose(1, 2), right).view(len(left), -1)  # P
        total[group.start : group.stop] += product @ folded.inner
        products.append(product)
    if len(level.row):
        seconds = folded.leaf[level.second][:, None]
        leaves = torch.bmm(seconds, folded.two[level.first])[:, 0]
        total.index_add_(0, level.row, leaves * torch.exp(two - ref[level.row])[:, None])
    most = total.amax(1)
    inverse = torch.where(most > 0, 1 / most, 0.0)
    value[level.cells] = total * inverse[:, None]
    scale[level.cells] = torch.where(most > 0, ref + torch.log(most), LOG_ZERO)
    return LevelChart(ref, inverse, tuple(products))


def split_scales(group: SplitGroup, scale: torch.Tensor) -> torch.Tensor:
    """The log scales of a group's splits: float[rows, splits]."""
    shape = group.left.shape
    left = scale.index_select(0, group.left.view(-1))
    return (left + scale.index_select(0, group.right.view(-1))).view(shape)


def beside_scales(level: ChartLevel, folded: FoldedRules, scale: torch.Tensor) -> torch.Tensor:
    """The log scales of a leaf beside a symbol: float[cells, 2 * kinds]."""
    slots = level.slot % len(folded.leaf)
    return folded.leaf_scale[slots] + scale[level.rest]


def _reference(
    level: ChartLevel, beside: torch.Tensor, two: torch.Tensor, splits: list[torch.Tensor]
) -> torch.Tensor:
    """The largest log scale that enters each cell: float[cells]."""
    ref = beside.amax(1)
    if len(level.row):
        ref.scatter_reduce_(0, level.row, two, "amax")
    for group, sums in zip(level.groups, splits, strict=True):
        rows = slice(group.start, group.stop)
        ref[rows] = torch.maximum(ref[rows], sums.amax(1))
    return ref


def children(group: SplitGroup, value: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The values of both children of every split: float[rows, splits, A] twice."""
    shape = (*group.left.shape, value.shape[1])
    left = value.index_select(0, group.left.view(-1)).view(shape)
    return left, value.index_select(0, group.right.view(-1)).view(shape)


def _beside_sum(
    level: ChartLevel, folded: FoldedRules, value: torch.Tensor, weight: torch.Tensor
) -> torch.Tensor:
    """What leaves beside symbols add to X: float[cells, A]."""
    cells, options = level.slot.shape
    symbols = value.shape[1]
    rules = folded.beside.index_select(0, level.slot.view(-1)).view(
        cells, options * symbols, symbols
    )
    rest = value.index_select(0, level.rest.view(-1)).view(cells, options, symbols)
    rest *= weight[:, :, None]
    return torch.bmm(rest.view(cells, 1, -1), rules)[:, 0]
