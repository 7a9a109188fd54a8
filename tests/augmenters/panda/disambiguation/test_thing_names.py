"""Names and nouns with capitals that name a thing, each beside the same word of a person."""

import pytest

from augkit.augmenters.panda.disambiguation.thing_names import is_thing_word

THINGS = [
    ("An Amber Alert was sent at noon.", "Amber", "man"),
    ("They fly from the Kennedy Space Center.", "Kennedy", "man"),
    ("He sailed the Gulf of Aden.", "Aden", "woman"),
    ("The Valley of the Kings was shut.", "Kings", "woman"),
    ("She won a Father of the Year mug.", "Father", "woman"),
    ("They play in a Queen cover band.", "Queen", "man"),
    ("Bill 1792 was passed.", "Bill", "woman"),
    ("It follows from Wilson's theorem.", "Wilson", "woman"),
    ("They saw Jane's Addiction live.", "Jane", "man"),
    ("Pratt & Whitney builds engines.", "Whitney", "man"),
    ("There was a fire in Alaska.", "Alaska", "man"),
    ("The hotel is in northern Virginia.", "Virginia", "man"),
    ("Georgia's coast is short.", "Georgia", "man"),
    ("Since Katrina, the street is empty.", "Katrina", "man"),
    ("Loving v. Virginia was decided in 1967.", "Virginia", "man"),
    ("Sera were tested with ELISA at once.", "ELISA", "man"),
    ("Alvin and the Chipmunks is on again.", "Alvin", "woman"),
    ("The Marshall amp was loud.", "Marshall", "woman"),
    ("The flight from Dallas to Jackson was late.", "Jackson", "woman"),
    ("The name Ariadne is Greek.", "Ariadne", "man"),
]
PERSONS = [
    ("Amber told us that she was late.", "Amber", "man"),
    ("Emma Stone laughed.", "Emma", "man"),
    ("Alaska said she was cold.", "Alaska", "man"),
    ("Wilson's mother rang.", "Wilson", "woman"),
    ("They gave Anna flowers.", "Anna", "man"),
    ("Bill, 42, was hurt.", "Bill", "woman"),
    ("Will you ask Will where he was?", "he", "woman"),
]


@pytest.mark.parametrize(("text", "word", "target"), THINGS)
def test_a_name_in_the_name_of_a_thing_is_left_alone(rewrite, text, word, target):
    """What stands beside a name says that it is no person's."""
    assert rewrite(text, word, target) in {"[not a person]", "[fixed phrase]"}


@pytest.mark.parametrize(("text", "word", "target"), PERSONS)
def test_the_same_name_changes_where_somebody_has_it(rewrite, text, word, target):
    """A surname, a deed or a pronoun shows a person."""
    assert not rewrite(text, word, target).startswith("[")


def test_a_verb_is_not_renamed_with_its_namesake(rewrite):
    """The "Will" of a question stays where a man called Will changes."""
    assert rewrite("Will you ask Will where he was?", "he", "woman").startswith("Will you ask W")


def test_surnames_are_no_words_for_things():
    """A noun that many people bear as a surname does not make a name a thing's."""
    assert is_thing_word("furniture")
    assert not is_thing_word("woods")
    assert not is_thing_word("cook")
