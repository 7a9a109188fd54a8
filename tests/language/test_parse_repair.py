"""Parses that the words themselves correct."""

import pytest

from augkit.language.coreference.resolve import resolve_people
from augkit.language.parse_repair import repair_parse
from augkit.language.parser import SpacyParser

LINKED = [
    ("Man smoking a cigarette is upset with the car in front of him.", "Man", "him"),
    ("A man stands at a wall, waiting for his buddy to pick him up.", "man", "him"),
    ("A man taking a nap on a bench with an umbrella protecting him from rain.", "man", "him"),
    ("A young mother tries to grab her topless child from a fountain.", "mother", "her"),
    ("He shot Dennehy after the player tried to shoot him, they said.", "He", "him"),
    ("For a woman like Lena, a woman from a good family, it was hard.", "Lena", "woman"),
]
LINKED += [
    ("A guy tries to climb a cliff while his friend helps him.", "guy", "him"),
    ("A girl is holding a toy while a person is showing her something.", "girl", "her"),
    ("a female sitting at a table with a drink in front of her.", "female", "her"),
    ("A young adult male leans against a brick wall with his bag.", "male", "his"),
    ("He can get rid of the evidence incriminating him", "He", "him"),
    ("A woman tried to talk a cop out of giving her a ticket.", "woman", "her"),
    ("The man is waiting for the bus to take him to the airport.", "man", "him"),
]
APART = [
    ("The woman gave her a cup of tea.", "woman", "her"),
    ("The man tried to stab him.", "man", "him"),
]


def _people_of(text, *words):
    [analysis] = SpacyParser().parse([text])
    persons = resolve_people(repair_parse(analysis))
    return [persons.at(text.rindex(word)) for word in words]


@pytest.mark.parametrize(("text", "one", "other"), LINKED)
def test_linked(text, one, other):
    """A repaired parse lets a pronoun find its antecedent."""
    first, second = _people_of(text, one, other)
    assert first is not None
    assert first is second


@pytest.mark.parametrize(("text", "one", "other"), APART)
def test_apart(text, one, other):
    """What grammar keeps apart stays apart."""
    first, second = _people_of(text, one, other)
    assert first is not second


def test_right_parse_is_unchanged():
    """A right parse is handed back as it is, the same object."""
    [analysis] = SpacyParser().parse(["She lost her keys."])
    assert repair_parse(analysis) is analysis


@pytest.mark.parametrize(
    "text", ["A few women laughed.", "Men at work.", "", "Her back facing us, a man photographs."]
)
def test_a_tree_stays_one(text):
    """Whatever is repaired, every word hangs on a root of its sentence."""
    [analysis] = SpacyParser().parse([text])
    fixed = repair_parse(analysis)
    for token in fixed.tokens:
        step, steps = token, 0
        while not step.is_root:
            step, steps = fixed.head(step), steps + 1
            assert steps <= len(fixed.tokens)
        assert step.sentence == token.sentence
