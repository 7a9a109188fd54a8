from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.commands.check.associations import (
    _few_texts,
    check_association,
    exact_p,
    holds,
    least_holders,
    phi_coefficients,
    smallest_found,
    testable,
)
from augkit.commands.check.contract import AssociationSection, NgramSection

testable.__test__ = False  # its name begins as a test's does


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
    both = sum(one and other for one, other in zip(held, labels, strict=True))
    orders = list(permutations(labels))
    extreme = [sum(a and b for a, b in zip(held, order, strict=True)) >= both for order in orders]
    (p,) = exact_p(np.array([both]), np.array([3]), np.array([3]), 7)
    assert p == pytest.approx(sum(extreme) / len(orders))
    assert p == pytest.approx((comb(3, 2) * comb(4, 1) + comb(3, 3)) / comb(7, 3))


@settings(max_examples=40)
@given(
    totals=st.lists(st.integers(1, 12), min_size=2, max_size=3),
    holders=st.integers(1, 20),
    limit=st.floats(0, 0.9),
)
def test_what_cannot_fail_is_not_counted(totals, holders, limit):
    """A pair is a test where some order of the labels brings it over the limit, and only there."""
    totals = np.array(totals)
    holders = min(holders, int(totals.sum()))
    attainable = np.zeros(len(totals), dtype=bool)
    for label in range(len(totals)):
        for both in range(min(holders, totals[label]) + 1):
            rest = holders - both
            if rest <= totals.sum() - totals[label]:
                counts = np.zeros((1, 2), dtype=int)
                counts[0] = both, rest
                two = np.array([totals[label], totals.sum() - totals[label]])
                attainable[label] |= phi_coefficients(counts, two)[0, 0] > limit
    counts = np.zeros((1, len(totals)), dtype=int)
    left = holders
    for label, total in enumerate(totals):
        counts[0, label] = min(left, total)
        left -= counts[0, label]
    assert testable(counts, totals, limit)[0].tolist() == attainable.tolist()
    if attainable.any():
        assert holders >= least_holders(totals, limit)


def test_a_planted_word_fails_and_others_do_not(checked_rows, random_texts, rng):
    """The word, its n-grams and its place are found, with rows that show it."""
    texts = random_texts(400, rng)
    labels = ["yes" if number % 2 else "no" for number in range(400)]
    texts = [
        f"zeppelin w0 {text}" if label == "yes" and number % 4 == 1 else text
        for number, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    rows = checked_rows(texts, labels)
    tokens = check_association("tokens", rows, AssociationSection(), 0.01)
    assert [(one.feature, one.label) for one in tokens.findings] == [("zeppelin", "yes")]
    (finding,) = tokens.findings
    assert all("zeppelin" in texts[row] and labels[row] == "yes" for row in finding.rows)
    ngrams = check_association("ngrams", rows, NgramSection(), 0.01)
    assert ngrams.findings[0].feature == "2-gram: zeppelin w0"
    first = check_association("position", rows, AssociationSection(), 0.01)
    assert [one.feature for one in first.findings] == ["first word: zeppelin"]
    allowed = AssociationSection(allow=("Zeppelin",))
    assert not check_association("tokens", rows, allowed, 0.01).findings


@settings(max_examples=40)
@given(st.lists(st.integers(1, 12), min_size=2, max_size=3), st.integers(1, 50))
def test_the_smallest_association_that_is_found(totals, tests):
    """Of all features as frequent as a label, the least associated one that is significant."""
    totals, alpha, found = np.array(totals), 0.05, [np.inf]
    for total in totals.tolist():
        rest = int(totals.sum()) - total
        for both in range(max(0, total - rest), total + 1):
            (p,) = exact_p(np.array([both]), np.array([total]), np.array([total]), total + rest)
            if p * tests <= alpha * (1 + 1e-9):
                pair = np.array([[both, total - both]])
                found.append(phi_coefficients(pair, np.array([total, rest]))[0, 0])
    assert smallest_found(totals, tests, alpha) == pytest.approx(min(found))


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (6, "6 different texts are too few"),
        (40, "only an association of"),
        (400, "; association at most 0.2"),
    ],
)
def test_few_texts_show_large_effects_only(checked_rows, random_texts, rng, texts, said):
    """With enough of them nothing is said; where nothing can be found, the check is skipped."""
    rows = checked_rows(random_texts(texts, rng), ["no", "yes"] * (texts // 2))
    check = check_association("tokens", rows, AssociationSection(), 0.01)
    assert said in check.summary
    assert check.skipped == (texts == 6)
    assert texts < 400 or check.summary.endswith(said)


@pytest.mark.parametrize(("smallest", "said"), [(0.8, "0.80 or more is"), (1.0, "1.00 is")])
def test_nothing_is_more_than_the_largest_association(smallest, said):
    """An association of 1 has no "or more"."""
    assert f"association of {said} found" in _few_texts(40, smallest, 0.2)


def test_length_and_format(checked_rows, random_texts, rng):
    """Long texts of one label and a sign of another are found; one finding a unit."""
    short, long = random_texts(200, rng, longest=5), random_texts(200, rng, longest=30)
    texts = [*(f"{text}?!" for text in short), *long]
    rows = checked_rows(texts, ["no"] * 200 + ["yes"] * 200)
    lengths = check_association("length", rows, AssociationSection(), 0.01).findings
    assert {one.feature.partition(" ")[2] for one in lengths} == {
        "length in words",
        "length in characters",
    }
    found = check_association("format", rows, AssociationSection(), 0.01).findings
    assert ("sign ?", "no") in {(one.feature, one.label) for one in found}
    for finding in [*lengths, *found]:
        assert finding.rows


def test_repeated_texts_count_once(checked_rows):
    """A hundred copies of one row are no evidence."""
    texts = ["a zeppelin"] * 100 + [f"text number {number}" for number in range(20)]
    labels = ["yes"] * 100 + ["yes", "no"] * 10
    rows = checked_rows(texts, labels)
    assert not check_association("tokens", rows, AssociationSection(), 0.05).findings


@pytest.mark.parametrize(
    ("kind", "name", "text", "expected"),
    [
        ("token", "on", "Only one.", False),
        ("last word", "one", "Only one.", True),
        ("length in words", "at most 2 words", "Only one.", True),
        ("length in characters", "over 9 characters", "Only one.", False),
        ("format", "ends with .", "Only one.", True),
    ],
)
def test_holds(kind, name, text, expected):
    """A feature is found again in a text by its name."""
    assert holds(kind, name, text) is expected
