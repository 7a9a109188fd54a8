import math
from itertools import permutations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.text.features.statistics import (
    corrected,
    exact_p,
    p_values,
    phi_coefficients,
    z_scores,
)

counted = st.integers(2, 4).flatmap(
    lambda labels: st.lists(
        st.lists(st.integers(0, 9), min_size=labels, max_size=labels), min_size=1, max_size=5
    )
)


@given(counted)
def test_p_is_the_tail_of_the_binomial(counts):
    """Exactly the sum of the chances of all outcomes that are at least as many."""
    counts = np.array(counts)
    totals = counts.sum(axis=0) + 3
    base = totals / totals.sum()
    got = p_values(counts, totals)
    for row, label in product(range(counts.shape[0]), range(counts.shape[1])):
        n, k, p = int(counts[row].sum()), int(counts[row, label]), base[label]
        tail = sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))
        assert got[row, label] == pytest.approx(tail, abs=1e-12)


@given(counted)
def test_z_is_zero_in_sum(counts):
    """What one label gains the others lose: the gaps that z measures add up to nothing."""
    counts = np.array(counts)
    totals = counts.sum(axis=0) + 3
    base = totals / totals.sum()
    spread = np.sqrt(base * (1 - base) * counts.sum(axis=1, keepdims=True))
    assert (z_scores(counts, totals) * spread).sum(axis=1) == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_corrections_never_help(p):
    """A corrected p is at least the p itself, at most 1, keeps the order; Holm is the stricter."""
    p = np.array(p)
    fdr, holm = corrected(p, "benjamini-hochberg"), corrected(p, "holm")
    for adjusted in (fdr, holm):
        assert np.all(adjusted >= p - 1e-15)
        assert np.all(adjusted <= 1)
        assert np.all(np.diff(adjusted[np.argsort(p, kind="stable")]) >= -1e-15)
    assert np.all(holm >= fdr - 1e-15)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 2)), min_size=4, max_size=40),
)
def test_phi_is_the_correlation(rows):
    """The coefficient is Pearson's, of holding the feature and having the label."""
    held = np.array([feature for feature, _ in rows])
    labels = np.array([label for _, label in rows])
    counts = np.bincount(labels[held], minlength=3)[None, :]
    found = phi_coefficients(counts, np.bincount(labels, minlength=3))[0]
    for label in range(3):
        has = labels == label
        expected = np.corrcoef(held, has)[0, 1] if held.std() and has.std() else 0.0
        assert found[label] == pytest.approx(expected, abs=1e-9)


def test_p_is_that_of_all_orders():
    """The exact p is the share of the orders of the labels with as many holders, or more."""
    held = [True, True, True, False, False, False, False]
    labels = [1, 1, 0, 1, 0, 0, 0]
    both = sum(holds and label for holds, label in zip(held, labels, strict=True))
    orders = list(permutations(labels))
    extreme = [sum(a and b for a, b in zip(held, order, strict=True)) >= both for order in orders]
    (p,) = exact_p(np.array([both]), np.array([3]), np.array([3]), 7)
    assert p == pytest.approx(sum(extreme) / len(orders))
    assert p == pytest.approx((comb(3, 2) * comb(4, 1) + comb(3, 3)) / comb(7, 3))
