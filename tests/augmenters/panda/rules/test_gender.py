"""The gender rule on whole sentences: pronouns, nouns, names and titles of one person."""

import pytest


def test_one_person_changes_with_all_that_refers_to_them(check_sentence, sentence):
    """Pronouns, nouns, names and verbs of the person change, and nothing else does."""
    check_sentence(sentence)


def test_names_change_by_the_word_that_is_pointed_at(check_sentence, sentence):
    """A surname stays, and any name that "they" may bear."""
    check_sentence(sentence, pointed=True)


def test_a_name_inside_another_is_nobody(rewrite):
    """Neither part of a surname nor the name of a film's director is who is meant."""
    new, _, rest = rewrite("Paul saw a Tom Hanks film as he ate.", "he", "woman").partition(" ")
    assert new != "Paul"
    assert rest == "saw a Tom Hanks film as she ate."


def test_a_first_name_changes_wherever_it_stands(rewrite):
    """Two mentions of a person get one name; a word that is a place somewhere is no name."""
    assert rewrite("Paris forgot her phone in Paris.", "Paris", "man") == "[not a person]"
    new, _, rest = rewrite("Paul left. I saw Paul there.", "Paul", "woman").partition(" ")
    assert new != "Paul"
    assert rest == f"left. I saw {new} there."


@pytest.mark.parametrize(
    ("text", "word", "target", "other"),
    [
        ("A boy named Peter lost his dog.", "boy", "woman", "Peter"),
        ("Lady Diana smiled at her son.", "Lady", "man", "Diana"),
        ("Joy lost her keys.", "Joy", "man", "Jesus"),
        ("Alan Grant and his students left.", "Alan", "woman", " his "),
        ("By the age of thirty, he owned two shops.", "thirty", "senior", "thirty"),
    ],
)
def test_a_name_or_age_that_goes_with_the_change_does_not_stay(rewrite, text, word, target, other):
    answer = rewrite(text, word, target)
    assert not answer.startswith("[")
    assert other not in answer
