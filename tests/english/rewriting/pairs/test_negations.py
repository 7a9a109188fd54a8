"""Other wordings of negation and of "only", on sentences written for them."""

import pytest

from augkit.english.parser import SpacyParser
from augkit.english.rewriting.pairs.antonyms import (
    antonym_table,
    antonym_wordings,
    complementary_antonyms,
)
from augkit.english.rewriting.pairs.negations import negation_wordings


def read(text):
    """The analysis of one text."""
    return SpacyParser().parse([text])[0]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The team did not win the cup.", "The team failed to win the cup."),
        ("Marta Olsen is only a painter.", "Marta Olsen is merely a painter."),
    ],
)
def test_other_wordings(text, other):
    """Negations and limits."""
    found = {one.text for one in negation_wordings(read(text))}
    assert other in found


def opposed_texts(text):
    """The texts that opposites give."""
    return {one.text for one in antonym_wordings(read(text))}


def test_a_contrary_is_no_antonym_of_a_negation():
    """What is not tall need not be short."""
    assert opposed_texts("The tower is not tall.") == set()


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Marta Olsen is not alive.", "Marta Olsen is dead."),
        ("The show isn't successful.", "The show is unsuccessful."),
        ("Chile is not a stable nation.", "Chile is an unstable nation."),
        ("The park does not include a zoo.", "The park excludes a zoo."),
        ("The city does not have an airport.", "The city lacks an airport."),
        ("Marta Olsen was not in Broken Bridges.", "Marta Olsen was absent from Broken Bridges."),
        ("The band has not won an award.", "The band has yet to win an award."),
    ],
)
def test_denials_become_opposites(text, other):
    """Exact opposites say the same, whatever the label."""
    assert other in opposed_texts(text)


def test_every_opposite_is_one_of_two():
    """No word is listed as its own opposite, and exact ones are opposites both ways."""
    for one, other in antonym_table().complementary:
        assert one != other
        assert other in complementary_antonyms(one)
        assert one in complementary_antonyms(other)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Olsen was only paid by Lucas.", "Olsen was paid by Lucas alone."),
        ("Marta Olsen is only a painter.", "Marta Olsen is a painter and nothing else."),
        ("The film was only shown in Peru.", "The film was shown in Peru and nowhere else."),
        (
            "The film wasn't directed by Lucas.",
            "The film was directed by someone other than Lucas.",
        ),
        ("Olsen did not visit Peru.", "Olsen is wrongly said to have visited Peru."),
        ("Olsen is not a painter.", "Olsen is wrongly described as a painter."),
        ("The show did not begin in 1994.", "The show began in a year other than 1994."),
        (
            "The film was not released in 2016.",
            "The film was released in some year other than 2016.",
        ),
        ("Olsen is not American.", "Olsen is mistakenly called American."),
        ("Olsen was not the mayor.", "Olsen was wrongly described as the mayor."),
        ("The firm has no trademark.", "The firm lacks any trademark."),
        ("The town had no schools.", "The town was without schools."),
    ],
)
def test_limits_and_denials_in_other_words(text, other):
    """Equivalent wordings, so that no one of them becomes the next giveaway."""
    assert other in {one.text for one in negation_wordings(read(text))}


@pytest.mark.parametrize("text", ["", "?!", "这部电影非常好看。", "a \ud800 film", "x" * 3000])
def test_odd_texts_give_no_candidate_that_equals_them(text):
    """Whatever the text, a candidate differs from it."""
    found = [*negation_wordings(read(text)), *antonym_wordings(read(text))]
    assert all(one.text != text for one in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kern is only a town.", "Kern is strictly a town."),
        ("Kern is only a town.", "Kern is a town and nothing more."),
        ("The film was only made by Olsen.", "The film was made by Olsen and nobody else."),
    ],
)
def test_limits_are_reworded(text, expected):
    """In words that limit as much."""
    found = list(negation_wordings(read(text)))
    assert expected in {one.text for one in found}


@pytest.mark.parametrize("text", ["Rio's only sequel is a film.", "They met outside of Peru."])
def test_what_only_looks_like_an_adverb_is_left(text):
    """An adjective is no limit, and a preposition no place."""
    found = list(negation_wordings(read(text)))
    assert not any(word in one.text for one in found for word in ("solely", "outdoors"))


def test_only_what_happens_once_happened_in_another_year():
    """Who had members in another year may have had some in this one."""
    texts = ("Nightfall was not released in 1998.", "The gang did not have members in 2008.")
    found = [{one.text for one in negation_wordings(read(text))} for text in texts]
    assert "Nightfall was released in a year other than 1998." in found[0]
    assert not any("other than" in one for one in found[1])
