"""Selection and groups of features, against plain loops."""

import numpy as np

from augkit.grammars.features.feature_groups import (
    SelectionConfig,
    group_features,
    select_features,
)
from augkit.grammars.features.mutual_information import LabelledRows
from augkit.grammars.features.subtrees import subtrees


def test_groups_are_unions(make_forest):
    """A row has a group exactly when it has one of its members; all members share its root."""
    rng = np.random.default_rng(5)
    trees = make_forest(rng, 300, symbols=3, words=3)
    labelled = LabelledRows(("a", "b"), rng.integers(0, 2, 300), rng.random(300) < 0.4)
    selected = select_features(trees, subtrees(trees), trees.doc, labelled, SelectionConfig(top=40))
    groups = group_features(selected, labelled)
    assert sorted(np.concatenate(groups.members).tolist()) == list(range(len(selected.root)))
    dense = selected.occurrences.toarray()
    for index, members in enumerate(groups.members):
        assert set(selected.root[members]) == {groups.root[index]}
        assert set(selected.statistics.label[members]) == {groups.statistics.label[index]}
        either = groups.occurrences[:, [index]].toarray().ravel()
        assert (either == dense[:, members].any(axis=1)).all()
    assert (np.diff(groups.statistics.information) <= 0).all()


def test_small_trees_can_be_left_out(make_forest):
    """``min_leaves`` keeps single words out, ``min_rows`` rare features."""
    rng = np.random.default_rng(6)
    trees = make_forest(rng, 200, symbols=2, words=2)
    labelled = LabelledRows(("a", "b"), rng.integers(0, 2, 200), rng.random(200) < 0.4)
    config = SelectionConfig(top=50, min_leaves=2, min_rows=4)
    selected = select_features(trees, subtrees(trees), trees.doc, labelled, config)
    roots = selected.trees.roots
    assert (selected.trees.left[roots] >= 0).all()
    assert (selected.statistics.counts.sum(axis=1) >= 4).all()
