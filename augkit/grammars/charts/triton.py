"""Inside, outside and Viterbi on a GPU, level by level, through the Triton kernels.

The sums of the outside pass are added in no fixed order, so gradients repeat to rounding only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from augkit.grammars.charts.batches import move
from augkit.grammars.charts.derivations import Derivations, blank
from augkit.grammars.charts.emissions import has_kernels
from augkit.grammars.charts.index_plan import Rule, plan_cells
from augkit.grammars.charts.inside import EMPTY, Folded, Potentials, fold
from augkit.grammars.charts.lattice import Lattice, cells_of, locate
from augkit.grammars.charts.outside import Outside, Sums, unfold
from augkit.grammars.charts.viterbi import Down, MaxRules, descend, fold_max

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray


LAUNCH = {
    "inside": {"BK": 16, "num_warps": 1},
    "outside": {"BK": 16, "num_warps": 1},
    "best": {"BK": 4, "num_warps": 4},
    "best_finish": {"BM": 16, "BK": 8, "num_warps": 4},
}
"""Splits at a time and warps of a program, the fastest of those tried on an H200."""


@dataclass(frozen=True)
class Places:
    """All cells of a batch, level after level, as the kernels read them.

    ``place`` and ``pair`` are int32[cells of symbols], ``own`` their numbers (filled by the inside
    pass), ``sizes`` int32[pairs, 4]; ``bounds`` are the levels' first positions.
    """

    lattice: Lattice
    place: torch.Tensor
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


def place_cells(lattice: Lattice, device: torch.device) -> Places:
    """Sort the cells of a batch by level: counts on the host, the cells on the GPU."""
    import numpy as np
    import torch

    shapes = list(zip(lattice.source.tolist(), lattice.target.tolist(), strict=True))
    parts = [_packed_cells(*shape) for shape in shapes]
    counts = np.zeros((len(parts), lattice.levels + 1), np.int64)
    for row, (_, count) in zip(counts, parts, strict=True):
        row[: len(count)] = count
    total = int(counts.sum())
    by_pair = (np.cumsum(counts) - counts.ravel()).reshape(counts.shape)
    across = counts.T.ravel()
    shift = by_pair.T.ravel() - (np.cumsum(across) - across)
    table = np.stack([across, shift, np.tile(np.arange(len(parts)), counts.shape[1])])
    across_, shift_, pair_ = move(table, device)
    group = torch.repeat_interleave(across_, output_size=total)
    packed = move(np.concatenate([cells for cells, _ in parts]), device)
    place = packed[torch.arange(total, device=device) + shift_[group]]
    sizes = np.stack([lattice.source, lattice.target, lattice.cell_base, lattice.slot_base], 1)
    return Places(
        lattice,
        place,
        pair_[group].int(),
        torch.empty(total, dtype=torch.int32, device=device),
        move(sizes.astype(np.int32), device),
        move(lattice.tops, device),
        np.append(0, np.cumsum(counts.sum(0))).tolist(),
    )


@lru_cache(maxsize=4096)
def _packed_cells(n: int, m: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """(i, a, j, b) of a pair's cells in four bytes, by level, and the count of each level."""
    import numpy as np

    i, a, j, b = cells_of(n, m).T
    order = np.argsort(a + b, kind="stable")
    packed = (i | a << 8 | j << 16 | b << 24)[order]
    return packed.astype(np.uint32).view(np.int32), np.bincount(a + b)


@dataclass(frozen=True)
class GpuChart:
    """What the inside pass leaves for the outside pass; P is float[cells of symbols, A*A]."""

    places: Places
    folded: Folded
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


def _options(potentials: Potentials, published: bool) -> dict[str, Any]:
    import torch

    exact = torch.get_float32_matmul_precision() == "highest"
    return {
        "A": potentials.symbols,
        "T": potentials.emissions.shape[1],
        "PRECISION": "ieee" if exact else "tf32",
        "PUBLISHED": published,
    }


def run_inside(potentials: Potentials, lattice: Lattice, *, published: bool) -> GpuChart:
    """The chart of a batch and the log-likelihood of each pair: float[pairs]."""
    import torch

    from augkit.grammars.charts import triton_kernels as kernels

    places = place_cells(lattice, potentials.rules.device)
    folded = fold(potentials, places.sizes[:, 3].long())
    symbols, count = potentials.symbols, len(places.place)
    value = potentials.rules.new_zeros(lattice.cells, symbols)
    scale = potentials.rules.new_full((lattice.cells,), EMPTY)
    new = potentials.rules.new_empty
    products, extra, ref, inverse = (
        new(count, symbols**2),
        new(count, symbols),
        new(count),
        new(count),
    )
    options = _options(potentials, published)
    finish = {"A": symbols, "PRECISION": options["PRECISION"], "BM": 32, "BK": 64}
    rules = folded.leaf, folded.leaf_scale, folded.beside, folded.two
    where = places.place, places.pair, places.sizes
    for first, last in places.levels:
        kernels.inside_products[(last - first,)](
            value, scale, *rules, *where, places.own, products, extra, ref,
            lattice.slots, first, **options, **LAUNCH["inside"],
        )  # fmt: skip
        kernels.inside_finish[(-(-(last - first) // 32),)](
            products, extra, ref, folded.inner, places.own, value, scale, inverse,
            first, last, **finish, num_warps=4,
        )  # fmt: skip
    top = (value[places.tops] * potentials.root.exp()).sum(1)
    found = scale[places.tops] + torch.log(top)
    return GpuChart(places, folded, value, scale, products, ref, inverse, found)


def run_outside(
    potentials: Potentials, chart: GpuChart, weight: torch.Tensor, *, published: bool
) -> Outside:
    """The outside pass; ``weight`` is float[pairs], the gradient of each log-likelihood."""
    import torch

    from augkit.grammars.charts import triton_kernels as kernels

    folded, places, symbols = chart.folded, chart.places, potentials.symbols
    root, top = potentials.root.exp(), chart.value[places.tops]
    share = (weight / (top * root).sum(1))[:, None]
    names = [chart.value, folded.beside, folded.two, folded.leaf]
    cells, beside, two, leaf = (torch.zeros_like(one) for one in names)
    cells[places.tops] = share * root
    scaled = cells.new_empty(len(places.place), symbols)
    down = cells.new_empty(max(last - first for first, last in places.levels), symbols**2)
    options = _options(potentials, published)
    spread = {"A": symbols, "PRECISION": options["PRECISION"], "BM": 32, "BK": 64}
    rules = folded.leaf, folded.leaf_scale, folded.beside, folded.two
    where = places.place, places.pair, places.sizes
    for first, last in reversed(places.levels):
        kernels.outside_down[(-(-(last - first) // 32),)](
            cells, chart.inverse, places.own, folded.inner, scaled, down,
            first, last, **spread, num_warps=4,
        )  # fmt: skip
        kernels.outside_parts[(last - first,)](
            chart.value, chart.scale, *rules, *where, chart.ref, scaled, down,
            cells, leaf, beside, two, potentials.emissions.shape[0], first,
            **options, **LAUNCH["outside"],
        )  # fmt: skip
    sums = Sums(cells, chart.products.T @ scaled, beside, two, leaf)
    by_rules, by_emissions = unfold(folded, sums)
    return Outside(cells, by_rules, root * (share * top).sum(0), by_emissions)


def run_viterbi(potentials: Potentials, lattice: Lattice, *, published: bool) -> Derivations:
    """The best derivation of each pair and its log probability."""
    import torch

    places = place_cells(lattice, potentials.rules.device)
    rules = fold_max(potentials, places.sizes[:, 3].long())
    score, best = _best_scores(potentials, places, rules, published)
    top = score[places.tops] + potentials.root
    found = blank(lattice, top.amax(1))
    found.label[places.tops] = top.argmax(1)
    at = torch.empty(lattice.cells, dtype=torch.int64, device=score.device)
    at[places.own.long()] = torch.arange(len(places.own), device=score.device)
    for cells in _frontiers(lattice, found):
        level = plan_cells(lattice, locate(lattice, cells), score.device, Rule(published))
        pairs = tuple(best[at[level.cells[group.start : group.stop]]] for group in level.groups)
        descend(level, pairs, potentials, rules, Down(score, found))
    return found


def _frontiers(lattice: Lattice, found: Derivations) -> Iterator[NDArray[np.int64]]:
    """The inner nodes of all trees, depth by depth, as the trees grow."""
    import torch

    cells = torch.from_numpy(lattice.tops).to(found.label.device)
    while len(cells):
        yield cells.cpu().numpy()
        below = torch.cat([found.left[cells], found.right[cells]])
        cells = below[below < lattice.cells]


def _best_scores(
    potentials: Potentials, places: Places, rules: MaxRules, published: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Scores float[cells, A] and the best pairs float[cells of symbols, A*A]."""
    from augkit.grammars.charts import triton_kernels as kernels

    symbols, count = potentials.symbols, len(places.place)
    new = potentials.rules.new_empty
    score = potentials.rules.new_full((places.lattice.cells, symbols), EMPTY)
    best, extra = new(count, symbols**2), new(count, symbols)
    options = _options(potentials, published)
    del options["PRECISION"]
    where = places.place, places.pair, places.sizes, places.own
    for first, last in places.levels:
        kernels.best_pairs[(last - first,)](
            score, potentials.emissions, rules.beside, rules.two, *where, best, extra,
            len(potentials.emissions), first, **options, **LAUNCH["best"],
        )  # fmt: skip
        kernels.best_finish[(-(-(last - first) // LAUNCH["best_finish"]["BM"]),)](
            best, extra, rules.inner, places.own, score, first, last,
            A=symbols, **LAUNCH["best_finish"],
        )  # fmt: skip
    return score, best
