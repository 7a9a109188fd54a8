"""Stock phrases are found in one pass over a text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.lexicons.evaluative import Phrase, Phrases, bundled_lexicon

WORDS = st.sampled_from(
    "do not don't waste your time it was a Must see SKIP this bad well \u212aeep \u0130t".split()
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(WORDS | st.sampled_from([".", "-", "\u017f"]), max_size=25), st.sampled_from([0, 1])
)
def test_phrases_are_those_that_each_pattern_finds(words, side):
    """The same phrases at the same places, in the same order, as one pattern after another."""
    text = " ".join(words)
    phrases = bundled_lexicon().of_polarity(("positive", "negative")[side])
    expected = [(p, m.span()) for p in phrases for m in p.pattern.finditer(text)]
    assert [(phrase, match.span()) for phrase, match in phrases.find(text)] == expected


@pytest.mark.parametrize(("text", "count"), [("aa aa aa", 1), ("aaaa", 0), ("AA aa", 1)])
def test_matches_of_a_phrase_do_not_overlap(text, count):
    """As with ``finditer``, the next match begins after the one before."""
    pattern = re.compile(r"(?<![\w-])aa aa(?![\w])", re.IGNORECASE)
    assert len(list(Phrases([Phrase(pattern, "positive", ("b",))]).find(text))) == count
    assert not list(Phrases().find(text))


def test_a_phrase_with_a_capital_is_found_in_any_case():
    """The pattern for lower-case texts is not taken for a user's phrase with a capital."""
    phrase = Phrase(re.compile(r"(?<![\w-])Skip\s+IT(?![\w])", re.IGNORECASE), "negative", ("x",))
    assert [m.group() for _, m in Phrases([phrase]).find("skip it, SKIP IT")] == [
        "skip it",
        "SKIP IT",
    ]
