import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.text.association import (
    corrected,
    label_counts,
    label_numbers,
    p_values,
    presence_matrix,
    surface_features,
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


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_corrections_never_help(p):
    """A corrected p is at least the p itself, at most 1, keeps the order; Holm is the stricter."""
    p = np.array(p)
    fdr, holm = corrected(p, "benjamini-hochberg"), corrected(p, "holm")
    for one in (fdr, holm):
        assert np.all(one >= p - 1e-15)
        assert np.all(one <= 1)
        assert np.all(np.diff(one[np.argsort(p, kind="stable")]) >= -1e-15)
    assert np.all(holm >= fdr - 1e-15)


def test_counts_are_of_documents():
    """A word that stands in a text twice counts once; rare ones are left out."""
    texts = ["not not good", "not bad", "fine"]
    presence, names = presence_matrix(texts, lambda text: surface_features(text, 1), min_count=2)
    labels, numbers = label_numbers(["n", "n", "p"])
    counts = label_counts(presence, numbers, len(labels))
    found = dict(zip(names, counts.tolist(), strict=True))
    assert found == {
        ("token", "not"): [2, 0],
        ("first word", "not"): [2, 0],
        ("length", "1-4 words"): [2, 1],
    }


@given(st.lists(st.text(max_size=20), max_size=6))
def test_any_text_has_features(texts):
    """Empty and odd texts are counted without complaint."""
    presence, names = presence_matrix(texts, surface_features, min_count=1)
    assert presence.shape == (len(texts), len(names))
    assert presence.max() <= 1 if names else True
