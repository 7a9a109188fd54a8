"""Tests within the item against plain enumeration of all ways in which the winners could fall."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from augkit.text.features import within_items
from augkit.text.features.within_items import Items, drawn_p, signed_sums_p

ITEMS = st.lists(
    st.integers(2, 4).flatmap(
        lambda size: st.tuples(
            st.lists(st.integers(0, 2), min_size=size, max_size=size),
            st.sets(st.integers(0, size - 1), min_size=1, max_size=size - 1),
        )
    ),
    min_size=1,
    max_size=5,
)


def build(items, units=None):
    """Items and values from (values of the candidates, places of the winners)."""
    numbers = [n for n, (values, _) in enumerate(items) for _ in values]
    won = [place in winners for values, winners in items for place in range(len(values))]
    units = range(len(items)) if units is None else units
    values = [value for candidates, _ in items for value in candidates]
    ranked = Items(np.array(numbers), np.array(won), np.array(list(units)))
    return ranked.rank(np.array(values, dtype=float))


def hits_of(values, winners):
    """The winners among the candidates with the highest value; none where all have it."""
    top = [place for place, value in enumerate(values) if value == max(values)]
    return 0 if len(top) == len(values) else len({*top} & {*winners})


@pytest.mark.slow
@given(ITEMS)
@settings(max_examples=60)
def test_p_is_the_share_of_all_ways_to_draw_the_winners(items):
    """Each item draws as many winners as it has, every way equally likely."""
    observed = sum(hits_of(values, winners) for values, winners in items)
    ways = [
        [hits_of(values, drawn) for drawn in combinations(range(len(values)), len(winners))]
        for values, winners in items
    ]
    totals = [sum(way) for way in product(*ways)]
    expected = sum(total >= observed for total in totals) / len(totals)
    assert build(items).p == pytest.approx(expected)


@pytest.mark.slow
@given(st.lists(st.integers(-4, 4), max_size=10))
def test_the_signs_of_a_unit_turn_together(sums):
    totals = [sum(map(int.__mul__, sums, signs)) for signs in product((1, -1), repeat=len(sums))]
    expected = sum(total >= sum(sums) for total in totals) / len(totals)
    assert signed_sums_p(sums) == pytest.approx(expected)


@pytest.mark.slow
@given(ITEMS)
def test_accuracy_is_that_of_a_rule_that_takes_one_at_the_top(items):
    rule = []
    for values, winners in items:
        top = [place for place, value in enumerate(values) if value == max(values)]
        rule.append(len({*top} & winners) / len(top))
    ranked = build(items)
    assert ranked.accuracy == pytest.approx(np.mean(rule))
    assert ranked.association <= ranked.highest_association + 1e-9


def test_repeated_pairs_of_one_prompt_are_one_unit():
    """Ten copies of one pair prove as little as the pair."""
    pairs = [([1, 0], {0})] * 10
    assert build(pairs).p == pytest.approx(0.5**10)
    assert build(pairs, [0] * 10).p == pytest.approx(0.5)
    assert build([([2, 1, 0], {0})] * 10, [0] * 10).p == pytest.approx(1 / 3)


def test_a_part_of_the_items_is_numbered_anew():
    items = Items(np.array([0, 0, 1, 1, 1]), np.array([1, 0, 0, 0, 1], bool), np.array([5, 7]))
    part = items.part(np.array([False, True]))
    assert (part.numbers.tolist(), part.units.tolist()) == ([0, 0, 0], [7])
    assert part.chance == pytest.approx(1 / 3)


def test_many_winners_at_the_top_have_a_p_below_what_can_be_drawn():
    """Far tails are exact, and no rounding makes them 0."""
    assert drawn_p([(4, 1, 1)] * 500, 500) == pytest.approx(0.25**500, rel=1e-6)


@given(ITEMS)
@settings(max_examples=60)
def test_features_that_are_held_are_ranked_as_values_are(items):
    """Many features at once, against one after another; in both directions."""
    ranked = build(items)
    values = [value for candidates, _ in items for value in candidates]
    held = np.array([[value > 0, value > 1] for value in values], dtype=np.int8)
    pairs = list(ranked.items.rank_held(csr_array(held)))
    for column, directed in enumerate(pairs):
        plain = held[:, column].astype(float)
        for sparse, dense in zip(directed, (plain, -plain), strict=True):
            expected = ranked.items.rank(dense)
            assert sparse.leading.tolist() == expected.leading.tolist()
            assert sparse.hits.tolist() == expected.hits.tolist()


def test_the_contrast_of_pairs_is_twice_the_share_less_one():
    ranked = build([([1, 0], {0})] * 3 + [([1, 0], {1})] + [([1, 1], {0})] * 6)
    assert (ranked.share, ranked.contrast) == (0.75, pytest.approx(0.5))
    assert (ranked.coverage, ranked.association) == (0.4, pytest.approx(0.2))


def test_long_sums_are_convolved_in_less_than_their_products(monkeypatch):
    sums = [1] * 300 + [-1] * 250 + [2] * 200 + [-2] * 190
    exact = signed_sums_p(sums)
    monkeypatch.setattr(within_items, "_MOST_PRODUCTS", 0)
    assert signed_sums_p(sums) == pytest.approx(exact, rel=1e-9)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 3)), min_size=1))
def test_items_with_weights_are_those_that_are_there_as_often(pairs):
    """Every share and association of whole weights is that of repeated items."""
    weights = np.array([weight for *_, weight in pairs])
    figures = []
    for repeats, held in ((np.ones_like(weights), weights.astype(float)), (weights, None)):
        chosen = np.repeat(np.arange(len(pairs)), repeats)
        values = np.array([pairs[n][place] for n in chosen for place in (0, 1)], dtype=float)
        won = np.tile([True, False], len(chosen))
        numbers = np.repeat(np.arange(len(chosen)), 2)
        ranked = Items(numbers, won, chosen, held).rank(values)
        shares = ranked.association, ranked.accuracy, ranked.contrast, ranked.share
        figures.append([*shares, ranked.items.chance, ranked.highest_association])
    assert figures[0] == pytest.approx(figures[1])


def test_p_of_items_with_weights_is_that_of_turned_signs():
    """The share of random signs of the units with as high a sum, by drawing them."""
    rng = np.random.default_rng(0)
    units, weights = np.arange(120) // 2, rng.uniform(0.1, 2.0, 120)
    won = np.tile([True, False], 120)
    values = np.where(rng.random(120) < 0.57, 1.0, 0.0)
    ranked = Items(np.repeat(np.arange(120), 2), won, units, weights).rank(
        np.stack([values, 1 - values], axis=1).ravel()
    )
    sums = np.bincount(units, weights=(values - 0.5) * weights)
    drawn = rng.choice([-1, 1], (20_000, len(sums))) @ np.abs(sums)
    assert ranked.p == pytest.approx((drawn >= sums.sum()).mean(), abs=0.02)
