"""The age rule on whole sentences: numbers, decades, nouns and adjectives."""

import re


def test_an_age_becomes_one_of_the_target(check_sentence, sentence):
    """A number lies in the band of the target, in words or digits as before."""
    check_sentence(sentence, pointed=True)


def test_kin_and_bare_nouns_get_an_age_where_pointed_at(check_sentence, sentence):
    """Kin terms change, other nouns for people get the target's adjective."""
    check_sentence(sentence, pointed=True)


def test_a_repeated_age_stays_one_age(rewrite):
    """Premise and hypothesis agree; a thing as old as the person keeps its age."""
    pair = rewrite("A 4-year-old ran. <SEP> The 4-year-old boy ran.", "4-year-old", "senior")
    assert re.fullmatch(r"An? (\d+)-year-old ran. <SEP> The \1-year-old man ran.", pair)
    text = "A 4-year-old ran to the 4-year-old car."
    assert "4-year-old car" in rewrite(text, "4-year-old", "senior")
