from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.augmenters.panda.rules.names import Renaming
from augkit.lexicons.demographics.cues import PEOPLE
from augkit.lexicons.demographics.names import (
    cased_like,
    first_names,
    look_up,
    name_lists,
)
from augkit.lexicons.demographics.person_words import slurs

GENDERED = sorted(
    name.text
    for name in first_names().values()
    if name.gender in {"man", "woman"}
    and PEOPLE.deities.isdisjoint({name.text.lower(), name.counterpart.lower()})
)
"""Names that become another; nobody is made a god."""
LISTED = [name for one in name_lists().groups.values() for name in (*one.men, *one.women)]
PARALLEL = [
    name
    for names in zip(*((*one.men, *one.women) for one in name_lists().groups.values()), strict=True)
    if PEOPLE.deities.isdisjoint(map(str.lower, names))
    for name in names
]


def test_counterparts_are_mutual() -> None:
    for name in first_names().values():
        if name.gender == "non-binary":
            assert not name.counterpart
        else:
            other = first_names()[name.counterpart.lower()]
            assert other.counterpart == name.text
            assert {name.gender, other.gender} == {"man", "woman"}


@given(st.sampled_from(GENDERED), st.sampled_from([str, str.lower, str.upper]))
def test_gender_swap_comes_back(text: str, casing) -> None:
    """Man to woman to man gives the name back, in its casing."""
    word = casing(text)
    own = look_up(word).gender
    other = "woman" if own == "man" else "man"
    there = Renaming([], Random(0)).of_gender(word, other)
    assert Renaming([], Random(1)).of_gender(there, own) == word


@given(st.sampled_from(PARALLEL), st.sampled_from(sorted(name_lists().groups)))
def test_group_change_comes_back(text: str, group: str) -> None:
    """From group to group and back gives the name back, and its gender stays throughout."""
    name = look_up(text)
    there = text if name.group == group else Renaming([], Random(0)).of_group(text, group, "")
    assert look_up(there).group == group
    assert look_up(there).gender == name.gender
    back = there if name.group == group else Renaming([], Random(0)).of_group(there, name.group, "")
    assert back == text


def test_listed_names_stand_once() -> None:
    """A name belongs to one group, and no written name is a slur."""
    assert len(LISTED) == len(set(LISTED))
    assert slurs().isdisjoint(first_names())


@pytest.mark.parametrize(
    ("name", "gender", "also"),
    [
        ("Victor", "man", ""),
        ("Helen", "woman", ""),
        ("Robin", "non-binary", "w"),
        ("Rose", "woman", "w"),
        ("Charlotte", "woman", "l"),
        ("Savannah", "woman", "wp"),
        ("Dallas", "man", "wp"),
    ],
)
def test_known_names(name: str, gender: str, also: str) -> None:
    """Common names have the gender one expects, and words and cities are marked as such."""
    assert (look_up(name).gender, look_up(name).also) == (gender, also)


def test_open_names_are_drawn_from_the_generator() -> None:
    """A name that leaves gender open is the same for the same generator, and fits all."""
    drawn = Renaming([], Random(3)).of_gender("Fatima", "non-binary")
    assert drawn == Renaming([], Random(3)).of_gender("Fatima", "non-binary")
    assert look_up(drawn).gender == "non-binary"
    assert Renaming([], Random(3)).of_gender(drawn, "man") == drawn


def test_words_and_lands_are_no_names() -> None:
    """What is rarely a first name, and something else first, is not in the list."""
    words = {"ok", "sunday", "nola", "rome", "islam", "table", "else", "german", "coda"}
    assert not words & first_names().keys()


@given(st.sampled_from(LISTED))
def test_casing_follows(name: str) -> None:
    """Small letters and capitals are kept, inner capitals only in ordinary writing."""
    assert cased_like(name, "maria").islower()
    assert cased_like(name, "MARIA").isupper()
    assert cased_like(name, "Maria") == name
