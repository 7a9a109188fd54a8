"""Labels by their names: ordered ones, flipped across the middle, and relations."""

from dataclasses import asdict
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from augkit.core.errors import DataError
from augkit.datasets.settings import DeclaredOrder
from augkit.lexicons.label_meanings import labels_of, relation_of
from augkit.lexicons.label_order import LabelOrder, declared_order, named_order, numeric_order


def flips(order):
    """Label → the label that it flips to."""
    return {label: order.flipped(label) for label in order.ranked}


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("12345", {"1": "5", "2": "4", "3": None, "4": "2", "5": "1"}),
        ("1234", {"1": "4", "2": "4", "3": "1", "4": "1"}),
        ("012", {"0": "2", "1": None, "2": "0"}),
        ("1245", {"1": "5", "2": "4", "4": "2", "5": "1"}),
    ],
)
def test_numbers_flip_to_their_mirror_image(labels, expected):
    """The mirror image, or the next label where that is a neighbour; a gap is a step of its own."""
    assert flips(numeric_order(list(labels))) == expected


@pytest.mark.slow
@settings(deadline=None)
@given(st.sets(st.integers(-20, 20), min_size=3, max_size=9))
@example({-12, -1, 2, 5, 8, 11})  # steps of a third, which floats round
def test_a_flip_crosses_the_middle_and_skips_the_neighbour(numbers):
    """Whatever the scale: the other side of the middle, more than one step away."""
    order = numeric_order([str(number) for number in numbers])
    middle = (min(numbers) + max(numbers)) / 2
    ranked = sorted(numbers)
    step = min(b - a for a, b in pairwise(ranked))
    for number in numbers:
        flipped = order.flipped(str(number))
        allowed = [
            other
            for other in numbers
            if (number - middle) * (other - middle) < 0 and abs(number - other) > step
        ]
        assert (flipped is None) == (not allowed)
        if flipped is not None:
            nearest = min(abs(2 * middle - number - other) for other in allowed)
            assert int(flipped) in allowed
            assert abs(2 * middle - number - int(flipped)) == nearest


@pytest.mark.parametrize(
    ("labels", "low", "high"),
    [
        (["low", "Medium", "HIGH"], "low", "HIGH"),
        (["very_negative", "negative", "positive", "very positive"], "negative", "positive"),
        (["1 star", "2 stars", "3 stars", "4 stars", "5 stars"], "2 stars", "4 stars"),
        (["rating 1", "rating 2", "rating 3"], "rating 1", "rating 3"),
        (["strongly-disagree", "disagree", "agree", "strongly-agree"], "disagree", "agree"),
    ],
)
def test_names_of_known_scales_are_an_order(labels, low, high):
    """Case, hyphens and underscores do not matter; a unit says that a number is a rating."""
    order = named_order(labels)
    assert (order.flipped(low), order.flipped(high)) == (high, low)


@pytest.mark.parametrize(
    "labels",
    [
        ["positive", "negative"],
        ["sports", "business", "world"],
        ["0", "1", "2", "3"],
        ["entailment", "neutral", "contradiction"],
        ["low", "high", "sports"],
        ["good", "great", "excellent"],
    ],
)
def test_other_names_are_no_order(labels):
    """Two labels, topics, codes, relations, a mixture, and three names of two levels."""
    assert named_order(labels) is None


def test_a_declared_order_knows_the_levels_that_the_data_lack():
    """Of 1 to 5 without a 3, neither 2 nor 4 is the middle; "4.0" is the level 4."""
    order = declared_order(["1.0", "2.0", "4.0", "5.0"], ["1", "2", "3", "4", "5"])
    assert flips(order) == {"1.0": "5.0", "2.0": "4.0", "4.0": "2.0", "5.0": "1.0"}


def test_a_declared_order_must_name_every_label():
    """An error before any work, with the label that is missing."""
    with pytest.raises(DataError, match="'awful'"):
        declared_order(["awful", "fine"], ["bad", "fine", "good"])
    with pytest.raises(DataError, match="three different"):
        declared_order(["a", "b"], ["a", "b"])


@pytest.mark.parametrize("given", ["1, 2,3", [1, 2, 3], ("1", "2", "3")])
def test_the_setting_takes_text_and_lists(given):
    """The command line gives one text, YAML and Python a list."""
    assert TypeAdapter(DeclaredOrder).validate_python(given) == ("1", "2", "3")


def test_an_order_survives_plain_values():
    order = named_order(["low", "medium", "high"])
    assert LabelOrder(**asdict(order)) == order


@pytest.mark.parametrize(
    ("label", "relation"),
    [
        ("entailment", "entailment"),
        ("SUPPORTS", "entailment"),
        ("REFUTES", "contradiction"),
        (" support ", "entailment"),
        ("NOT ENOUGH INFO", "neutral"),
        ("not_entailment", None),
        ("1", None),
        (None, None),
    ],
)
def test_only_labels_that_say_it_name_a_relation(label, relation):
    """A label is read by its words; a number or a vague one names nothing."""
    assert relation_of(label) == relation
    odd = labels_of(["REFUTES", "SUPPORTS", "odd"])
    assert odd == {"contradiction": "REFUTES", "entailment": "SUPPORTS"}
