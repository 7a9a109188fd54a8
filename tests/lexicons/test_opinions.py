"""Whether labels are opinions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.types import Example, example
from augkit.lexicons.opinions import is_of_opinions, text_balance


def _auc(chosen: Sequence[float], others: Sequence[float]) -> float:
    """The share of pairs in which the chosen one is higher, by looking at each."""
    wins = sum((a > b) + 0.5 * (a == b) for a in chosen for b in others)
    return wins / (len(chosen) * len(others))


_TEXTS = st.sampled_from(["great", "awful", "great great awful", "a table", "dull mess"])


@given(st.lists(st.tuples(_TEXTS, st.sampled_from("ab")), min_size=2, max_size=20))
def test_auc_is_that_of_all_pairs(rows: list[tuple[str, str]]) -> None:
    """The area is the share of pairs that the balance puts in order, counted one by one."""
    found = is_of_opinions([example(text, label) for text, label in rows])
    of_a = [text_balance([text]) for text, label in rows if label == "a"]
    of_b = [text_balance([text]) for text, label in rows if label == "b"]
    if not of_a or not of_b:
        assert found.auc == 0.5
    else:
        auc = _auc(of_a, of_b)
        assert found.auc == pytest.approx(max(auc, 1 - auc))


def test_topics_are_no_opinions() -> None:
    """Labels whose texts hold no opinion words are not opinions; the direction is told."""
    topics = [example("The match ended.", "sport"), example("The vote ended.", "politics")]
    assert is_of_opinions(topics).verdict == "none"
    opinions: list[Example] = [example("A great film.", "b"), example("An awful film.", "a")]
    assert is_of_opinions(opinions).verdict == "opinions"
    assert is_of_opinions(opinions).is_positive == (is_of_opinions(opinions).label == "b")
