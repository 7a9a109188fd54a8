"""What the rules would change, shown to a language model."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from augkit.augmenters.coba.hints import PolarityHints, RelationHints
from augkit.augmenters.coba.job import Job
from augkit.core.types import example
from augkit.english.parser import SpacyParser
from augkit.english.polarity.antonyms import ClassCounts
from augkit.lexicons.evaluative import bundled_lexicon

FITTED = SimpleNamespace(
    polarity={"positive": "positive", "negative": "negative"},
    lexicon=bundled_lexicon(),
    counts=ClassCounts({}),
)
REVIEW = "The plot is dull and the cast is wonderful."


def job(fields, label, target):
    return Job(example(fields, label), target=target, rng=Random(0))


def test_words_of_the_old_polarity_come_with_opposites():
    """The word of the other polarity is no hint."""
    hints = PolarityHints(SpacyParser(), FITTED).of(job(REVIEW, "negative", "positive"))
    assert hints.startswith("dull → ")
    assert "wonderful" not in hints


@pytest.mark.parametrize(("label", "target"), [("film", "sport"), ("negative", "negative")])
def test_labels_without_another_polarity_have_no_hints(label, target):
    """Topics, and a target of the same polarity."""
    assert PolarityHints(SpacyParser(), FITTED).of(job(REVIEW, label, target)) == ""


def test_of_a_pair_only_the_second_text_is_hinted_at_and_never_a_negation():
    """The dog of the second text becomes another animal; relations that have no name give none."""
    pair = {"premise": "A dog runs on the beach.", "hypothesis": "A dog is running."}
    hints = RelationHints(SpacyParser())
    found = hints.of(job(pair, "entailment", "contradiction"))
    assert " → " in found
    assert "not" not in found.split()
    assert hints.of(job(pair, "1", "2")) == ""


def test_a_contradiction_becomes_neutral_in_two_steps():
    """It is made to follow from the first text, then to say more."""
    pair = {"premise": "A man is cycling on a road.", "hypothesis": "A man is asleep in his bed."}
    found = RelationHints(SpacyParser()).of(job(pair, "contradiction", "neutral"))
    before, _, after = found.partition(" → ")
    assert before == "A man is asleep in his bed"
    assert "cycling" in after
    assert len(after.split()) > len("A man is cycling".split())
