"""One derivation of each pair of a batch, stored by cell, and its conversion into flat trees.

No cell and no slot occurs twice in a tree, so a derivation can be stored by its cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from augkit.core.arrays import Ints
from augkit.grammars.charts.batches import TextBatch
from augkit.grammars.charts.synchronous_cells import Lattice
from augkit.grammars.trees import ABSENT, Trees


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


def empty_derivations(lattice: Lattice, score: torch.Tensor) -> Derivations:
    """No node anywhere yet."""
    sizes = lattice.cells, lattice.cells, lattice.cells, lattice.slots
    label, left, right, leaf = (
        torch.full((size,), ABSENT, dtype=torch.int64, device=score.device) for size in sizes
    )
    return Derivations(label, left, right, leaf, score)


def to_trees(
    derivations: Derivations, batch: TextBatch, symbols: int, documents: Sequence[int] | Ints
) -> Trees:
    """Flat post-order trees of all pairs; ``documents`` are the numbers of the batch's texts."""
    cells = len(derivations.label)
    depths = [nodes.cpu().numpy() for nodes in nodes_by_depth(derivations, batch.lattice)]
    nodes = np.concatenate(depths)
    is_cell = nodes < cells
    inner = nodes[is_cell]
    slots = nodes[~is_cell] - cells
    columns = {name: np.full(len(nodes), ABSENT) for name in ("left", "right", "leaf_a", "leaf_b")}
    columns["label"] = np.empty(len(nodes), np.int64)
    columns["label"][is_cell] = _values(derivations.label, inner)
    columns["label"][~is_cell] = _values(derivations.leaf, slots) + symbols
    columns["leaf_a"][~is_cell] = _values(batch.word_a, slots)
    columns["leaf_b"][~is_cell] = _values(batch.word_b, slots)
    # Depth by depth, the left children of one depth's cells come first, then the right ones.
    first = len(depths[0])
    for depth in depths[:-1]:
        parents = np.flatnonzero(depth < cells) + first - len(depth)
        columns["left"][parents] = first + np.arange(len(parents))
        columns["right"][parents] = first + len(parents) + np.arange(len(parents))
        first += 2 * len(parents)
    bounds = np.cumsum([len(depth) for depth in depths])
    return _in_post_order(columns, bounds, np.asarray(documents, np.int32))


def _values(column: torch.Tensor, at: Ints) -> Ints:
    taken: Ints = column[torch.from_numpy(at).to(column.device)].cpu().numpy()
    return taken


def nodes_by_depth(derivations: Derivations, lattice: Lattice) -> Iterator[torch.Tensor]:
    """The nodes of all trees, those of one depth together: cells, or ``cells`` + slots.

    The trees may grow meanwhile: children are looked up when the next depth is asked for.
    """
    nodes = torch.from_numpy(lattice.tops).to(derivations.label.device)
    while len(nodes):
        yield nodes
        inner = nodes[nodes < len(derivations.label)]
        nodes = torch.cat([derivations.left[inner], derivations.right[inner]])


def _in_post_order(columns: dict[str, Ints], bounds: Ints, documents: NDArray[np.int32]) -> Trees:
    """Nodes by depth as rows in post-order: a right child comes just before its parent."""
    left = columns["left"]
    right = columns["right"]
    inner_by_depth = [
        start + np.flatnonzero(left[start:stop] != ABSENT)
        for start, stop in zip([0, *bounds], bounds, strict=False)
    ]
    size = np.ones(len(left), np.int64)  # the nodes under each node, itself included
    for inner in reversed(inner_by_depth):
        size[inner] += size[left[inner]] + size[right[inner]]
    tops = size[: bounds[0]]
    position = np.empty(len(left), np.int64)
    position[: bounds[0]] = np.cumsum(tops) - 1
    for inner in inner_by_depth:
        position[right[inner]] = position[inner] - 1
        position[left[inner]] = position[inner] - 1 - size[right[inner]]
    for name in ("left", "right"):
        columns[name] = np.where(columns[name] == ABSENT, ABSENT, position[columns[name]])
    arrays = {}
    for name, column in columns.items():
        arrays[name] = np.empty(len(column), np.int32)
        arrays[name][position] = column
    return Trees(**arrays, doc=np.repeat(documents, tops))
