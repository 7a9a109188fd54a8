"""The race axis: nationalities said of people, and names of persons."""

from random import Random

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.commands.perturb import PerturbRequest, to_task
from augkit.english.parser import SpacyParser
from augkit.lexicons.demographics.names import name_lists


def changed(text: str, word: str, target: str) -> str:
    """The rewritten text, or the reason in brackets."""
    task = to_task(PerturbRequest(text, "race", target, word), Random(1))
    assert isinstance(task, PerturbTask)
    [answer] = RulePerturber(SpacyParser()).perturb([task])
    return f"[{answer.reason}]" if answer.reason else answer.fields["0"]


def test_nationalities_are_changed_where_people_are_meant(check_sentence, sentence) -> None:
    """A nationality said of people becomes the group's word; of a thing it is left alone."""
    check_sentence(sentence, pointed=True)


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
    output = changed("Suzanne Todd and Jennifer Todd produced it.", "Suzanne", "black")
    assert "Jennifer Todd" in output
    assert "Suzanne Todd" not in output


def test_a_name_says_no_race_unless_somebody_points_at_it() -> None:
    """A method that draws a name leaves it alone."""
    assert references({"text": "Lakisha laughed."}, ["race"]) == []
    assert not changed("Lakisha laughed.", "Lakisha", "white").startswith("[")


def test_a_drawn_word_needs_a_person() -> None:
    """Without a caller who points at it, a nationality of a body is no reference to people."""
    task = to_task(PerturbRequest("The British empire fell.", "race", "asian"), Random(1))
    assert isinstance(task, PerturbTask)
    [answer] = RulePerturber(SpacyParser()).perturb([task])
    assert answer.reason


def test_another_person_with_the_same_first_name_keeps_it() -> None:
    """Two whole names that share a word are two persons; numerals are no names."""
    text = "Mary Duncan II knew Mary Eppes. Duncan left."
    output = changed(text, "Duncan", "asian")
    assert "Mary Eppes" in output
    assert "Duncan" not in output
    assert " II knew" in output
