"""What a label means in plain words."""

from __future__ import annotations

import pytest

from augkit.augmenters.coba.joint.label_meanings import label_meaning


@pytest.mark.parametrize(
    ("label", "is_pair", "meaning"),
    [
        ("Positive", False, "Positive: it is good"),
        ("neutral", False, "neutral: it is neither good nor bad"),
        ("neutral", True, "neutral: open; say something more, which the first text leaves open"),
        ("SUPPORTS", True, "SUPPORTS: true by the first text; say only what it says"),
        ("positive", True, "positive"),
        ("1", False, "1"),
    ],
)
def test_known_names_are_explained_and_others_stay_bare(label, is_pair, meaning):
    """Sentiment of single texts and relations of pairs are known by name."""
    assert label_meaning(label, {}, is_pair=is_pair) == meaning


def test_the_users_description_wins():
    """A description given for a label replaces ours."""
    assert label_meaning("neg", {"neg": "a complaint"}, is_pair=False) == "neg: a complaint"
