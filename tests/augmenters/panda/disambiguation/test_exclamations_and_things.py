"""Words that say nothing of a person who could be another: each beside one that does."""

import pytest

BODIES = [
    ("She is pregnant again.", "She", "man"),
    ("Her contractions began at noon.", "Her", "man"),
    ("He had his prostate checked.", "He", "woman"),
    ("The woman who gave birth here left.", "woman", "man"),
]
OTHERS_BODIES = [
    ("She drove her pregnant sister home.", "She", "man", "He drove his pregnant sister home."),
    ("The woman carried the baby upstairs.", "woman", "man", "The man carried the baby upstairs."),
    ("She is pregnant.", "She", "non-binary", "They are pregnant."),
    ("He teaches birth control.", "He", "woman", "She teaches birth control."),
]
EXCLAMATIONS = [
    ("Boy, was it cold!", "Boy", "woman", "not a person"),
    ("Give me a break, man!", "man", "woman", "not a person"),
    ('The word "wife" is short.', "wife", "man", "not a person"),
    ("Baby, it is late!", "Baby", "adult", "not a person"),
]
SAID_OF_SOMEBODY = [
    ("Boy, 8, found safe.", "Boy", "woman", "Girl, 8, found safe."),
    ("A man, wet and cold, knocked.", "man", "woman", "A woman, wet and cold, knocked."),
    ('My "wife" is a robot.', "wife", "man", 'My "husband" is a robot.'),
]
THINGS = [
    ("The female lays her eggs in sand.", "female", "man", "not a person"),
    ("She won the women's slalom.", "women", "man", "not a person"),
    ("A mother bear growled.", "mother", "man", "fixed phrase"),
    ("Ladies Bay is calm.", "Ladies", "man", "fixed phrase"),
    ("He works at Lord & Taylor.", "Lord", "woman", "fixed phrase"),
    ("He had a Reuben for lunch.", "Reuben", "woman", "not a person"),
    ("Zeus hid his thunderbolt.", "his", "woman", "not a person"),
]
PERSONS = [
    ("A male walking his dog.", "male", "woman", "A female walking her dog."),
    ("The women's faces were red.", "women", "man", "The men's faces were red."),
    ("He gave the girl roses.", "girl", "man", "He gave the boy roses."),
    ("Our father taught us to swim.", "father", "woman", "Our mother taught us to swim."),
    ("The bishop lost his hat.", "his", "woman", "The bishop lost her hat."),
]


@pytest.mark.parametrize(("text", "word", "target", "reason"), [*EXCLAMATIONS, *THINGS])
def test_what_is_said_of_no_such_person_is_rejected(rewrite, text, word, target, reason):
    """Cries, quoted words, names of things and animals are left alone."""
    assert rewrite(text, word, target) == f"[{reason}]"


@pytest.mark.parametrize(("text", "word", "target"), BODIES)
def test_what_only_one_gender_does_is_not_said_of_the_other(rewrite, text, word, target):
    """There is a person, so that a pair is not changed in one field only, but no way to say it."""
    assert rewrite(text, word, target) == "[no word for the target]"


def test_a_body_in_one_field_keeps_the_person_of_the_other(rewrite):
    """Both fields speak of the same woman, so she stays in both."""
    pair = "A pregnant woman walks home. <SEP> A woman walks."
    assert rewrite(pair, "woman", "man", occurrence=1) == "[no word for the target]"


@pytest.mark.parametrize(
    ("text", "word", "target", "expected"), [*OTHERS_BODIES, *SAID_OF_SOMEBODY, *PERSONS]
)
def test_the_same_words_change_where_a_person_is_meant(rewrite, text, word, target, expected):
    """A rejection goes no further than its reason: the look-alikes are rewritten."""
    assert rewrite(text, word, target) == expected
