"""What the rules say of a model's text: what is left of the old polarity, and hints beforehand."""

from random import Random
from types import SimpleNamespace

import pytest

from augkit.augmenters.checks import failed_check
from augkit.augmenters.coba.config import CobaConfig, WritingSettings
from augkit.augmenters.coba.hints import PolarityHints, RelationHints
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.verify import (
    FORM_CHECKS,
    Rewriting,
    WholeRow,
    polarity_checks,
)
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
    return Job(row, target=target, rng=Random(0))


def polarity_rejection(job, text):
    """Why a text that a model wrote for a job is rejected by its polarity."""
    settings = WritingSettings.of(CobaConfig())
    row = WholeRow(job.parent.fields["text"], text, job.words, settings, job, None)
    return failed_check(polarity_checks(SpacyParser(), FITTED), row)


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
    assert polarity_rejection(job(), text) == reason


def test_labels_without_a_polarity_are_not_checked():
    topic = job("sport", example("The plot is dull.", "film"))
    assert polarity_rejection(topic, "It is dull.") is None


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("A fine hill of kings and fools here.", None),
        ("A hill.", "too short"),
        ("A fine hill of kings " * 4, "too long"),
        ("A fine mount of kings and fools here.", "spurious words lost"),
        ("A fine hill of queens and fools here.", "spurious words lost"),
    ],
)
def test_the_form_of_a_variant(after, reason):
    """Its length is in the limits, most spurious words stay, and all that are required."""
    words = Words(spurious=frozenset({"hill", "kings"}), required=frozenset({"kings"}))
    limits = WritingSettings.of(CobaConfig(min_spurious=0.8))
    rewriting = Rewriting("A poor Hill of kings and fools here.", after, words, limits)
    assert failed_check(FORM_CHECKS, rewriting) == reason


REVIEW = "The plot is dull and the cast is wonderful."


def to_flip(fields, label, target):
    return Job(example(fields, label), target=target, rng=Random(0))


def test_words_of_the_old_polarity_come_with_opposites():
    hints = PolarityHints(SpacyParser(), FITTED).of(to_flip(REVIEW, "negative", "positive"))
    assert hints.startswith("dull → ")
    assert "wonderful" not in hints


@pytest.mark.parametrize(("label", "target"), [("film", "sport"), ("negative", "negative")])
def test_labels_without_another_polarity_have_no_hints(label, target):
    assert PolarityHints(SpacyParser(), FITTED).of(to_flip(REVIEW, label, target)) == ""


def test_of_a_pair_only_the_second_text_is_hinted_at_and_never_a_negation():
    """The dog of the second text becomes another animal; relations that have no name give none."""
    pair = {"premise": "A dog runs on the beach.", "hypothesis": "A dog is running."}
    hints = RelationHints(SpacyParser())
    found = hints.of(to_flip(pair, "entailment", "contradiction"))
    assert " → " in found
    assert "not" not in found.split()
    assert hints.of(to_flip(pair, "1", "2")) == ""


def test_a_contradiction_becomes_neutral_in_two_steps():
    """It is made to follow from the first text, then to say more."""
    pair = {"premise": "A man is cycling on a road.", "hypothesis": "A man is asleep in his bed."}
    found = RelationHints(SpacyParser()).of(to_flip(pair, "contradiction", "neutral"))
    before, _, after = found.partition(" → ")
    assert before == "A man is asleep in his bed"
    assert "cycling" in after
    assert len(after.split()) > len("A man is cycling".split())
