"""Gates: reasons to refuse a variant."""

from __future__ import annotations

import pytest

from augkit.augmenters.checks import edited_share, keeps, length_within, sign
from augkit.core.types import Draft, example
from augkit.text.diff import diff


def pair(before, after):
    """A signed pair of two texts."""
    draft = Draft(example(before), {"text": after}, None)
    return sign(draft, diff(draft.parent.fields, draft.fields), "test", "")


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("one two three", None),
        ("one", "too short"),
        ("one two", None),
        ("a b c d e f g h", None),
        ("a b c d e f g h i", "too long"),
    ],
)
def test_length_is_counted_in_words(after, reason):
    """The bounds are multiples of the original's words, and belong to what is accepted."""
    assert length_within(0.5, 2.0)(pair("one two three four", after)) == reason


def test_a_kept_word_must_stay_where_it_was():
    """A named word that the original has, in any casing, must be in the variant."""
    gate = keeps("not", "never")
    assert gate(pair("Not bad.", "Bad.")) == "lost 'not'"
    assert gate(pair("Not bad.", "not good.")) is None
    assert gate(pair("Bad.", "Good.")) is None


def test_too_many_edits_are_refused():
    """The share of the original's characters that edits cover is bounded."""
    assert edited_share(0.5)(pair("aaaa bbbb", "aaaa cccc")) is None
    assert edited_share(0.4)(pair("aaaa bbbb", "aaaa cccc")) == "edited too much"
