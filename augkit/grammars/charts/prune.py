"""Corner pruning: leave out derivations through improbable corners, with a bound on the loss.

A corner (i, j) is visited where a cell with words on both sides is split there. Leaving corners
out only removes derivations, so with post(k) the posterior that corner k is visited

    logZ - logZ_pruned = -log P(no left-out corner is visited) <= -log(1 - sum_k post(k))

over the left-out corners k. With a share f of the corners about f^2 of the cells and f^3 of the
splits remain. Spans with an empty side are shared by many places and are never pruned.
Corners are numbered like slots: ``slot_base + i * (M + 1) + j``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from augkit.grammars.charts.index_plan import Group, Level, Plan
from augkit.grammars.charts.inside import Chart, Potentials, children, run_inside, split_scales
from augkit.grammars.charts.lattice import Lattice, place_of
from augkit.grammars.charts.outside import run_outside

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Pruned:
    """The corners that are kept, bool[corners], and how much each log-likelihood can lose."""

    kept: NDArray[np.bool_]
    loss: NDArray[np.float64]


def keep_corners(potentials: Potentials, plan: Plan, least: float = 1e-4) -> Pruned:
    """Keep the corners with at least this posterior; the loss is bounded as above."""
    import numpy as np

    lattice = plan.lattice
    posterior = corner_posteriors(potentials, plan)
    kept = posterior >= least
    kept[lattice.slot_base] = True
    kept[_last_corners(lattice)] = True
    missed = np.add.reduceat(np.where(kept, 0, posterior), lattice.slot_base)
    with np.errstate(divide="ignore"):
        return Pruned(kept, -np.log(np.maximum(1 - missed, 0)))


def keep_band(lattice: Lattice, width: float) -> NDArray[np.bool_]:
    """Keep the corners with |i M / N - j| <= width * max(1, M / N): bool[corners]."""
    import numpy as np

    kept = []
    for n, m in zip(lattice.source.tolist(), lattice.target.tolist(), strict=True):
        i, j = np.indices((n + 1, m + 1))
        slope = m / max(n, 1)
        kept.append((np.abs(i * slope - j) <= width * max(1.0, slope)).ravel())
    return np.concatenate(kept)


def _last_corners(lattice: Lattice) -> NDArray[np.int64]:
    import numpy as np

    last: NDArray[np.int64] = np.append(lattice.slot_base[1:], lattice.slots) - 1
    return last


def corner_posteriors(potentials: Potentials, plan: Plan) -> NDArray[np.float64]:
    """How probable it is that a cell with words on both sides is split at a corner."""
    import numpy as np
    import torch

    chart = run_inside(potentials, plan)
    outside = run_outside(potentials, chart, torch.ones_like(chart.log_likelihood))
    total = np.zeros(plan.lattice.slots)
    for number, level in enumerate(plan.levels):
        _add_level(level, chart, number, outside.cells, total)
    return total


def _add_level(
    level: Level, chart: Chart, number: int, cells: torch.Tensor, total: NDArray[np.float64]
) -> None:
    """Add the posteriors of all splits of a level to their corners."""
    import torch

    kept = chart.levels[number]
    lattice, folded = chart.plan.lattice, chart.folded
    gradient = cells[level.cells] * kept.inverse[:, None]
    for group in level.groups:
        rows = slice(group.start, group.stop)
        shares = _split_shares(group, chart, gradient[rows], kept.ref[rows])
        _add(lattice, level.cells[rows], group.left, shares, total)
    slot = level.slot % len(folded.leaf)
    weight = torch.exp(folded.leaf_scale[slot] + chart.scale[level.rest] - kept.ref[:, None])
    rules = folded.beside[level.slot].view(*slot.shape, gradient.shape[1], -1)
    shares = torch.einsum("cwba,ca,cwb->cw", rules, gradient, chart.value[level.rest]) * weight
    half = slot.shape[1] // 2
    _add_slots(lattice, level.cells, slot[:, :half], shares[:, :half], total)
    _add(lattice, level.cells, level.rest[:, half:], shares[:, half:], total)
    if len(level.row):
        first, second, row = level.first, level.second, level.row
        weight = torch.exp(folded.leaf_scale[first] + folded.leaf_scale[second] - kept.ref[row])
        parts = torch.einsum("xta,xa,xt->x", folded.two[first], gradient[row], folded.leaf[second])
        places = level.cells[row]
        _add_slots(lattice, places, first[:, None], (parts * weight)[:, None], total)


def _split_shares(
    group: Group, chart: Chart, gradient: torch.Tensor, ref: torch.Tensor
) -> torch.Tensor:
    """The posteriors of a group's splits: float[rows, splits]."""
    import torch

    symbols = gradient.shape[1]
    down = (gradient @ chart.folded.inner.T).view(-1, symbols, symbols)
    left, right = children(group, chart.value)
    weight = torch.exp(split_scales(group, chart.scale) - ref[:, None])
    return (torch.bmm(left, down) * right).sum(2) * weight


def _add(
    lattice: Lattice,
    cells: torch.Tensor,
    left: torch.Tensor,
    shares: torch.Tensor,
    total: NDArray[np.float64],
) -> None:
    """Add shares [cells, ways] at the corners where the left children, given by cell, end."""
    import numpy as np

    pair, i, a, j, b = (one[:, None] for one in place_of(lattice, cells.cpu().numpy()))
    flat = left.cpu().numpy()
    _, _, u, _, v = (one.reshape(flat.shape) for one in place_of(lattice, flat.ravel()))
    both = (a > 0) & (b > 0) & (u + v > 0)
    corner = lattice.slot_base[pair] + (i + u) * (lattice.target[pair] + 1) + j + v
    np.add.at(total, np.where(both, corner, 0), np.where(both, shares.double().cpu().numpy(), 0))


def _add_slots(
    lattice: Lattice,
    cells: torch.Tensor,
    slots: torch.Tensor,
    shares: torch.Tensor,
    total: NDArray[np.float64],
) -> None:
    """The same where the left children are leaves, given by slot."""
    import numpy as np

    pair, i, a, j, b = (one[:, None] for one in place_of(lattice, cells.cpu().numpy()))
    width = lattice.target[pair] + 1
    row, column = np.divmod(slots.cpu().numpy() - lattice.slot_base[pair], width)
    u, v = row > 0, column > 0
    both = (a > 0) & (b > 0) & (u | v)
    corner = lattice.slot_base[pair] + (i + u) * width + j + v
    np.add.at(total, np.where(both, corner, 0), np.where(both, shares.double().cpu().numpy(), 0))
