"""Judges that must agree, and what is left of the old polarity."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from augkit.augmenters.coba.edit import Job
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.verify import LeftoverCheck
from augkit.core.types import example
from augkit.english.parser import SpacyParser
from augkit.english.polarity.antonyms import ClassCounts
from augkit.lexicons.evaluative import bundled_lexicon

ROW = example("The plot is dull and the cast is wonderful.", "negative")
FITTED = SimpleNamespace(
    polarity={"positive": "positive", "negative": "negative"},
    lexicon=bundled_lexicon(),
    counts=ClassCounts({}),
)


def job(target="positive", row=ROW):
    return Job(row, target, (), {}, Words(), {}, Random(0))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The plot is clever and the cast is wonderful.", None),
        ("The plot is not dull and the cast is wonderful.", None),
        ("The plot is dull and the cast is great.", "principal words left unedited"),
        ("Watch it tonight with the whole family.", "too little of the text kept"),
    ],
)
def test_words_of_the_old_polarity_must_go_and_the_others_stay(text, reason):
    """A negated one does not count: its polarity is the new one."""
    check = LeftoverCheck(SpacyParser(), FITTED)
    assert check.rejection(job(), {"text": text}) == reason


def test_labels_without_a_polarity_are_not_checked():
    """Topics."""
    topic = job("sport", example("The plot is dull.", "film"))
    assert LeftoverCheck(SpacyParser(), FITTED).rejection(topic, {"text": "It is dull."}) is None
