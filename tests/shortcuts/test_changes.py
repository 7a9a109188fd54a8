"""What became of a cue, and which are new: by one rule, beside a count by hand."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from augkit.core.types import Example, example
from augkit.shortcuts.changes import ComparedRows, compare_rows
from augkit.shortcuts.counted_rows import CountedRows, Figures
from augkit.shortcuts.cues import Feature

WORDS = "table lamp chair door wall floor roof stair".split()


def texts(marks: dict[str, dict[str, float]], seed: int = 0, count: int = 400) -> list[Example]:
    """Random words; each mark stands in a share of the rows of each label."""
    rng = Random(seed)
    rows = []
    for number in range(count):
        label = "ab"[number % 2]
        words = rng.choices(WORDS, k=9)
        for mark, share_of in marks.items():
            if rng.random() < share_of.get(label, 0.0):
                words[rng.randrange(len(words))] = mark
        rows.append(example(f"{' '.join(words)} x{number}", label, occurrence=number))
    return rows


def fates(compared: ComparedRows) -> dict[str, str]:
    """What became of each cue, by the feature that it is followed by."""
    return {change.feature.name: change.fate for change in compared.changes}


HALF = {"marta": {"a": 0.4}}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ({"marta": {"a": 0.4}}, {"marta": "left"}),
        ({"marta": {"a": 0.4, "b": 0.1}}, {"marta": "left"}),
        ({"marta": {"a": 0.4, "b": 0.4}}, {"marta": "gone"}),
        ({}, {"marta": "gone"}),
        ({"marta": {"b": 0.4}}, {"marta": "reversed"}),
        ({"greta": {"a": 0.4}}, {"marta": "gone", "greta": "new"}),
        ({"marta": {"a": 0.4}, "greta": {"b": 0.4}}, {"marta": "left", "greta": "new"}),
    ],
)
def test_a_mark_is_left_reversed_gone_or_new(after, expected):
    """Whatever the result has in its place."""
    assert fates(compare_rows(texts(HALF), texts(after, seed=1))) == expected


def test_a_reversed_cue_names_its_label():
    """The label that it goes with after."""
    compared = compare_rows(texts(HALF), texts({"marta": {"b": 0.4}}, seed=1))
    (change,) = compared.changes
    assert (change.cue.label, change.now) == ("a", "b")


def test_the_same_rows_twice_have_nothing_new():
    """A cue that was too rare to pass the test is not new where all rows are there twice."""
    rare = texts({"marta": {"a": 0.07}})
    named = {cue.feature.name for cue in CountedRows.read(rare).judge()}
    twice = [*rare, *(example(f"{row.fields['text']} again", row.label) for row in rare)]
    assert "marta" not in named
    assert "new" not in fates(compare_rows(rare, twice)).values()


def test_what_is_left_of_a_phrase_is_followed():
    """A name was replaced, and the word beside it still gives the label away."""
    before = texts({"bought at norden": {"a": 0.4}})
    after = [
        example(row.fields["text"].replace("norden", f"shop{n}"), row.label, occurrence=n)
        for n, row in enumerate(before)
    ]
    change = compare_rows(before, after).changes[0]
    assert "norden" in change.cue.phrase
    assert change.fate == "left"
    assert set(change.feature.name.split()) <= {"bought", "at"}


def test_what_only_stands_in_the_same_rows_is_not_left_of_it():
    """A name that goes is gone, though a word of opinion is in most of its rows, and stays."""
    before = texts({"bad": {"a": 0.7}})
    signed = [
        example(f"marta {row.fields['text']}", row.label) if "bad" in row.fields["text"] else row
        for row in before
    ]
    assert fates(compare_rows(signed, before))["marta"] == "gone"


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(0, 12), st.integers(0, 12))
def test_figures_are_those_of_a_count_by_hand(seed, in_a, in_b):
    """However rare the feature is, and in one of its fields."""
    rows = texts({}, seed=seed, count=60)
    of = {"a": in_a, "b": in_b}
    marked = []
    for number, row in enumerate(rows):
        text = row.fields["text"]
        if of[str(row.label)] > number // 2:
            text = f"{text} marta"
        marked.append(example(text, row.label))
    tested = CountedRows.read(marked)
    figures = tested.figures(Feature("text", "token", "marta"), "a")
    assert (figures.rows, figures.of_label, figures.base) == (in_a + in_b, in_a, 0.5)
    p = hypergeom.sf(in_a - 1, 60, 30, in_a + in_b) * tested.tests.corrected_for
    assert figures.p == pytest.approx(min(1.0, p))


def test_labels_and_fields_that_are_not_there():
    """Nothing has them."""
    tested = CountedRows.read(texts(HALF))
    assert tested.figures(Feature("text", "token", "marta"), "c") == Figures(0, 0, 0.0, 1.0)
    assert tested.figures(Feature("claim", "token", "marta"), "a") == Figures(0, 0, 0.0, 1.0)
