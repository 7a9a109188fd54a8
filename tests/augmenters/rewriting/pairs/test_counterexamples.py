"""Negations of true texts, on sentences written for them."""

import pytest

from augkit.augmenters.rewriting.pairs.counterexamples import (
    counterexample_wordings,
    may_take_negation,
)
from augkit.augmenters.rewriting.pairs.wordings import pair_wordings
from augkit.language.parser import SpacyParser


def wordings(text):
    """Every counterexample of a text."""
    (analysis,) = SpacyParser().parse([text])
    return {one.text for one in counterexample_wordings(analysis)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The album was released in 1973.", "The album was not released until 1973."),
        ("The album was released in 1973.", "The album was only released in 1973."),
        ("Marta Olsen died on May 3, 2011.", "Marta Olsen did not die until May 3, 2011."),
        ("Marta Olsen was born in 1951.", "Marta Olsen was not born until 1951."),
        (
            "The club was founded in Leeds in 1902.",
            "The club was not founded in Leeds until 1902.",
        ),
        (
            "Nightfall stars a woman who was born in 1957.",
            "Nightfall stars a woman who was not born until 1957.",
        ),
        (
            "Marta Olsen is a painter and a poet.",
            "Marta Olsen is not only a painter but also a poet.",
        ),
        (
            "Marta Olsen is an actress and singer.",
            "Marta Olsen is not just an actress but also a singer.",
        ),
        (
            "The film was written and directed by Marta Olsen.",
            "The film was not only written but also directed by Marta Olsen.",
        ),
    ],
)
def test_true_texts_take_negations(text, expected):
    """What happened once did not happen before; two things are not only one."""
    assert expected in wordings(text)


@pytest.mark.parametrize(
    "text",
    [
        "Marta Olsen acted in 2005.",  # and perhaps before
        "Marta Olsen was born in July.",
        "The film stars an actress and producer.",  # perhaps one person
        "Marta Olsen is not a painter and a poet.",
        "Marta Olsen has won three prizes.",  # and perhaps a fourth
    ],
)
def test_what_may_be_untrue_is_left(text):
    """Events that repeat, names of months, shared articles, negated texts, other clauses."""
    assert not wordings(text)


def test_a_day_is_not_weakened():
    """Whoever was born on a day was not born before it, but that says too little."""
    assert wordings("Marta Olsen was born on May 3, 1951.") == {
        "Marta Olsen was not born until May 3, 1951."
    }


def test_nobody_is_born_only_in_a_year():
    """That a life began only then is grammatical, but nobody says so."""
    assert not any("only" in one for one in wordings("Marta Olsen was born in 1951."))


def test_only_true_texts_take_negations():
    """A false text with a negation more would be another statement."""
    (analysis,) = SpacyParser().parse(["The album was released in 1973."])
    for label, taken in (("SUPPORTS", True), ("REFUTES", False), ("neutral", False)):
        found = pair_wordings(analysis, label, {"same"})
        assert any(one.operation == "limit" for one in found) == taken
        assert may_take_negation(analysis.text, label) == taken
