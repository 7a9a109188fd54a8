"""Which rows are used: the first ones, or a sample."""

from hypothesis import given
from hypothesis import strategies as st

import augkit
from augkit.datasets.settings import RowSelection

SIZES = st.integers(1, 60)


@given(SIZES, SIZES, st.integers(0, 99), SIZES | st.none())
def test_a_sample_is_that_many_rows_in_order(total, size, seed, limit):
    """No row twice, none beyond the limit; a larger sample holds the smaller one."""
    numbers = RowSelection(sample=size, seed=seed, limit=limit).numbers(total)
    most = min(total, limit or total)
    assert list(numbers) == sorted(set(numbers))
    assert len(numbers) == min(size, most)
    assert set(numbers) <= set(range(most))
    assert set(numbers) <= set(RowSelection(sample=size + 1, seed=seed, limit=limit).numbers(total))


def test_rows_are_drawn_alike():
    """Over many seeds each of ten rows is in a sample of three about three times in ten."""
    counts = [0] * 10
    for seed in range(2_000):
        for number in RowSelection(sample=3, seed=seed).numbers(10):
            counts[number] += 1
    assert max(counts) - min(counts) < 120
    assert sum(counts) == 6_000


def test_load_dataset_takes_the_same_options():
    """As ``augkit run`` does."""
    rows = augkit.load_dataset("reviews-demo")
    assert augkit.load_dataset("reviews-demo", limit=3) == rows[:3]
    assert augkit.load_dataset("reviews-demo", sample=3, seed=5) == RowSelection(
        sample=3, seed=5
    ).of(rows)
