"""Words that name people."""

import re
from pathlib import Path

import pytest

import augkit
from augkit.lexicons.demographics.cues import PEOPLE
from augkit.lexicons.demographics.person_words import (
    gendered_nouns,
    name_genders,
    person_nouns,
    titles,
)
from augkit.lexicons.load import data_yaml


@pytest.mark.parametrize("kind", ["persons", "groups", "no_names", "titles", "wrongs"])
def test_lists_hold_lower_case_words(kind):
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


PACKAGE = Path(augkit.__file__).parent
DATA = PACKAGE / "lexicons" / "data"
HANDLES = {
    "people": "PEOPLE",
    "her": "HER",
    "verbs": "VERBS",
    "ages": "AGES",
    "names": "NAMES",
    "left_alone": "LEFT_ALONE",
}
"""The names under which modules read the tables."""


@pytest.mark.slow
def test_every_list_has_a_reader():
    """A module reads each list of words by its name."""
    code = "\n".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    handles = {name: table for table, name in HANDLES.items()}
    read = {(handles[h], k) for h, k in re.findall(r"\b([A-Z_]+)\.([a-z_]+)", code) if h in handles}
    read |= {
        ("her", name) for name in re.findall(r"\{(\w+)\}", (DATA / "cues/her.yaml").read_text())
    }
    read |= {("her", "patterns"), ("ages", "patterns"), ("left_alone", "gods")}
    read |= {("persons", name) for name in re.findall(r'\bcue\("(\w+)"\)', code)}
    tabled = re.findall(r'cue_table\("cues/persons"\)\["(\w+)"\]', code)
    read |= {("persons", name) for name in tabled}
    tables = [DATA / "people.yaml", *(DATA / "cues").glob("*.yaml")]
    listed = {(path.stem, key) for path in tables for key in data_yaml(str(path.relative_to(DATA)))}
    assert listed - read == set()
    assert [path for path in DATA.glob("*.txt") if f'"{path.stem}"' not in code] == []
