"""What a label means in plain words."""

from __future__ import annotations

import pytest

from augkit.augmenters.coba.joint.label_meanings import label_meaning, polarity_of


@pytest.mark.parametrize(
    ("label", "polarity"),
    [("Positive", "positive"), ("neg", "negative"), ("neutral", "neutral"), ("1", None)],
)
def test_sentiment_is_known_by_the_name_of_a_label(label, polarity):
    """Other labels have no polarity."""
    assert polarity_of(label) == polarity


def test_the_users_description_is_shown():
    """Where there is one; else the label stays bare."""
    assert label_meaning("neg", {"neg": "a complaint"}) == "neg: a complaint"
    assert label_meaning("pos", {"neg": "a complaint"}) == "pos"
