"""Mutual information and held-out statistics, by hand-computed cases and plain loops."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.grammars.features.mutual_information import (
    LabelledRows,
    associated_label,
    feature_statistics,
    mutual_information,
)
from augkit.grammars.features.subtrees import incidence


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


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=2, max_size=4))
def test_information_is_the_definition(counts):
    present = np.array([here for here, _ in counts])
    totals = present + np.array([other for _, other in counts])
    (value,) = mutual_information(present[None], totals)
    assert value == pytest.approx(plain_information(present, totals), abs=1e-12)


def test_a_rare_label_can_be_the_associated_one():
    """With labels of unequal size the label is the one that the feature favours."""
    assert associated_label(np.array([[60, 30], [30, 1]]), np.array([900, 100])).tolist() == [1, 0]


def test_the_label_comes_from_the_selection_rows():
    """Held-out rows can contradict it."""
    labels = np.array([0, 0, 1, 1] * 10)
    held = np.arange(40) >= 20
    feature = np.where(held, labels == 1, labels == 0)
    rows = np.flatnonzero(feature)
    matrix = incidence(rows, np.zeros(len(rows), dtype=np.int64), (40, 1))
    statistics = feature_statistics(matrix, LabelledRows(("no", "yes"), labels, held))
    assert statistics.label.tolist() == [0]
    assert statistics.share().tolist() == [1.0]
    assert statistics.share(held_out=True).tolist() == [0.0]
    assert statistics.p_value.tolist() == [1.0]


def test_a_feature_that_is_not_there_has_no_share():
    """Without held-out rows that have a feature its share is NaN, and its p-value is 1."""
    matrix = incidence(np.array([0]), np.array([0]), (4, 1))
    labelled = LabelledRows(
        ("a", "b"), np.array([0, 1, 0, 1]), np.array([False, False, True, True])
    )
    statistics = feature_statistics(matrix, labelled)
    assert math.isnan(statistics.share(held_out=True)[0])
    assert statistics.p_value.tolist() == [1.0]
