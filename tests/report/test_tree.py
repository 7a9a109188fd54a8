"""Drawings of bracketed trees."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from augkit.report.page.survey import draw

WORDS = st.text(st.characters(exclude_characters="()", exclude_categories=["Z", "C"]), min_size=1)
TREES = st.recursive(
    WORDS.map(lambda word: (f"(5 {word})", [word])),
    lambda inner: st.tuples(inner, inner).map(
        lambda two: (f"(1 {two[0][0]} {two[1][0]})", two[0][1] + two[1][1])
    ),
    max_leaves=6,
)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(TREES)
def test_words_keep_their_order_and_every_node_has_its_branches(told):
    """Words from left to right as they were, all on the paper, a branch to every node but one."""
    bracketed, words = told
    drawing = draw(bracketed)
    assert [word for *_, word in sorted(drawing["words"])] == words
    assert len(drawing["branches"]) == len(drawing["words"]) + len(drawing["symbols"]) - 1
    assert all(0 < x < drawing["width"] for x, *_ in drawing["words"] + drawing["symbols"])
    assert len({y for _, y, _ in drawing["words"]}) == 1


def test_what_is_no_tree_is_still_drawn():
    """A single word, nothing, and brackets that do not match give a drawing, never an error."""
    assert [word for *_, word in draw("alone")["words"]] == ["alone"]
    assert draw("")["height"] > 0
    assert [word for *_, word in draw("(1 (2 open")["words"]] == ["open"]
    assert [word for *_, word in draw("a) b)")["words"]] == ["a", "b"]
