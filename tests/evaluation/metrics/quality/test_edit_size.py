"""Edit distance and similarity against plain tables and definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from augkit.core.errors import DataError
from augkit.evaluation.metrics.quality.text_measures import edit_distance, minimality, similarity

words = st.lists(st.sampled_from("abc"), max_size=9)


def slow_distance(one, two):
    """The whole table, cell by cell."""
    table = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) + 1):
        for j in range(len(two) + 1):
            if not i or not j:
                table[i][j] = i + j
            else:
                table[i][j] = min(
                    table[i - 1][j] + 1,
                    table[i][j - 1] + 1,
                    table[i - 1][j - 1] + (one[i - 1] != two[j - 1]),
                )
    return table[-1][-1]


@given(words, words)
def test_the_distance_is_that_of_the_whole_table(one, two):
    """A row at a time, without common ends, gives the same as every cell by itself."""
    assert edit_distance(one, two) == slow_distance(one, two)


@pytest.mark.slow
@given(st.lists(st.tuples(words, words), min_size=1, max_size=8))
def test_minimality_is_the_mean_share(pairs):
    """Distance over the longer length, averaged."""
    shares = [slow_distance(a, b) / max(len(a), len(b), 1) for a, b in pairs]
    found = minimality(pairs)
    assert found.value == pytest.approx(np.mean(shares), abs=1e-6)
    assert found.low <= found.value + 1e-9
    assert found.high >= found.value - 1e-9


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_similarity_is_the_mean_cosine(form):
    """Row by row, sparse or dense; a row without length counts 0."""
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 20, 5))
    second[0] = 0
    wanted = [0.0] + [
        a @ b / np.sqrt(a @ a) / np.sqrt(b @ b) for a, b in zip(first[1:], second[1:], strict=True)
    ]
    assert similarity(form(first), form(second)).value == pytest.approx(np.mean(wanted), abs=1e-6)
    assert similarity(form(first), form(first)).value == pytest.approx(1)


def test_no_variant_is_an_error():
    """There is nothing to take a mean of."""
    with pytest.raises(DataError, match="no variant"):
        minimality([])
