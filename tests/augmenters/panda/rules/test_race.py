"""The race axis: nationalities said of people, and names of persons."""

from __future__ import annotations

from random import Random

import pytest

from augkit.augmenters.panda.perturbers.protocol import NamePolicy, Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.commands.perturb import PerturbRequest, to_task
from augkit.core.types import Rejection
from augkit.english.parser import SpacyParser
from augkit.lexicons.demographics.names import name_lists


def changed(text: str, word: str, target: str, names: NamePolicy = "any") -> str:
    """The rewritten text, or the reason in brackets."""
    task = to_task(PerturbRequest(text, "race", target, word), Random(1))
    assert isinstance(task, PerturbTask)
    [answer] = RulePerturber(SpacyParser(), names).perturb([task])
    return f"[{answer.reason}]" if isinstance(answer, Rejection) else answer.fields["0"]


@pytest.mark.parametrize(
    ("text", "word", "target", "expected"),
    [
        ("A British bishop spoke.", "British", "asian", "An Asian bishop spoke."),
        ("The Scots met a Scottish knight.", "Scots", "black", None),
        ("Two Germans sang.", "Germans", "hispanic", "Two Hispanics sang."),
        ("An Englishman sat down.", "Englishman", "asian", "An Asian man sat down."),
        ("She is an Italian-American singer.", "Italian-American", "black", None),
        ("They played Cuban music.", "Cuban", "asian", "[not a person]"),
        ("The Chinese alphabet is hard.", "Chinese", "white", "[not a person]"),
        ("We ate Mexican rice.", "Mexican", "white", "[not a person]"),
        ("The Honduran U-23 squad won.", "Honduran", "asian", "The Asian U-23 squad won."),
        ("It was 93.25% White.", "White", "asian", "It was 93.25% Asian."),
        ("The minister resigned.", "minister", "asian", "The Asian minister resigned."),
        ("He moved to Sydney in May.", "Sydney", "asian", "[not a person]"),
        ("Emily Nguyen left.", "Emily", "white", "Emily Miller left."),
        ("Emily Nguyen left.", "Emily", "asian", "[already the target]"),
        ("Kwame Nguyen left.", "Kwame", "black", "Kwame Washington left."),
        ("The Muslim students left.", "Muslim", "white", "[no reference]"),
        ("They sailed to England.", "England", "black", "[no reference]"),
        ("A French poet sang.", "French", "white", "A white poet sang."),
        ("A Caucasian poet sang.", "Caucasian", "white", "[already the target]"),
        ("A Yugoslav poet saw a crow.", "Yugoslav", "asian", "An Asian poet saw a crow."),
        ("A Scottish poet hated Jim Crow.", "Scottish", "asian", "[fixed phrase]"),
        ("He saw the trade in African slaves.", "African", "white", "[fixed phrase]"),
    ],
)
def test_nationalities_are_changed_where_people_are_meant(
    text: str, word: str, target: str, expected: str | None
) -> None:
    """A nationality said of people becomes the group's word; of a thing it is left alone."""
    output = changed(text, word, target)
    if expected is not None:
        assert output == expected
    else:
        assert word not in output
        assert not output.startswith("[")
        assert "Black" in output


def test_every_mention_of_a_name_changes_alike() -> None:
    """First name and surname are of the group, the same in every mention; others stay."""
    text = "Katie Hopkins wrote it. Hopkins and Tom left, and Katie laughed."
    words = changed(text, "Hopkins", "pacific-islander").replace(".", "").replace(",", "").split()
    first, last = words[0], words[1]
    names = name_lists().groups["pacific-islander"]
    assert first in names.women
    assert last in names.surnames
    assert words == f"{first} {last} wrote it {last} and Tom left and {first} laughed".split()


def test_a_bearer_of_the_same_surname_keeps_it() -> None:
    """Another person's full name with the same surname is left alone."""
    output = changed("Suzanne Todd and Jennifer Todd produced it.", "Suzanne", "black")
    assert "Jennifer Todd" in output
    assert "Suzanne Todd" not in output


def test_the_setting_decides_which_names_count() -> None:
    """With listed, only names of a known group; with never, none."""
    text, word = "Lakisha laughed.", "Lakisha"
    assert changed(text, word, "white", "never") == "[no reference]"
    assert not changed(text, word, "white", "listed").startswith("[")
    assert changed("Ardie laughed.", "Ardie", "white", "listed") == "[no reference]"
    assert not changed("Ardie laughed.", "Ardie", "white", "any").startswith("[")


def test_a_drawn_word_needs_a_person() -> None:
    """Without a caller who points at it, a nationality of a body is no reference to people."""
    task = to_task(PerturbRequest("The British empire fell.", "race", "asian"), Random(1))
    assert isinstance(task, PerturbTask)
    [answer] = RulePerturber(SpacyParser()).perturb([task])
    assert not isinstance(answer, Perturbed)


def test_another_person_with_the_same_first_name_keeps_it() -> None:
    """Two whole names that share a word are two persons; numerals are no names."""
    text = "Mary Duncan II knew Mary Eppes. Duncan left."
    output = changed(text, "Duncan", "asian")
    assert "Mary Eppes" in output
    assert "Duncan" not in output
    assert " II knew" in output


def test_an_adjective_for_a_people_is_written_as_a_noun():
    """After the article it stands for several people, before a noun for one."""
    assert changed("Here the French won.", "French", "black") == "Here the Black people won."
    assert changed("The French cook won.", "French", "black") == "The Black cook won."
