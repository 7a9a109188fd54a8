"""Feature selection by mutual information, and groups of features by root symbol and label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from augkit.core.arrays import Ints
from augkit.core.config import StrictModel
from augkit.grammars.features.mutual_information import (
    FeatureStatistics,
    LabelledRows,
    feature_statistics,
    mutual_information,
)
from augkit.grammars.features.subtrees import (
    NumberedFeatures,
    extract_subtrees,
    leaf_counts,
    occurrences,
)
from augkit.grammars.trees import Trees


class SelectionConfig(StrictModel):
    """Which features are selected."""

    top: int = Field(1_000, ge=1, description="features of the highest mutual information")
    min_rows: int = Field(3, ge=1, description="a feature must be in this many selection rows")
    min_leaves: int = Field(
        1, ge=1, description="a subtree must have this many leaves; 2: no single words"
    )


@dataclass(frozen=True)
class SelectedFeatures:
    """The selected features, the most informative first.

    ``trees`` has one tree per feature: the subtree itself, or for a rule a tree that uses it.
    ``occurrences`` is bool[rows, features], sparse; ``examined`` is the number of
    candidates.
    """

    trees: Trees
    root: Ints
    occurrences: Any
    statistics: FeatureStatistics
    examined: int


@dataclass(frozen=True)
class FeatureGroups:
    """Features with one root and one label, joined by "or"; the most informative group first.

    ``members`` are the indices of each group's features among the selected, in their order.
    """

    root: Ints
    members: tuple[Ints, ...]
    occurrences: Any
    statistics: FeatureStatistics


def select_features(
    trees: Trees,
    numbered: NumberedFeatures,
    rows: Ints,
    labelled: LabelledRows,
    config: SelectionConfig,
) -> SelectedFeatures:
    """The features of highest mutual information on the selection rows, tested on the others.

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
    selected = whole[:, best]
    nodes = numbered.first[best]
    return SelectedFeatures(
        extract_subtrees(trees, nodes),
        trees.label[nodes].astype(np.int64),
        selected,
        feature_statistics(selected, labelled),
        len(candidates),
    )


def group_features(selected: SelectedFeatures, labelled: LabelledRows) -> FeatureGroups:
    """Join the selected features by root and label.

        Z(root, y) = max over s in S(root, y) of Z(s)

    The label of a group is that of its members; its statistics are computed anew.

    Reference: friedman2022finding.
    """
    import numpy as np

    kinds = len(labelled.names)
    key = selected.root * kinds + selected.statistics.label
    keys, of_feature = np.unique(key, return_inverse=True)
    joined = [np.flatnonzero(of_feature == number) for number in range(len(keys))]
    either = union_of_features(selected.occurrences, joined)
    statistics = feature_statistics(either, labelled, keys % kinds)
    order = np.argsort(-statistics.information, kind="stable")
    members = tuple(joined[number] for number in order)
    ordered = FeatureStatistics(*(column[order] for column in vars(statistics).values()))
    return FeatureGroups(keys[order] // kinds, members, either[:, order], ordered)


def union_of_features(occurrences: Any, members: Sequence[Ints]) -> Any:
    """Which rows have any feature of a group: bool[rows, groups], sparse."""
    import numpy as np
    from scipy.sparse import csr_matrix

    features = np.concatenate([np.empty(0, dtype=np.int64), *members])
    groups = np.repeat(np.arange(len(members)), [len(group) for group in members])
    shape = (occurrences.shape[1], len(members))
    joined = csr_matrix((np.ones(len(features), dtype=np.int64), (features, groups)), shape=shape)
    return (occurrences.astype(np.int64) @ joined).astype(bool).tocsr()


@dataclass(frozen=True)
class MinorityGroup:
    """The accuracy of a classifier on the rows that have a feature.

    Supporting rows have the label associated with the feature, counter-examples another one. An
    accuracy is None where there is no such row.
    """

    supporting: int
    supporting_accuracy: float | None
    counter: int
    counter_accuracy: float | None


def minority_groups(
    occurrences: Any, label: Ints, gold: Ints, predicted: Ints
) -> list[MinorityGroup]:
    """One entry per feature; neither classifier nor features may be fitted on these rows.

    ``occurrences`` is bool[rows, features], sparse; ``label`` int[features]; ``gold`` and
    ``predicted`` int[rows].

    Reference: friedman2022finding.
    """
    import numpy as np

    columns = occurrences.tocsc()
    correct = gold == predicted
    groups = []
    for feature, feature_label in enumerate(label):
        rows = columns.indices[columns.indptr[feature] : columns.indptr[feature + 1]]
        supports = gold[rows] == feature_label
        accuracies = [
            float(correct[part].mean()) if len(part) else None
            for part in (rows[supports], rows[~supports])
        ]
        agreeing = int(np.count_nonzero(supports))
        groups.append(MinorityGroup(agreeing, accuracies[0], len(rows) - agreeing, accuracies[1]))
    return groups
