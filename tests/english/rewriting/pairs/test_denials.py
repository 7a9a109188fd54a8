"""Denials of the statement that a text negates, on sentences written for them."""

import re

import pytest

from augkit.augmenters.razor.config import RazorConfig
from augkit.core.types import Example
from augkit.english.negation import negation_pattern
from augkit.english.parser import SpacyParser
from augkit.english.rewriting.pairs.denials import denial_wordings
from augkit.english.rewriting.pairs.wordings import pair_wordings
from augkit.english.rewriting.words import table


def denials(text):
    """Every denial of a text."""
    (analysis,) = SpacyParser().parse([text])
    return {one.text for one in denial_wordings(analysis)}


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
    (analysis,) = SpacyParser().parse(["Olsen did not visit Peru."])
    for label, more in (("REFUTES", True), ("SUPPORTS", False), ("neutral", False)):
        allowed = RazorConfig().promises(Example({"a": "", "b": analysis.text}, label))
        found = pair_wordings(analysis, label, allowed)
        assert ("wrong belief" in {one.operation for one in found}) == more
        assert "denial" in {one.operation for one in found}


def test_no_denial_has_a_negation():
    """The words that give false texts away are not brought back."""
    pattern = negation_pattern("determiner", "particle", "adverb", "modal", "only", "exclusive")
    frames = table("words.yaml")["denials"]
    assert all(frame.count("{}") == 1 and not pattern.search(frame) for frame in frames)
    assert len({re.sub(r"\W", "", frame) for frame in frames}) == len(frames)
