"""Implicit negation of false texts."""

import random

import pytest

from augkit.augmenters.rewriting.pairs.implicatives import implicatives, implicit_negations
from augkit.augmenters.rewriting.pairs.wordings import pair_wordings
from augkit.language.parser import SpacyParser


def implied(text):
    """Everything that many draws give for a false text."""
    (analysis,) = SpacyParser().parse([text])
    rngs = map(random.Random, range(40))
    return {one.text for rng in rngs for one in implicit_negations(analysis, rng)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Olsen did not star in the film.", "Olsen was barred from starring in the film."),
        ("Olsen never married.", "Olsen neglected to marry."),
        ("Olsen has never written a book.", "Olsen has avoided writing a book."),
        ("Olsen is not an actor.", "Olsen dreams in vain of being an actor."),
        ("Olsen isn't a painter.", "Olsen is misidentified as a painter."),
    ],
)
def test_negated_events_are_prevented(text, expected):
    """The verb follows the auxiliary that goes, and the words of the statement stay."""
    assert expected in implied(text)


@pytest.mark.parametrize(
    "text",
    [
        "Olsen starred in the film.",
        "Olsen does not know how to write.",
        "Olsen did not die.",
        "He did not star in the film.",
        "Olsen did not act and did not sing.",
        "The film has no plot.",
        "Olsen has not hired a chef.",
        "Cats do not chase dogs.",
        "Uganda was not ruled by Peru.",
        "The horse did not begin to graze.",
    ],
)
def test_states_pronouns_and_second_clauses_are_left(text):
    """So are negated nouns, habits, and what may yet have happened before."""
    assert not implied(text)


def test_only_persons_refrain():
    """A film does not forget to win, and does not dream of being one."""
    found = implied("Nightfall did not win an award.") | implied("Nightfall is not a film.")
    assert found
    assert not any(word in one for one in found for word in ("forgot", "refrained", "dreams"))


def test_agreement_is_not_guessed():
    """After "did" a name in -s may be one or many: no form of to be is used."""
    found = implied("The Bee Gees did not produce music.")
    assert found
    assert not any(" was " in one or " were " in one for one in found)


def test_only_false_texts_are_rewritten():
    """An implied negation says more than a plain one, so a true text cannot have it."""
    text = "Olsen did not star in the film."
    (analysis,) = SpacyParser().parse([text])
    for label, kept in (("REFUTES", True), ("SUPPORTS", False), ("neutral", False)):
        found = pair_wordings(analysis, label, random.Random(1))
        assert ("implicit negation" in {one.operation for one in found}) == kept


def test_no_phrase_negates():
    """The words that give false texts away are not brought back."""
    known = implicatives()
    for phrase in (*known.voluntary, *known.being, *known.posing):
        words = set(" ".join(phrase).split())
        assert not words & {"not", "no", "never", "only", "refuse", "fail", "unable", "incapable"}
