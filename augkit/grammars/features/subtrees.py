"""Features of trees: every complete subtree and every rule, numbered exactly by hash-consing.

A complete subtree is a node with everything below it, down to the words. Two nodes have the
same subtree exactly when their labels are equal and their children have the same subtrees, so one
pass over the heights numbers all of them: a leaf by its label and words, an inner node by its label
and the numbers of its children. The key is one integer without collisions, and sorting finds equal
ones. No strings are built.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from augkit.core.arrays import Ints
from augkit.core.errors import DataError
from augkit.grammars.trees import ABSENT, Trees

_ID_BITS = 25
_WORD_BITS = 20
_LABEL_LIMIT = 2**13


@dataclass(frozen=True)
class NumberedFeatures:
    """Nodes by feature: ``of_node`` int[nodes], -1 for none; ``first`` int[features], a node."""

    of_node: Ints
    first: Ints

    def __len__(self) -> int:
        """The number of different features."""
        return len(self.first)


def subtrees(trees: Trees) -> NumberedFeatures:
    """The complete subtree of every node, leaves included.

    Sorting dominates: O(n log n) for n nodes, in as many steps as the highest tree has levels.
    """
    import numpy as np

    _check_labels(trees)
    of_node = np.full(len(trees.label), -1, dtype=np.int64)
    parent = np.full(len(trees.label), -1, dtype=np.int64)
    inner = np.flatnonzero(trees.left >= 0)
    parent[trees.left[inner]] = parent[trees.right[inner]] = inner
    firsts: list[Ints] = []
    level = np.flatnonzero(trees.left < 0)
    keys = _leaf_keys(trees, level)
    while level.size:
        _number(level, keys, of_node, firsts)
        if sum(map(len, firsts)) >= 2**_ID_BITS:
            raise DataError(
                f"there are more than {2**_ID_BITS:,} different subtrees, which is more than can "
                "be numbered. Give fewer rows with --limit"
            )
        above = parent[level][parent[level] >= 0]
        done = (of_node[trees.left[above]] >= 0) & (of_node[trees.right[above]] >= 0)
        level = np.unique(above[done])  # both children are numbered
        left, right = (of_node[side[level]] for side in (trees.left, trees.right))
        keys = _inner_keys(trees.label[level].astype(np.int64), left, right)
    first = np.concatenate(firsts) if firsts else np.empty(0, dtype=np.int64)
    return NumberedFeatures(of_node, first)


def rules(trees: Trees, *, lexical: bool = False) -> NumberedFeatures:
    """The rule A → B C of every inner node; with ``lexical`` also A → word of every leaf."""
    import numpy as np

    _check_labels(trees)
    of_node = np.full(len(trees.label), -1, dtype=np.int64)
    inner = np.flatnonzero(trees.left >= 0)
    label = trees.label.astype(np.int64)
    nodes = [
        (inner, _inner_keys(label[inner], label[trees.left[inner]], label[trees.right[inner]]))
    ]
    if lexical:
        leaves = np.flatnonzero(trees.left < 0)
        nodes.append((leaves, _leaf_keys(trees, leaves)))
    firsts: list[Ints] = []
    for level, keys in nodes:
        _number(level, keys, of_node, firsts)
    return NumberedFeatures(of_node, np.concatenate(firsts))


def occurrences(numbered: NumberedFeatures, row_of_node: Ints, rows: int) -> Any:
    """Which rows have which features: a sparse boolean matrix (CSR) [rows, features].

    ``row_of_node`` int[nodes] is the row that a node's tree belongs to. A feature that occurs
    several times in a row counts once.
    """
    import numpy as np

    nodes = np.flatnonzero(numbered.of_node >= 0)
    return incidence(row_of_node[nodes], numbered.of_node[nodes], (rows, len(numbered)))


def incidence(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    """The boolean CSR matrix with these entries, each once."""
    import numpy as np
    from scipy.sparse import csr_matrix

    width = max(shape[1], 1)
    flat = np.unique(rows.astype(np.int64) * width + columns)
    starts = np.concatenate([[0], np.cumsum(np.bincount(flat // width, minlength=shape[0]))])
    return csr_matrix((np.ones(len(flat), dtype=bool), flat % width, starts), shape=shape)


def match_subtrees(wanted: Trees, trees: Trees) -> Ints:
    """For every node the index of the wanted tree that is its subtree, or -1: int[nodes].

    Both are numbered together, so the result is exact. The wanted trees must differ.
    """
    import numpy as np

    numbered = subtrees(Trees.join([wanted, trees]))
    index = np.full(len(numbered), -1, dtype=np.int64)
    index[numbered.of_node[wanted.roots]] = np.arange(len(wanted.roots))
    return index[numbered.of_node[len(wanted) :]]


def extract_subtrees(trees: Trees, nodes: Ints) -> Trees:
    """The complete subtrees of some nodes as trees of their own, in the order given."""
    import numpy as np

    starts = first_leaves(trees, nodes)
    sizes = nodes - starts + 1
    shift = np.repeat(np.cumsum(sizes) - sizes - starts, sizes)
    rows = np.arange(sizes.sum()) - shift
    label, leaf_a, leaf_b = (side[rows] for side in (trees.label, trees.leaf_a, trees.leaf_b))
    left, right = (
        np.where(side[rows] < 0, ABSENT, side[rows] + shift).astype(np.int32)
        for side in (trees.left, trees.right)
    )
    doc = np.repeat(np.arange(len(nodes), dtype=np.int32), sizes)
    return Trees(label=label, left=left, right=right, leaf_a=leaf_a, leaf_b=leaf_b, doc=doc)


def leaf_counts(trees: Trees) -> Ints:
    """The number of leaves below every node, itself where it is one: int[nodes].

    In post-order the nodes of a subtree are consecutive and end with its root.
    """
    import numpy as np

    before = np.concatenate([[0], np.cumsum(trees.left < 0)])
    nodes = np.arange(len(trees.label))
    return np.asarray(before[nodes + 1] - before[first_leaves(trees, nodes)])


def first_leaves(trees: Trees, nodes: Ints) -> Ints:
    """The leftmost leaf below every node, where its subtree begins."""
    import numpy as np

    at = nodes.astype(np.int64)
    going = np.flatnonzero(trees.left[at] >= 0)
    while going.size:
        at[going] = trees.left[at[going]]
        going = going[trees.left[at[going]] >= 0]
    return at


def _number(nodes: Ints, keys: Ints, of_node: Ints, firsts: list[Ints]) -> None:
    """Number nodes by their keys, after all the numbers given before."""
    import numpy as np

    _, index, inverse = np.unique(keys, return_index=True, return_inverse=True)
    of_node[nodes] = sum(map(len, firsts)) + inverse
    firsts.append(nodes[index])


def _leaf_keys(trees: Trees, leaves: Ints) -> Ints:
    import numpy as np

    first, second = (side[leaves].astype(np.int64) + 1 for side in (trees.leaf_a, trees.leaf_b))
    label = trees.label[leaves].astype(np.int64)
    return (label << (2 * _WORD_BITS)) | (first << _WORD_BITS) | second


def _inner_keys(label: Ints, left: Ints, right: Ints) -> Ints:
    return (label << (2 * _ID_BITS)) | (left << _ID_BITS) | right


def _check_labels(trees: Trees) -> None:
    if len(trees.label) and int(trees.label.max()) >= _LABEL_LIMIT:
        raise DataError(
            f"features of a grammar of {_LABEL_LIMIT} or more symbols cannot be numbered"
        )
