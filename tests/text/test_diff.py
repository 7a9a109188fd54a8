"""Edits between two texts: applying them to the first gives the second, always."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.edits import Edit, apply, reproduces, undo
from augkit.text.diff import diff

TEXT = st.text(max_size=40) | st.text("ab ,.'\n", max_size=60)
FIELDS = st.fixed_dictionaries({"premise": TEXT, "hypothesis": TEXT})


@given(FIELDS, FIELDS)
def test_edits_lead_from_one_to_the_other_and_back(before, after):
    """``apply`` is the inverse of ``diff``, and ``undo`` of ``apply``."""
    edits = diff(before, after)
    assert apply(before, edits) == after
    assert undo(after, edits) == before


@given(FIELDS, FIELDS)
def test_edits_say_what_stood_there(before, after):
    """Spans lie in the field, hold ``before``, change something, and do not overlap."""
    edits = diff(before, after)
    for edit in edits:
        assert before[edit.field][edit.start : edit.end] == edit.before != edit.after
    for one, other in pairwise(edits):
        assert one.field != other.field or one.end < other.start


EDITS = st.lists(
    st.builds(
        Edit,
        st.just("text") | st.just("premise"),
        st.integers(0, 6),
        st.integers(0, 6),
        st.just(""),
        st.text("xy", max_size=2),
    ),
    max_size=4,
)


@given(
    st.text("ab", max_size=6), EDITS, st.sampled_from([True, False]), st.sampled_from([True, False])
)
def test_whether_edits_lead_there_is_what_applying_them_tells(text, edits, single, spoilt):
    """In any order, overlapping, at one place, in one field or two: as if they were applied."""
    before = {"text": text} if single else {"text": text, "premise": "abba"}
    edits = [edit for edit in edits if edit.field in before]
    after = apply(before, edits)
    if spoilt:
        after["text"] += "z"
    assert reproduces(before, edits, after) is not spoilt


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a bad film", "a good film", [(2, 5, "bad", "good")]),
        ("a very bad film", "a quite good film", [(2, 10, "very bad", "quite good")]),
        ("a film", "a good film", [(2, 2, "", "good ")]),
        ("A film. B", "A movie. C", [(2, 6, "film", "movie"), (8, 9, "B", "C")]),
        ("don't", "do not", [(0, 5, "don't", "do not")]),
        ("", "a", [(0, 0, "", "a")]),
        ("a film", "a film", []),
    ],
)
def test_edits_are_whole_words(before, after, expected):
    """People read words: neighbouring words are one edit, and no word is cut."""
    edits = diff({"text": before}, {"text": after})
    assert edits == tuple(Edit("text", *parts) for parts in expected)


def test_a_hundred_thousand_words_do_not_hang():
    """A long text with changes at both ends is one edit over the middle, and still right."""
    before = {"text": "start " + "word " * 100_000 + "end"}
    after = {"text": "begin " + "other word " * 50_000 + "stop"}
    edits = diff(before, after)
    assert len(edits) == 1
    assert apply(before, edits) == after


@given(TEXT, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 5), TEXT), max_size=4))
def test_apply_agrees_with_cutting_by_hand(text, changes):
    """Edits of one text in any order give what cutting it from left to right gives."""
    edits, expected, last = [], "", 0
    for start, length, new in sorted(changes):
        if last <= start <= start + length <= len(text) and (not edits or start > last):
            edits.append(Edit("text", start, start + length, text[start : start + length], new))
            expected += text[last:start] + new
            last = start + length
    assert apply({"text": text}, edits[::-1]) == {"text": expected + text[last:]}
