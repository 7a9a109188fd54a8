"""Means over units against resampling them one by one."""

import random
from statistics import fmean

import pytest

from augkit.evaluation.statistics.units import resampled_units, unit_table


def test_the_interval_is_that_of_resampled_units():
    """A unit goes with all of its items; the groups' means are averaged."""
    rng = random.Random(0)
    items = [
        (f"u{number % 25}", "ab"[number % 25 % 2], float(rng.random() < 0.6))
        for number in range(90)
    ]
    by_unit = {name: [item for item in items if item[0] == name] for name, _, _ in items}
    drawn = []
    for _ in range(4_000):
        sample = [item for name in rng.choices(list(by_unit), k=25) for item in by_unit[name]]
        drawn.append(mean_of_groups(sample))
    drawn.sort()
    score, _ = resampled_units("mean", [unit_table(items)], lambda mean: mean)
    assert score.n == 25
    assert score.value == pytest.approx(mean_of_groups(items))
    assert (score.low, score.high) == pytest.approx((drawn[100], drawn[-101]), abs=0.02)


def mean_of_groups(items):
    groups = {group for _, group, _ in items}
    return fmean(fmean(v for _, g, v in items if g == group) for group in groups)


def test_copies_within_a_unit_say_nothing_more():
    """A unit ten times over has the interval of one item."""
    single = [(f"u{n}", "", float(n % 3 > 0)) for n in range(30)]
    scores = [
        resampled_units("mean", [unit_table(items)], lambda mean: mean)[0]
        for items in (single, single * 10)
    ]
    assert scores[0] == scores[1]


def test_units_of_one_table_only_are_resampled_too():
    before = [(f"u{n}", "", 1.0) for n in range(20)]
    after = [(f"u{n}", "", 0.0) for n in range(10)]
    units = {unit for unit, _, _ in before}
    tables = [unit_table(items, units) for items in (before, after)]
    score, p = resampled_units("change", tables, lambda first, second: second - first, (-1, 1))
    assert (score.value, score.n) == (-1.0, 20)
    assert p < 0.01
