"""What counts as a mention of a person."""

import pytest

from augkit.language.coreference.mention_detection import detect_mentions
from augkit.language.parser import SpacyParser


def mentions(text):
    """The mentions of a text: words, kind and gender."""
    [analysis] = SpacyParser().parse([text])
    return [
        (text[s.mention.start : s.mention.end], s.mention.kind, s.mention.gender)
        for s in detect_mentions(analysis)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She left.", ("She", "pronoun", "woman")),
        ("They left.", ("They", "pronoun", "unknown")),
        ("Peter Parker left.", ("Peter Parker", "name", "man")),
        ("Mrs. Jones left.", ("Mrs.", "title", "woman")),
        ("Mrs. Jones left.", ("Jones", "name", "woman")),
        ("Dr. Jones left.", ("Jones", "name", "unknown")),
        ("The waitress left.", ("waitress", "noun", "woman")),
        ("The doctor left.", ("doctor", "noun", "unknown")),
        ("Someone left.", ("Someone", "noun", "unknown")),
        ("The man who left was tall.", ("who", "relative", "unknown")),
        ("Anna and Tom left.", ("Anna and Tom", "group", "unknown")),
        ("My mother's car is red.", ("mother", "noun", "woman")),
    ],
)
def test_mentions_show_kind_and_gender(text, expected):
    """Words that refer to people are found, with the gender that the form itself shows."""
    assert expected in mentions(text)


@pytest.mark.parametrize(
    "text",
    [
        "The table is red.",
        "The University of Leeds is old.",
        "It rained on Monday.",
        "The book that fell was old.",
        "The player wore white.",
    ],
)
def test_things_are_not_people(text):
    """No surely personal name or relative is found where only things are spoken of."""
    [analysis] = SpacyParser().parse([text])
    assert not [s for s in detect_mentions(analysis) if s.sure and s.words != ("player",)]


def test_a_plural_is_told_from_a_singular():
    """Nouns, pronouns and coordinations say whether they are one person or several."""
    [analysis] = SpacyParser().parse(["The boys and a girl saw their friend."])
    plural = {
        s.mention.kind + " " + s.words[0]: s.mention.plural
        for s in detect_mentions(analysis)
        if s.words
    }
    assert plural == {
        "noun boy": True,
        "noun girl": False,
        "pronoun their": True,
        "noun friend": False,
    }
