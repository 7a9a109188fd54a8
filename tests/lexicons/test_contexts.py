"""Sayings, fields of terms and frames of names."""

from __future__ import annotations

import pytest

from augkit.lexicons.demographics.cues import field_cues, name_frames, sayings
from augkit.lexicons.demographics.find_references import finder_for, in_plural


@pytest.mark.parametrize(
    "text", ["It's every man for himself.", "Content is king.", "She has a master's in law."]
)
def test_sayings_are_found_whatever_their_own_words(text):
    """A saying is found by its pattern."""
    assert sayings().search(text) is not None


def test_plain_speech_is_no_saying():
    """A man who is told of belongs to no saying."""
    assert sayings().search("The man sold his car to another man.") is None


def test_every_field_has_words_and_cues_that_are_written_in_small_letters():
    """Words are looked up, and cues searched for, in small letters."""
    for word, cues in field_cues().items():
        assert word == word.lower()
        assert all(cue.pattern == cue.pattern.lower() for cue in cues)


def test_a_frame_asks_for_all_its_parts():
    """Without the cue of its field a name stands in no frame."""
    text = "We beat Charlton four nil."
    assert any(f.holds(text, 8, 16) for f in name_frames())
    assert not any(f.holds("We beat Charlton to the door.", 8, 16) for f in name_frames())


def test_phrases_of_wordnet_are_left_alone_in_the_plural_too():
    """A thing's name blocks the word in it that could be a person."""
    for text in ("a painted lady", "two painted ladies", "a lady's slipper"):
        assert all(hit.blocked for hit in finder_for("gender").find(text))
    assert in_plural("box") == "boxes"


def test_what_gender_leaves_alone_age_leaves_alone():
    """A "boy band" says neither a gender nor an age, and "a 9-year-old boy" says both."""
    assert all(hit.blocked for hit in finder_for("age").find("a boy band"))
    assert not any(hit.blocked for hit in finder_for("gender").find("a 9-year-old boy"))
