"""The most probable derivation of each pair: the inside pass with (max, +), then once down.

Exact, and never an empty tree: every pair that has a derivation gets one. No back-pointers are
kept; going down, only the cells on the best tree are evaluated again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from augkit.grammars.charts.derivations import Derivations, empty_derivations
from augkit.grammars.charts.emissions import has_kernels
from augkit.grammars.charts.index_plan import ChartLevel, ChartPlan, SplitGroup
from augkit.grammars.charts.inside import LOG_ZERO, Potentials, children


@dataclass(frozen=True)
class MaxRules:
    """Log rules: ``inner`` float[A, A*A], and with the best leaf of every slot folded in.

    ``beside`` is float[2 * slots, A, A] at (C, A), ``two`` float[slots, T, A].
    """

    inner: torch.Tensor
    beside: torch.Tensor
    two: torch.Tensor


def run_viterbi(potentials: Potentials, plan: ChartPlan) -> Derivations:
    """The best derivation of each pair and its log probability."""
    symbols = potentials.symbols
    rules = fold_max(potentials, plan.lattice.slot_base)
    score = potentials.rules.new_full((plan.lattice.cells, symbols), LOG_ZERO)
    best = [_score_level(level, potentials, rules, score) for level in plan.levels]
    top = score[plan.tops] + potentials.root
    derivations = empty_derivations(plan.lattice, top.amax(1))
    derivations.label[plan.tops] = top.argmax(1)
    down = ViterbiDescent(potentials, rules, score, derivations)
    for level, pairs in zip(reversed(plan.levels), reversed(best), strict=True):
        descend(level, pairs, down)
    return derivations


def fold_max(potentials: Potentials, empty: Any) -> MaxRules:
    """The best leaf of every slot folded into the rules."""
    symbols = potentials.symbols
    rules = potentials.rules
    emissions = potentials.emissions.clone()
    emissions[empty] = LOG_ZERO
    by_left = rules[:, symbols:].permute(1, 2, 0).contiguous()  # [T, S, A]
    by_right = rules[:, :symbols, symbols:].permute(2, 1, 0).contiguous()  # [T, A, A]
    left = _max_product(emissions, by_left)
    beside = torch.cat([left[:, :symbols], _max_product(emissions, by_right)])
    inner = rules[:, :symbols, :symbols].reshape(symbols, -1)
    return MaxRules(inner.contiguous(), beside, left[:, symbols:].contiguous())


def _max_product(emissions: torch.Tensor, rules: torch.Tensor) -> torch.Tensor:
    """The max_t of emissions[k, t] + rules[t, ...]: float[slots, ...]."""
    if has_kernels(emissions):
        from augkit.grammars.charts import triton_kernels as kernels

        slots, leaves = emissions.shape
        best = emissions.new_empty(slots, *rules.shape[1:])
        columns = rules[0].numel()
        kernels.best_leaves[(-(-slots // 32), -(-columns // 64))](
            emissions, rules, best, slots, columns, T=leaves, BM=32, BN=64, num_warps=4
        )
        return best
    best = emissions[:, 0, None, None] + rules[0]
    for leaf in range(1, len(rules)):
        torch.maximum(best, emissions[:, leaf, None, None] + rules[leaf], out=best)
    return best


def _score_level(
    level: ChartLevel, potentials: Potentials, rules: MaxRules, score: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """Fill in the scores of a level; the best pairs of children [B, C] of its groups."""
    # A leaf beside a symbol: float[cells, 2 * kinds, A (rest), A].
    total = (rules.beside[level.slot] + score[level.rest][..., None]).amax((1, 2))
    pairs = []
    for group in level.groups:
        pair = _best_pairs(group, score)
        rows = slice(group.start, group.stop)
        for symbol, scores in enumerate(rules.inner):
            best = (pair + scores).amax(1)
            total[rows, symbol] = torch.maximum(total[rows, symbol], best)
        pairs.append(pair)
    if len(level.row):
        best = _two(level, potentials, rules).amax(1)
        index = level.row[:, None].expand(best.shape)
        total.scatter_reduce_(0, index, best, "amax")
    score[level.cells] = total
    return tuple(pairs)


def _two(level: ChartLevel, potentials: Potentials, rules: MaxRules) -> torch.Tensor:
    """Two leaves: float[two leaves, T (second), A]."""
    return rules.two[level.first] + potentials.emissions[level.second][..., None]


def _best_pairs(group: SplitGroup, score: torch.Tensor) -> torch.Tensor:
    """Max over splits of l[B] + r[C]: float[rows, A*A]."""
    left, right = children(group, score)
    best = left[:, 0, :, None] + right[:, 0, None]
    for split in range(1, left.shape[1]):
        torch.maximum(best, left[:, split, :, None] + right[:, split, None], out=best)
    return best.view(len(left), -1)


@dataclass(frozen=True)
class ViterbiDescent:
    """The rules, the scores, and the derivations that grow downwards."""

    potentials: Potentials
    rules: MaxRules
    score: torch.Tensor
    derivations: Derivations


def descend(level: ChartLevel, pairs: tuple[torch.Tensor, ...], down: ViterbiDescent) -> None:
    """Give the nodes of this level their children.

    The three options to fill a cell are evaluated again in turn; the first that reaches the
    cell's score is taken. The sums are those that gave the score, term by term, so equality is
    exact.
    """
    label = down.derivations.label[level.cells]
    target = down.score[level.cells].gather(1, label.clamp(min=0)[:, None])[:, 0]
    todo = label >= 0
    for group, pair in zip(level.groups, pairs, strict=True):
        rows = torch.nonzero(todo[group.start : group.stop])[:, 0]
        sums = pair[rows] + down.rules.inner[label[rows + group.start]]
        best, at = sums.max(1)
        hit = best >= target[rows + group.start]
        _take_splits(group, rows[hit], at[hit], level, down)
        todo[rows[hit] + group.start] = False
    if len(level.row):
        _take_two(level, (todo, label, target), down)
    rows = torch.nonzero(todo)[:, 0]
    _take_beside(level, rows, label[rows], down)


def _take_splits(
    group: SplitGroup, rows: torch.Tensor, at: torch.Tensor, level: ChartLevel, down: ViterbiDescent
) -> None:
    """Two symbols: find the split at which the best pair was."""
    symbols = down.score.shape[1]
    first = torch.div(at, symbols, rounding_mode="floor")
    second = at % symbols
    left = group.left[rows]
    right = group.right[rows]
    sums = down.score[left, first[:, None]] + down.score[right, second[:, None]]
    split = sums.argmax(1, keepdim=True)
    left = left.gather(1, split)[:, 0]
    right = right.gather(1, split)[:, 0]
    cells = level.cells[rows + group.start]
    derivations = down.derivations
    derivations.left[cells] = left
    derivations.right[cells] = right
    derivations.label[left] = first
    derivations.label[right] = second


def _take_two(
    level: ChartLevel,
    open_rows: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
    down: ViterbiDescent,
) -> None:
    """Two leaves."""
    potentials = down.potentials
    rules = down.rules
    todo, label, target = open_rows
    index = label[level.row].clamp(min=0)[:, None, None].expand(-1, rules.two.shape[1], 1)
    best, second = _two(level, potentials, rules).gather(2, index)[:, :, 0].max(1)
    hit = todo[level.row] & (best >= target[level.row])
    row, first_slot, second_slot, second = (
        column[hit] for column in (level.row, level.first, level.second, second)
    )
    todo[row] = False
    symbols = potentials.symbols
    first = potentials.rules[label[row], symbols:, symbols + second]
    first = (first + potentials.emissions[first_slot]).argmax(1)
    derivations = down.derivations
    cells = level.cells[row]
    derivations.left[cells], derivations.right[cells] = (
        slot + len(derivations.label) for slot in (first_slot, second_slot)
    )
    derivations.leaf[first_slot] = first
    derivations.leaf[second_slot] = second


def _take_beside(
    level: ChartLevel, rows: torch.Tensor, label: torch.Tensor, down: ViterbiDescent
) -> None:
    """A leaf beside a symbol, on either side."""
    potentials = down.potentials
    derivations = down.derivations
    symbols = potentials.symbols
    slots = len(potentials.emissions)
    options = level.slot.shape[1]
    sums = down.rules.beside[level.slot[rows]] + down.score[level.rest[rows]][..., None]
    picked = sums.gather(3, label[:, None, None, None].expand(-1, options, symbols, 1))
    at = picked.view(len(rows), options * symbols).argmax(1)
    option = torch.div(at, symbols, rounding_mode="floor")[:, None]
    symbol = at % symbols
    slot = level.slot[rows].gather(1, option)[:, 0]
    rest = level.rest[rows].gather(1, option)[:, 0]
    on_left = slot < slots
    slot = slot % slots
    scores = torch.where(
        on_left[:, None],
        potentials.rules[label, symbols:, symbol],
        potentials.rules[label, symbol, symbols:],
    )
    derivations.leaf[slot] = (scores + potentials.emissions[slot]).argmax(1)
    cells = level.cells[rows]
    derivations.label[rest] = symbol
    derivations.left[cells] = torch.where(on_left, slot + len(derivations.label), rest)
    derivations.right[cells] = torch.where(on_left, rest, slot + len(derivations.label))
