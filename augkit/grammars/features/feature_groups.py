"""The features that tell most, and the groups they make: by the root of the tree and the label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.grammars.features.mutual_information import (
    Labelled,
    Measured,
    measure,
    mutual_information,
)
from augkit.grammars.features.subtrees import Numbered, extract, leaf_counts, occurrences
from augkit.grammars.trees import Trees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class PickConfig(StrictModel):
    """Which features are looked at more closely."""

    top: int = Field(1_000, ge=1, description="features of the highest mutual information")
    min_rows: int = Field(3, ge=1, description="a feature must be in this many picking rows")
    min_leaves: int = Field(
        1, ge=1, description="a subtree must have this many leaves; 2: no single words"
    )


@dataclass(frozen=True)
class Picked:
    """The picked features, the most telling first.

    ``trees`` has one tree a feature: the subtree itself, or for a rule a tree that uses it.
    ``occurrences`` is bool[rows, features], sparse; ``examined`` is how many there were to pick.
    """

    trees: Trees
    root: Ints
    occurrences: Any
    measured: Measured
    examined: int


@dataclass(frozen=True)
class Groups:
    """Features with one root and one label, joined by "or"; the most telling group first.

    ``members`` are the places of each group's features among the picked, in their order.
    """

    root: Ints
    members: tuple[Ints, ...]
    occurrences: Any
    measured: Measured


def pick(
    trees: Trees, numbered: Numbered, rows: Ints, labelled: Labelled, config: PickConfig
) -> Picked:
    """The features of highest mutual information on the picking rows, measured on the others.

    ``rows`` int[nodes] is the row that each node's tree belongs to.
    """
    import numpy as np

    whole = occurrences(numbered, rows, len(labelled.numbers))
    here = ~labelled.held_out
    counts = labelled.counts(whole, here)
    allowed = counts.sum(axis=1) >= config.min_rows
    if config.min_leaves > 1:
        allowed &= leaf_counts(trees)[numbered.first] >= config.min_leaves
    candidates = np.flatnonzero(allowed)
    information = mutual_information(counts[candidates], labelled.totals(here))
    best = candidates[np.argsort(-information, kind="stable")[: config.top]]
    some = whole[:, best]
    nodes = numbered.first[best]
    return Picked(
        extract(trees, nodes),
        trees.label[nodes].astype(np.int64),
        some,
        measure(some, labelled),
        len(candidates),
    )


def group(picked: Picked, labelled: Labelled) -> Groups:
    """Join the picked features by root and label.

        Z(root, y) = max over s in S(root, y) of Z(s)

    The label of a group is that of its members; its figures are measured anew.

    Reference: friedman2022finding.
    """
    import numpy as np

    kinds = len(labelled.names)
    key = picked.root * kinds + picked.measured.label
    keys, of_feature = np.unique(key, return_inverse=True)
    joined = [np.flatnonzero(of_feature == number) for number in range(len(keys))]
    either = union(picked.occurrences, joined)
    measured = measure(either, labelled, keys % kinds)
    order = np.argsort(-measured.information, kind="stable")
    members = tuple(joined[number] for number in order)
    return Groups(keys[order] // kinds, members, either[:, order], _reordered(measured, order))


def union(occurrences: Any, members: Sequence[Ints]) -> Any:
    """Which rows hold any feature of a group: bool[rows, groups], sparse."""
    import numpy as np
    from scipy.sparse import csr_matrix

    places = np.concatenate([np.empty(0, dtype=np.int64), *members])
    groups = np.repeat(np.arange(len(members)), [len(some) for some in members])
    shape = (occurrences.shape[1], len(members))
    joined = csr_matrix((np.ones(len(places), dtype=np.int64), (places, groups)), shape=shape)
    return (occurrences.astype(np.int64) @ joined).astype(bool).tocsr()


def _reordered(measured: Measured, order: Ints) -> Measured:
    from dataclasses import fields

    return Measured(**{item.name: getattr(measured, item.name)[order] for item in fields(measured)})
