"""Minimum Bayes risk: the tree with the most expected correct nodes.

Each cell has the posterior that a tree has a node there, sum_A g_c[A] value_c[A], and each slot
that it has a leaf there; the tree that collects the most is found by an unlabelled chart, and
every node gets its most probable label. Such a tree need not be a derivation of the grammar.
"""

from __future__ import annotations

import torch

from augkit.grammars.charts.derivations import Derivations, empty_derivations
from augkit.grammars.charts.index_plan import ChartLevel, ChartPlan
from augkit.grammars.charts.inside import LOG_ZERO, Potentials, run_inside
from augkit.grammars.charts.outside import run_outside


def run_mbr(potentials: Potentials, plan: ChartPlan) -> Derivations:
    """The tree of each pair whose nodes have the largest posteriors together; that sum."""
    chart = run_inside(potentials, plan)
    outside = run_outside(potentials, chart, torch.ones_like(chart.log_likelihood))
    posterior = outside.cells * chart.value
    node, leaf = posterior.sum(1), outside.emissions.sum(1)
    best = torch.full_like(node, LOG_ZERO)
    derivations = empty_derivations(plan.lattice, node[plan.tops])
    for level in plan.levels:
        _fill(level, (node, leaf), best, derivations)
    derivations.label.copy_(posterior.argmax(1))
    derivations.leaf.copy_(outside.emissions.argmax(1))
    derivations.score.copy_(best[plan.tops])
    return derivations


def _fill(
    level: ChartLevel,
    weights: tuple[torch.Tensor, torch.Tensor],
    best: torch.Tensor,
    derivations: Derivations,
) -> None:
    """The best parts of every cell of a level."""
    node, leaf = weights
    cells, slots = len(node), len(leaf)
    slot = level.slot % slots
    total, option = (leaf[slot] + best[level.rest]).max(1, keepdim=True)
    parts = slot.gather(1, option)[:, 0] + cells, level.rest.gather(1, option)[:, 0]
    on_left = option[:, 0] < level.slot.shape[1] // 2
    left = torch.where(on_left, parts[0], parts[1])
    right = torch.where(on_left, parts[1], parts[0])
    total = total[:, 0]
    for group in level.groups:
        rows = slice(group.start, group.stop)
        most, at = (best[group.left] + best[group.right]).max(1, keepdim=True)
        better = most[:, 0] > total[rows]
        split = most, group.left.gather(1, at), group.right.gather(1, at)
        for column, values in zip((total, left, right), split, strict=True):
            column[rows] = torch.where(better, values[:, 0], column[rows])
    if len(level.row):
        # The best of several pairs of leaves of one cell is written last.
        sums = leaf[level.first] + leaf[level.second]
        order = sums.argsort()
        order = order[sums[order] > total[level.row[order]]]
        for pair in order.tolist():
            row = level.row[pair]
            total[row] = sums[pair]
            left[row], right[row] = level.first[pair] + cells, level.second[pair] + cells
    best[level.cells] = total + node[level.cells]
    derivations.left[level.cells], derivations.right[level.cells] = left, right
