"""The age rule on whole sentences: numbers, decades, nouns and adjectives."""

import re

import pytest

SENTENCES = [
    ("The pilot, aged 34, survived.", "34", "senior", "The pilot, aged {senior}, survived."),
    ("She is 34 years of age.", "34", "senior", "She is {senior} years of age."),
    ("A 7 year old won.", "7", "senior", "A(n|) {senior} year old won."),
    ("He turned forty in May.", "forty", "senior", "He turned {words} in May."),
    (
        "She is in her late fifties.",
        "fifties",
        "young",
        "She is in her (late |)(twenties|thirties).",
    ),
    ("An octogenarian won the race.", "octogenarian", "child", "A (child|kid) won the race."),
    ("I met a boy of ten.", "ten", "senior", "I met a(n|) man of {words}."),
    ("My 6-year-old loves trains.", "6", "senior", "My {senior}-year-old loves trains."),
    ("The baby slept.", "baby", "senior", "The (senior|senior citizen|elder) slept."),
    ("A man of 72 was rescued.", "72", "young", "A man of {young} was rescued."),
    ("Tom (19) was hurt.", "19", "senior", "Tom ({senior}) was hurt."),
    ("She was 16 when she left.", "16", "senior", "She was {senior} when she left."),
    ("He died at the age of 81.", "81", "young", "He died at the age of {young}."),
    ("The singer, who is 23, cried.", "23", "senior", "The singer, who is {senior}, cried."),
    ("Her elderly aunt lives alone.", "elderly", "young", "Her young aunt lives alone."),
    (
        "My young cousin can swim.",
        "young",
        "senior",
        "My (old|elderly|older|senior) cousin can swim.",
    ),
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_an_age_becomes_one_of_the_target(rewrite, accepted, sentence):
    """A number lies in the band of the target, in words or digits as before."""
    text, word, target, expected = sentence
    assert re.fullmatch(accepted(expected, text), rewrite(text, word, target))
