"""One derivation of each pair of a batch, cell by cell, and how it becomes flat trees.

No cell and no slot occurs twice in a tree, so a derivation is written at its cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from augkit.grammars.batches import Batch
from augkit.grammars.lattice import Lattice
from augkit.grammars.trees import EMPTY, Trees

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Derivations:
    """A tree of each pair.

    ``label`` is int64[cells], -1 where the tree has no node; ``left`` and ``right`` are
    int64[cells]: the number of a cell, or ``cells`` + the number of a slot; ``leaf`` is
    int64[slots], the pre-terminal (from 0), -1 where the tree has no leaf. ``score`` is
    float[pairs]: what the tree was chosen for.
    """

    label: torch.Tensor
    left: torch.Tensor
    right: torch.Tensor
    leaf: torch.Tensor
    score: torch.Tensor


def blank(lattice: Lattice, score: torch.Tensor) -> Derivations:
    """No node anywhere yet."""
    import torch

    def nothing(size: int) -> torch.Tensor:
        return torch.full((size,), EMPTY, dtype=torch.int64, device=score.device)

    cells = lattice.cells
    return Derivations(
        nothing(cells), nothing(cells), nothing(cells), nothing(lattice.slots), score
    )


def to_trees(
    found: Derivations, batch: Batch, symbols: int, documents: Sequence[int] | Ints
) -> Trees:
    """Flat post-order trees of all pairs; ``documents`` are the numbers of the batch's texts."""
    import numpy as np

    lattice = batch.lattice
    label, left, right, leaf, word_a, word_b = (
        one.cpu().numpy()
        for one in (found.label, found.left, found.right, found.leaf, batch.word_a, batch.word_b)
    )
    left, right = (np.append(one, np.full(lattice.slots, EMPTY)) for one in (left, right))
    levels = _by_depth(lattice.tops, left, right)
    size = _sizes(levels, left, right)
    ends = np.cumsum(size[lattice.tops])
    place = _places(levels, left, right, size, ends)
    used = np.concatenate(levels)
    columns = {
        "label": np.append(label, leaf + symbols),
        "left": np.where(left == EMPTY, EMPTY, place[left]),
        "right": np.where(right == EMPTY, EMPTY, place[right]),
        "leaf_a": np.append(np.full(lattice.cells, EMPTY), word_a),
        "leaf_b": np.append(np.full(lattice.cells, EMPTY), word_b),
    }
    rows = place[used]
    arrays = {}
    for name, column in columns.items():
        arrays[name] = np.empty(len(used), np.int32)
        arrays[name][rows] = column[used]
    doc = np.repeat(np.asarray(documents, np.int32), size[lattice.tops])
    return Trees(**arrays, doc=doc)


def _by_depth(tops: Ints, left: Ints, right: Ints) -> list[Ints]:
    """The nodes of all trees, those of one depth together."""
    import numpy as np

    levels = [tops]
    while len(levels[-1]):
        inner = levels[-1][left[levels[-1]] != EMPTY]
        levels.append(np.concatenate([left[inner], right[inner]]))
    return levels[:-1]


def _sizes(levels: list[Ints], left: Ints, right: Ints) -> Ints:
    """The number of nodes under each node, itself included."""
    import numpy as np

    size = np.ones(len(left), np.int64)
    for nodes in reversed(levels):
        inner = nodes[left[nodes] != EMPTY]
        size[inner] += size[left[inner]] + size[right[inner]]
    return size


def _places(levels: list[Ints], left: Ints, right: Ints, size: Ints, ends: Ints) -> Ints:
    """The row of each node in post-order: a right child stands just before its parent."""
    import numpy as np

    place = np.zeros(len(left), np.int64)
    place[levels[0]] = ends - 1
    for nodes in levels:
        inner = nodes[left[nodes] != EMPTY]
        place[right[inner]] = place[inner] - 1
        place[left[inner]] = place[inner] - 1 - size[right[inner]]
    return place
