"""Words that name people."""

import pytest

from augkit.lexicons.demographics.cues import PEOPLE
from augkit.lexicons.demographics.person_words import (
    gendered_nouns,
    name_genders,
    person_nouns,
    titles,
)


@pytest.mark.parametrize(
    "kind", ["persons", "plural_only", "groups", "organisations", "no_names", "titles"]
)
def test_lists_hold_lower_case_words(kind):
    """Every list can be compared with words in lower case."""
    words = getattr(PEOPLE, kind)
    assert words
    assert all(word == word.lower().strip() for word in words)


def test_genders_agree_between_lists():
    """A noun that is a title too shows one gender, and a form that fits anybody shows none."""
    assert gendered_nouns()["king"] == titles()["king"] == "man"
    assert gendered_nouns()["waitresses"] == "woman"
    assert "teacher" not in gendered_nouns()
    assert titles()["professor"] == "unknown"


def test_names_know_their_gender():
    """First names show a gender where nearly all bearers share it."""
    assert (name_genders()["mary"], name_genders()["john"]) == ("woman", "man")


def test_groups_and_additions_are_person_nouns():
    """What is listed by hand counts like what was taken from WordNet."""
    assert PEOPLE.groups | PEOPLE.persons <= person_nouns()
    assert {"doctor", "person", "family"} <= person_nouns()
