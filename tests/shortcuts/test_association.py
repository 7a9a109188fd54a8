"""The test of a feature and a label, beside slow counts."""

from __future__ import annotations

from math import comb, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.types import example
from augkit.shortcuts.association import (
    ALPHA,
    _least_p,
    least_texts,
    run_tests,
    tarone_count,
)
from augkit.shortcuts.features import count_features, has_feature
from augkit.text.features.statistics import exact_p
from tests.data import random_texts


def tail_by_hand(together: int, held: int, labelled: int, size: int) -> float:
    """The share of all ways to deal out labels with at least so many together."""
    ways = sum(
        comb(labelled, k) * comb(size - labelled, held - k)
        for k in range(together, min(held, labelled) + 1)
    )
    return ways / comb(size, held)


@given(st.integers(1, 14), st.data())
def test_p_is_the_share_of_all_ways(size, data):
    """The upper tail of the hypergeometric distribution, counted."""
    held, labelled = data.draw(st.integers(1, size)), data.draw(st.integers(1, size))
    together = data.draw(st.integers(max(0, held + labelled - size), min(held, labelled)))
    one = (np.array([number]) for number in (together, held, labelled))
    p = exact_p(*one, size)[0]
    assert p == pytest.approx(tail_by_hand(together, held, labelled, size))


@given(st.lists(st.integers(1, 9), min_size=2, max_size=3), st.data())
def test_the_least_p_is_that_of_the_purest_feature(totals, data):
    """As many of its texts have the label as can: the tail that is left is one way of dealing."""
    size = sum(totals)
    held = data.draw(st.integers(1, size))
    counts = np.array([[held, *(0 for _ in totals[1:])]])
    expected = [tail_by_hand(min(held, label), held, label, size) for label in totals]
    assert _least_p(counts, np.array(totals))[0].tolist() == pytest.approx(expected)


@given(st.lists(st.floats(1e-9, 1), max_size=30), st.sampled_from([0.01, 0.05]))
def test_tarone_counts_the_tests_that_can_fail(least_p, alpha):
    """The first m for which no more than m tests could be under alpha / m."""
    m = next(m for m in range(1, 32) if sum(p <= alpha / m for p in least_p) <= m)
    assert tarone_count(np.array(least_p), alpha) == m


@pytest.mark.parametrize(("texts", "of_label", "tests"), [(200, 100, 50), (60, 30, 10**6)])
def test_fewest_texts_of_a_cue_are_found_by_trying_each(texts, of_label, tests):
    """Every smaller cue of one label alone would not be significant."""
    sizes = range(20, of_label + 1)
    seen = (n for n in sizes if tail_by_hand(n, n, of_label, texts) * tests <= ALPHA)
    assert least_texts(texts, of_label, tests) == next(seen, None)


def test_the_figures_of_a_cue_are_those_of_the_rows():
    """n, c, base, gain, φ and strength, counted row by row."""
    rng = Random(0)
    rows = []
    for number, text in enumerate(random_texts(300, rng)):
        label = "yes" if number % 3 == 0 else "no"
        has_word = number % 6 == 0 or number % 50 == 1
        word = "zeppelin" if has_word else ""
        rows.append(example(f"{text} {word} x{number}", label))
    tests = run_tests(count_features(rows), ALPHA)
    cue = next(cue for cue in tests.found if cue.feature.name == "zeppelin")
    labels = ["no", "yes"]
    held = [row for row in rows if has_feature(cue.feature, row.fields)]
    of_label = [row for row in held if row.label == labels[cue.label]]
    n, c, size, base = len(held), len(of_label), len(rows), 1 / 3
    assert (cue.rows, cue.of_label, labels[cue.label]) == (n, c, "yes")
    assert cue.base == pytest.approx(base)
    assert cue.gain == pytest.approx((c / n - base) / (1 - base))
    has = [has_feature(cue.feature, row.fields) for row in rows]
    assert cue.phi == pytest.approx(np.corrcoef(has, [row.label == "yes" for row in rows])[0, 1])
    strength = c * log(c / n / base) + (n - c) * log((1 - c / n) / (1 - base))
    assert cue.strength == pytest.approx(strength)
    expected = tail_by_hand(c, n, round(base * size), size) * tests.corrected_for
    assert cue.p == pytest.approx(min(1, expected))


def test_a_pure_cue_in_two_percent_is_seen_and_rare_words_are_not():
    """A cue in 80 of 4,000 rows is found; in fewer than twenty rows it says too little."""
    rng = Random(1)
    rows = []
    for number, text in enumerate(random_texts(4000, rng)):
        word = "zeppelin" if number % 50 == 0 else "balloon" if number % 400 == 2 else ""
        rows.append(example(f"{text} {word} x{number}", "ab"[number % 2]))
    names = {cue.feature.name for cue in run_tests(count_features(rows), ALPHA).found}
    assert "zeppelin" in names
    assert "balloon" not in names
