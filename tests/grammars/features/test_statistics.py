"""Mutual information, held-out figures and groups, by hand-computed cases and plain loops."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.grammars.features.feature_groups import PickConfig, group, pick
from augkit.grammars.features.mutual_information import (
    Labelled,
    measure,
    mutual_information,
    telling_label,
)
from augkit.grammars.features.subtrees import incidence, subtrees


def plain_information(present, totals):
    """The definition, term by term."""
    joint = {}
    for label, (here, all_rows) in enumerate(zip(present, totals, strict=True)):
        joint[1, label], joint[0, label] = here + 1, all_rows - here + 1
    whole = sum(joint.values())
    value = 0.0
    for (z, label), count in joint.items():
        p_z = sum(n for (other, _), n in joint.items() if other == z) / whole
        p_label = sum(n for (_, other), n in joint.items() if other == label) / whole
        value += count / whole * math.log(count / whole / (p_z * p_label))
    return value


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=2, max_size=4))
def test_information_is_the_definition(counts):
    """Vectorised mutual information is the sum of its definition."""
    present = np.array([here for here, _ in counts])
    totals = present + np.array([other for _, other in counts])
    (value,) = mutual_information(present[None], totals)
    assert value == pytest.approx(plain_information(present, totals), abs=1e-12)


def test_a_rare_label_can_be_given_away():
    """With labels of unequal size the label is the one that the feature favours."""
    assert telling_label(np.array([[60, 30], [30, 1]]), np.array([900, 100])).tolist() == [1, 0]


def test_held_out_rows_have_no_say_in_the_label():
    """The label is settled on the picking rows, and the other rows can prove it wrong."""
    labels = np.array([0, 0, 1, 1] * 10)
    held = np.arange(40) >= 20
    feature = np.where(held, labels == 1, labels == 0)
    rows = np.flatnonzero(feature)
    matrix = incidence(rows, np.zeros(len(rows), dtype=np.int64), (40, 1))
    measured = measure(matrix, Labelled(("no", "yes"), labels, held))
    assert measured.label.tolist() == [0]
    assert measured.share().tolist() == [1.0]
    assert measured.share(held_out=True).tolist() == [0.0]
    assert measured.chance.tolist() == [1.0]


def test_a_feature_that_is_not_there_has_no_share():
    """Without held-out rows that hold a feature its share is not a number, and its chance is 1."""
    matrix = incidence(np.array([0]), np.array([0]), (4, 1))
    labelled = Labelled(("a", "b"), np.array([0, 1, 0, 1]), np.array([False, False, True, True]))
    measured = measure(matrix, labelled)
    assert math.isnan(measured.share(held_out=True)[0])
    assert measured.chance.tolist() == [1.0]


def test_groups_are_unions(make_forest):
    """A group holds in a row exactly when one of its members does; all members share its root."""
    rng = np.random.default_rng(5)
    trees = make_forest(rng, 300, symbols=3, words=3)
    labelled = Labelled(("a", "b"), rng.integers(0, 2, 300), rng.random(300) < 0.4)
    picked = pick(trees, subtrees(trees), trees.doc, labelled, PickConfig(top=40))
    groups = group(picked, labelled)
    assert sorted(np.concatenate(groups.members).tolist()) == list(range(len(picked.root)))
    dense = picked.occurrences.toarray()
    for place, members in enumerate(groups.members):
        assert set(picked.root[members]) == {groups.root[place]}
        assert set(picked.measured.label[members]) == {groups.measured.label[place]}
        either = groups.occurrences[:, [place]].toarray().ravel()
        assert (either == dense[:, members].any(axis=1)).all()
    assert (np.diff(groups.measured.information) <= 0).all()


def test_small_trees_can_be_left_out(make_forest):
    """``min_leaves`` keeps single words out, ``min_rows`` rare features."""
    rng = np.random.default_rng(6)
    trees = make_forest(rng, 200, symbols=2, words=2)
    labelled = Labelled(("a", "b"), rng.integers(0, 2, 200), rng.random(200) < 0.4)
    config = PickConfig(top=50, min_leaves=2, min_rows=4)
    picked = pick(trees, subtrees(trees), trees.doc, labelled, config)
    roots = picked.trees.roots
    assert (picked.trees.left[roots] >= 0).all()
    assert (picked.measured.counts.sum(axis=1) >= 4).all()
