"""Inside, outside and Viterbi on a GPU, level by level, through the Triton kernels.

The sums of the outside pass are added in no fixed order, so gradients repeat to rounding only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from augkit.core.arrays import Ints
from augkit.grammars.charts.batches import to_device
from augkit.grammars.charts.derivations import (
    Derivations,
    empty_derivations,
    nodes_by_depth,
)
from augkit.grammars.charts.emissions import has_kernels
from augkit.grammars.charts.index_plan import plan_cells
from augkit.grammars.charts.inside import LOG_ZERO, FoldedRules, Potentials, fold_leaves
from augkit.grammars.charts.outside import Outside, OutsideSums, unfold_leaves
from augkit.grammars.charts.synchronous_cells import Lattice, cells_of, count_splits
from augkit.grammars.charts.viterbi import MaxRules, ViterbiDescent, descend, fold_max

LAUNCH = {
    "inside": {"BK": 16, "num_warps": 1, "maxnreg": 128},
    "inside_finish": {"BM": 32, "BK": 64, "num_warps": 4},
    "outside": {"BK": 16, "num_warps": 2},
    "outside_down": {"BM": 32, "BK": 64, "num_warps": 4},
    "outside_beside": {"BK": 16, "num_warps": 1},
    "best": {"BK": 4, "num_warps": 4},
    "best_finish": {"BM": 16, "BK": 8, "num_warps": 4},
}
"""Splits at a time, warps and registers of a program, the fastest of those tried on an H200."""

_COMPILED_SINCE = (3, 6)
"""The first release of Triton with which compiled kernels were launched here."""


@dataclass(frozen=True)
class CellTable:
    """All cells of a batch, level after level, as the kernels read them.

    ``packed`` and ``pair`` are int32[cells of symbols], ``own`` their numbers (filled in by the
    inside pass), ``sizes`` int32[pairs, 4]; ``bounds`` are the levels' first positions.
    """

    lattice: Lattice
    packed: torch.Tensor
    pair: torch.Tensor
    own: torch.Tensor
    sizes: torch.Tensor
    tops: torch.Tensor
    bounds: list[int]

    @property
    def levels(self) -> list[tuple[int, int]]:
        """(first, last) of the levels that have cells, lowest first."""
        pairs = zip(self.bounds, self.bounds[1:], strict=False)
        return [(first, last) for first, last in pairs if last > first]

    def positions(self, rows: torch.Tensor) -> list[Ints]:
        """Pair, i, a, j, b of some rows, by descending number of splits."""
        packed = self.packed[rows].cpu().numpy().astype(np.int64)
        pair = self.pair[rows].cpu().numpy().astype(np.int64)
        i, a, j, b = (packed >> shift & 255 for shift in (0, 8, 16, 24))
        order = np.argsort(-count_splits(self.lattice)[a, b], kind="stable")
        return [column[order] for column in (pair, i, a, j, b)]


def cells_by_level(lattice: Lattice, device: torch.device) -> CellTable:
    """Sort the cells of a batch by level: counts on the host, the cells on the GPU."""
    shapes = list(zip(lattice.source.tolist(), lattice.target.tolist(), strict=True))
    parts = [_packed_cells(*shape) for shape in shapes]
    counts = np.zeros((len(parts), lattice.levels + 1), np.int64)
    for row, (_, count) in zip(counts, parts, strict=True):
        row[: len(count)] = count
    total = int(counts.sum())
    by_pair = (np.cumsum(counts) - counts.ravel()).reshape(counts.shape)
    across = counts.T.ravel()
    shift = by_pair.T.ravel() - (np.cumsum(across) - across)
    groups = np.stack([across, shift, np.tile(np.arange(len(parts)), counts.shape[1])])
    across_, shift_, pair_ = to_device(groups, device)
    group = torch.repeat_interleave(across_, output_size=total)
    packed = to_device(np.concatenate([cells for cells, _ in parts]), device)
    by_level = packed[torch.arange(total, device=device) + shift_[group]]
    sizes = np.stack([lattice.source, lattice.target, lattice.cell_base, lattice.slot_base], 1)
    return CellTable(
        lattice,
        by_level,
        pair_[group].int(),
        torch.empty(total, dtype=torch.int32, device=device),
        to_device(sizes.astype(np.int32), device),
        to_device(lattice.tops, device),
        np.append(0, np.cumsum(counts.sum(0))).tolist(),
    )


@lru_cache(maxsize=4096)
def _packed_cells(n: int, m: int) -> tuple[NDArray[np.int32], Ints]:
    """(i, a, j, b) of a pair's cells in four bytes, by level, and the count of each level."""
    i, a, j, b = cells_of(n, m).T
    order = np.argsort(a + b, kind="stable")
    packed = (i | a << 8 | j << 16 | b << 24)[order]
    return packed.astype(np.uint32).view(np.int32), np.bincount(a + b)


@dataclass(frozen=True)
class GpuChart:
    """What the inside pass leaves for the outside pass.

    The ``products`` P are float[cells of symbols, A*A]; all else is by the numbers of cells.
    """

    table: CellTable
    folded: FoldedRules
    value: torch.Tensor
    scale: torch.Tensor
    products: torch.Tensor
    ref: torch.Tensor
    inverse: torch.Tensor
    log_likelihood: torch.Tensor


def is_available(potentials: Potentials) -> bool:
    """Whether the kernels can serve: float32 on a GPU, sizes that are powers of two."""
    sizes = potentials.symbols, potentials.emissions.shape[1]
    fits = all(size >= 16 and size & (size - 1) == 0 for size in sizes) and sizes[0] <= 64
    return fits and has_kernels(potentials.rules)


def _options(potentials: Potentials) -> dict[str, Any]:
    exact = torch.get_float32_matmul_precision() == "highest"
    return {
        "A": potentials.symbols,
        "T": potentials.emissions.shape[1],
        "PRECISION": "ieee" if exact else "tf32",
    }


@cache
def _launches_compiled() -> bool:
    """Whether a compiled kernel takes the arguments of its kernel: older releases take fewer."""
    numbers = import_module("triton").__version__.split(".")[:2]
    return tuple(map(int, numbers)) >= _COMPILED_SINCE


class LevelKernel:
    """A kernel that is launched once a level, with the first and the last row of the level.

    Triton looks at every argument of a launch, which takes the host longer than a GPU needs for a
    small level. Here it does so once, because only these two numbers change between levels.
    """

    def __init__(self, kernel: Any, *arguments: Any, **constants: Any) -> None:
        """Take the arguments before the two numbers, and what the kernel is compiled for."""
        self.kernel = kernel
        self.arguments = arguments
        self.cells = constants.get("BM", 1)
        self.constants = [constants.pop(name) for name in kernel.arg_names if name in constants]
        self.options = constants
        self.compiled: Any = None

    def __call__(self, first: int, last: int) -> None:
        """Launch it for the cells of a level."""
        programs = -(-(last - first) // self.cells)
        given = *self.arguments, first, last, *self.constants
        if self.compiled is not None:
            self.compiled[programs, 1, 1](*given)
            return
        compiled = self.kernel[programs, 1, 1](*given, **self.options)
        self.compiled = compiled if _launches_compiled() else None


def run_inside(potentials: Potentials, lattice: Lattice) -> GpuChart:
    """The chart of a batch and the log-likelihood of each pair: float[pairs]."""
    from augkit.grammars.charts import triton_kernels as kernels

    table = cells_by_level(lattice, potentials.rules.device)
    folded = fold_leaves(potentials, table.sizes[:, 3].long())
    symbols = potentials.symbols
    count = len(table.packed)
    value = potentials.rules.new_zeros(lattice.cells, symbols)
    scale = potentials.rules.new_full((lattice.cells,), LOG_ZERO)
    new = potentials.rules.new_empty
    products = new(count, symbols**2)
    extra = new(count, symbols)
    ref = new(lattice.cells)
    inverse = new(lattice.cells)
    options = _options(potentials)
    make_products = LevelKernel(
        kernels.inside_products,
        *(value, scale, folded.leaf, folded.leaf_scale, folded.beside, folded.two),
        *(table.packed, table.pair, table.sizes, table.own, products, extra, ref, lattice.slots),
        **LAUNCH["inside"], **options,
    )  # fmt: skip
    finish = LevelKernel(
        kernels.inside_finish,
        *(products, extra, ref, folded.inner, table.own, value, scale, inverse),
        **LAUNCH["inside_finish"], A=symbols, PRECISION=options["PRECISION"],
    )  # fmt: skip
    for level in table.levels:
        make_products(*level)
        finish(*level)
    top = (value[table.tops] * potentials.root.exp()).sum(1)
    log_p = scale[table.tops] + torch.log(top)
    return GpuChart(table, folded, value, scale, products, ref, inverse, log_p)


def run_outside(potentials: Potentials, chart: GpuChart, weight: torch.Tensor) -> Outside:
    """The outside pass; ``weight`` is float[pairs], the gradient of each log-likelihood."""
    from augkit.grammars.charts import triton_kernels as kernels

    folded = chart.folded
    table = chart.table
    symbols = potentials.symbols
    lattice = table.lattice
    slots = len(potentials.emissions)
    root = potentials.root.exp()
    top = chart.value[table.tops]
    share = (weight / (top * root).sum(1))[:, None]
    cells, two, leaf = map(torch.zeros_like, (chart.value, folded.two, folded.leaf))
    cells[table.tops] = share * root
    scaled = cells.new_empty(len(table.packed), symbols)
    down = cells.new_empty(max(last - first for first, last in table.levels), symbols**2)
    options = _options(potentials)
    precision = options["PRECISION"]
    to_products = LevelKernel(
        kernels.outside_down,
        *(cells, chart.inverse, table.own, folded.inner, scaled, down),
        **LAUNCH["outside_down"], A=symbols, PRECISION=precision,
    )  # fmt: skip
    to_parts = LevelKernel(
        kernels.outside_parts,
        *(chart.value, chart.scale, folded.leaf, folded.leaf_scale, folded.beside, folded.two),
        *(table.packed, table.pair, table.sizes, table.own, chart.ref, scaled, down),
        *(cells, leaf, two, slots),
        **LAUNCH["outside"], **options,
    )  # fmt: skip
    for level in reversed(table.levels):
        to_products(*level)
        to_parts(*level)
    beside = torch.empty_like(folded.beside)
    widest = int(((lattice.source + 1) * (lattice.target + 1)).max())
    kernels.outside_beside[widest, len(lattice.source), 1](
        chart.value, chart.scale, folded.leaf_scale, table.sizes, chart.ref, chart.inverse, cells,
        beside, slots, A=symbols, PRECISION=precision,
        **LAUNCH["outside_beside"],
    )  # fmt: skip
    sums = OutsideSums(cells, chart.products.T @ scaled, beside, two, leaf)
    by_rules, by_emissions = unfold_leaves(folded, sums)
    return Outside(cells, by_rules, root * (share * top).sum(0), by_emissions)


def run_viterbi(potentials: Potentials, lattice: Lattice) -> Derivations:
    """The best derivation of each pair and its log probability."""
    table = cells_by_level(lattice, potentials.rules.device)
    rules = fold_max(potentials, table.sizes[:, 3].long())
    score, best = _best_scores(potentials, table, rules)
    top = score[table.tops] + potentials.root
    derivations = empty_derivations(lattice, top.amax(1))
    derivations.label[table.tops] = top.argmax(1)
    at = torch.empty(lattice.cells, dtype=torch.int64, device=score.device)
    at[table.own.long()] = torch.arange(len(table.own), device=score.device)
    down = ViterbiDescent(potentials, rules, score, derivations)
    for nodes in nodes_by_depth(derivations, lattice):
        cells = nodes[nodes < lattice.cells]
        if not len(cells):
            break
        level = plan_cells(lattice, table.positions(at[cells]), score.device)
        pairs = tuple(best[at[level.cells[group.start : group.stop]]] for group in level.groups)
        descend(level, pairs, down)
    return derivations


def _best_scores(
    potentials: Potentials, table: CellTable, rules: MaxRules
) -> tuple[torch.Tensor, torch.Tensor]:
    """Scores float[cells, A] and the best pairs float[cells of symbols, A*A]."""
    from augkit.grammars.charts import triton_kernels as kernels

    symbols = potentials.symbols
    count = len(table.packed)
    new = potentials.rules.new_empty
    score = potentials.rules.new_full((table.lattice.cells, symbols), LOG_ZERO)
    best = new(count, symbols**2)
    extra = new(count, symbols)
    options = _options(potentials)
    del options["PRECISION"]
    best_pairs = LevelKernel(
        kernels.best_pairs,
        *(score, potentials.emissions, rules.beside, rules.two),
        *(table.packed, table.pair, table.sizes, table.own, best, extra),
        len(potentials.emissions),
        **LAUNCH["best"], **options,
    )  # fmt: skip
    finish = LevelKernel(
        kernels.best_finish,
        *(best, extra, rules.inner, table.own, score),
        **LAUNCH["best_finish"], A=symbols,
    )  # fmt: skip
    for level in table.levels:
        best_pairs(*level)
        finish(*level)
    return score, best
