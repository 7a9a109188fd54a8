"""Paired differences: the interval covers, and the test is exact where that can be counted."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.evaluation.statistics.significance import mcnemar, paired_mean, sign_flip_p


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [10, 30, 200])
@pytest.mark.parametrize("gap", [0.0, 0.1, 0.4])
def test_the_interval_of_yes_and_no_covers(pairs, gap):
    """In at least 95 % of 2,000 draws, also with few pairs (less the error of the count)."""
    rng = np.random.default_rng(pairs)
    covered = 0
    for _ in range(2_000):
        base = rng.uniform(gap, 1.0, pairs)
        first, second = rng.random(pairs) < base, rng.random(pairs) < base - gap
        score = paired_mean("gap", (second * 1.0 - first).tolist(), 0.95, 1.0)
        covered += score.low <= -gap <= score.high
    assert covered >= 0.95 * 2_000 - 2 * (2_000 * 0.95 * 0.05) ** 0.5


@pytest.mark.slow
@given(st.lists(st.floats(-1, 1), min_size=1, max_size=50), st.floats(0.5, 0.999))
def test_the_interval_holds_the_mean_and_stays_within_bounds(values, level):
    """Whatever the differences and the level; a higher level is never narrower."""
    score = paired_mean("gap", values, level, 1.0)
    assert -1 <= score.low <= score.value <= score.high <= 1
    wider = paired_mean("gap", values, 0.9999, 1.0)
    assert wider.low <= score.low
    assert wider.high >= score.high


@pytest.mark.slow
@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=30))
def test_yes_and_no_are_mcnemars_test(differences):
    """The same p."""
    first = [one < 0 for one in differences]
    second = [one > 0 for one in differences]
    assert sign_flip_p("gap", differences) == pytest.approx(mcnemar(first, second))


def test_other_differences_are_near_the_count_of_all_signs():
    """Against the enumeration of all 2^10 signs."""
    rng = np.random.default_rng(1)
    for shift in (0.0, 0.2, 0.5):
        d = rng.normal(shift, 0.5, 10)
        sums = [abs(np.dot(signs, d)) for signs in product((-1, 1), repeat=10)]
        exact = np.mean(np.array(sums) >= abs(d.sum()) * (1 - 1e-12))
        assert sign_flip_p("gap", d.tolist()) == pytest.approx(exact, abs=0.015)


def test_few_sizes_are_counted():
    """Means over three seeds: as near to the enumeration of all signs, by way of their counts."""
    sizes = np.array([1.0] * 12 + [2.0] * 12)
    heads = np.arange(13)
    ways = np.array([comb(12, int(one)) for one in heads], dtype=float)
    sums = (2 * heads[:, None] - 12) + 2.0 * (2 * heads[None, :] - 12)
    for wrong in (2, 4):
        d = sizes * np.array([-1.0 if n % 12 < wrong else 1.0 for n in range(24)]) / 3
        exact = (np.outer(ways, ways)[abs(sums) >= 3 * abs(d.sum()) - 1e-6]).sum() / 2.0**24
        assert sign_flip_p("gap", d.tolist()) == pytest.approx(exact, abs=0.015)


def test_no_difference_is_no_evidence():
    """All zeros: p is 1, and the interval allows for what so few pairs can miss."""
    assert sign_flip_p("gap", [0.0] * 9) == 1.0
    few, many = (paired_mean("gap", [0.0] * n, 0.95, 1.0) for n in (5, 500))
    assert few.high > 0.2
    assert 0 < many.high < 0.01
