"""Other wordings of negation and of "only", and denials, on sentences written for them."""

import re

import pytest

from augkit.augmenters.razor.config import RazorConfig
from augkit.core.types import Example
from augkit.english.negation import negation_pattern
from augkit.english.parser import SpacyParser
from augkit.english.rewriting.negation_wordings import (
    antonym_table,
    antonym_wordings,
    complementary_antonyms,
    denial_wordings,
    negation_wordings,
    pair_wordings,
)
from augkit.english.rewriting.words import table


def read(text):
    return SpacyParser().parse([text])[0]


def other_negations(text):
    return {wording.text for wording in negation_wordings(read(text))}


def opposed_texts(text):
    return {wording.text for wording in antonym_wordings(read(text))}


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
    for word, antonym in antonym_table().complementary:
        assert word != antonym
        assert antonym in complementary_antonyms(word)
        assert word in complementary_antonyms(antonym)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The team did not win the cup.", "The team failed to win the cup."),
        ("Marta Olsen is only a painter.", "Marta Olsen is merely a painter."),
        ("Kern is only a town.", "Kern is strictly a town."),
        ("Kern is only a town.", "Kern is a town and nothing more."),
        ("The film was only made by Olsen.", "The film was made by Olsen and nobody else."),
        ("Olsen was only paid by Lucas.", "Olsen was paid by Lucas alone."),
        ("Marta Olsen is only a painter.", "Marta Olsen is a painter and nothing else."),
        ("The film was only shown in Peru.", "The film was shown in Peru and nowhere else."),
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
    assert other in other_negations(text)


@pytest.mark.parametrize("text", ["", "?!", "这部电影非常好看。", "a \ud800 film", "x" * 3000])
def test_odd_texts_give_no_candidate_that_equals_them(text):
    assert text not in other_negations(text) | opposed_texts(text)


@pytest.mark.parametrize("text", ["Rio's only sequel is a film.", "They met outside of Peru."])
def test_what_only_looks_like_an_adverb_is_left(text):
    """An adjective is no limit, and a preposition no place."""
    for wording in other_negations(text):
        assert "solely" not in wording
        assert "outdoors" not in wording


def test_only_what_happens_once_happened_in_another_year():
    """Who had members in another year may have had some in this one."""
    texts = ("Nightfall was not released in 1998.", "The gang did not have members in 2008.")
    once, often = map(other_negations, texts)
    assert "Nightfall was released in a year other than 1998." in once
    assert not any("other than" in wording for wording in often)


def denials(text):
    return {wording.text for wording in denial_wordings(read(text))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Olsen did not star in the film.", "It is false that Olsen starred in the film."),
        ("The film does not have a plot.", "The claim that the film has a plot is wrong."),
        ("Olsen isn't a painter.", "It is untrue to say that Olsen is a painter."),
        ("Olsen has never married.", "It is wrong to say that Olsen has ever married."),
        ("Olsen did not found a school.", "It is false that Olsen founded a school."),
        ("The KGB was not a firm.", "The claim that the KGB was a firm is wrong."),
        ("The Fly was not a firm.", "The claim that The Fly was a firm is wrong."),
        ("Sea level is not rising.", "The claim that sea level is rising is wrong."),
        ("Olsen was not born in Peru.", "It is a falsehood that Olsen was born in Peru."),
    ],
)
def test_a_negated_statement_is_called_false(text, expected):
    """The verb takes over tense and person, and names keep their capital."""
    assert expected in denials(text)


@pytest.mark.parametrize(
    "text",
    [
        "Olsen starred in the film.",
        "Some members did not vote.",  # others did
        "Olsen did not marry until 1990.",
        "Olsen did not act and did not sing.",
        "The film was not made because Olsen left.",
        "Olsen did not win any prize.",
        "It rained. Olsen did not act.",
    ],
)
def test_where_the_scope_of_a_negation_is_open_nothing_is_denied(text):
    """So too where other words depend on the negation, or there is more than one clause."""
    assert not denials(text)


def test_only_false_texts_may_say_more():
    """That somebody is wrong about it says more than the negation."""
    analysis = read("Olsen did not visit Peru.")
    for label, more in (("REFUTES", True), ("SUPPORTS", False), ("neutral", False)):
        allowed = RazorConfig().promises(Example({"a": "", "b": analysis.text}, label))
        operations = {wording.operation for wording in pair_wordings(analysis, label, allowed)}
        assert ("wrong belief" in operations) == more
        assert "denial" in operations


def test_no_denial_has_a_negation():
    """The words that give false texts away are not brought back."""
    pattern = negation_pattern("determiner", "particle", "adverb", "modal", "only", "exclusive")
    frames = table("words.yaml")["denials"]
    assert all(frame.count("{}") == 1 and not pattern.search(frame) for frame in frames)
    assert len({re.sub(r"\W", "", frame) for frame in frames}) == len(frames)
