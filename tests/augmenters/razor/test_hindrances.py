"""Denials of false texts, said by what stood in the way."""

import random

import pytest

from augkit.augmenters.razor.rules.contrasts import Pairing
from augkit.augmenters.razor.rules.hindrances import hindered, hindrances
from augkit.augmenters.razor.rules.rewriter import Job, rewrite
from augkit.language.parser import SpacyParser


def ways(text):
    """Everything that many draws give for a false text."""
    (analysis,) = SpacyParser().parse([text])
    pair = Pairing(analysis, text, "contradicts")
    return {one.text for seed in range(40) for one in hindered(pair, random.Random(seed))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Olsen did not star in the film.", "Olsen was barred from starring in the film."),
        ("Olsen never married.", "Olsen neglected to marry."),
        ("Olsen has never written a book.", "Olsen has avoided writing a book."),
        ("Olsen is not an actor.", "Olsen dreams in vain of being an actor."),
        ("Olsen isn't a painter.", "Olsen is mistaken for a painter."),
        ("Uganda was not ruled by Peru.", "Uganda was kept from being ruled by Peru."),
        ("Southpaw hasn't been released yet.", "Southpaw has been kept from being released."),
        ("Cats do not chase dogs.", "Cats are kept from chasing dogs."),
    ],
)
def test_what_was_denied_was_kept_from_being_so(text, expected):
    """The verb follows the auxiliary that goes, and the words of the statement stay."""
    assert expected in ways(text)


@pytest.mark.parametrize(
    "text",
    [
        "Olsen starred in the film.",
        "Olsen does not know how to write.",
        "Olsen did not die.",
        "He did not star in the film.",
        "Olsen did not act and did not sing.",
        "The film has no plot.",
    ],
)
def test_what_is_no_plain_denial_of_an_event_is_left(text):
    """States, pronouns, two clauses and denied nouns are not of this kind."""
    assert not ways(text)


def test_only_who_can_want_to_refrains():
    """A film does not forget to win, and does not dream of being one."""
    found = ways("Nightfall did not win an award.") | ways("Nightfall is not a film.")
    assert found
    assert not any(word in one for one in found for word in ("forgot", "refrained", "dreams"))


def test_agreement_is_not_guessed():
    """After "did" a name in -s may be one or many: no form of to be is used."""
    found = ways("The Bee Gees did not produce music.")
    assert found
    assert not any(" was " in one or " were " in one for one in found)


def test_only_false_texts_are_said_so():
    """What implies a denial says more than it: a true denial does not bear it."""
    text = "Olsen did not star in the film."
    for label, kept in (("REFUTES", True), ("SUPPORTS", False), ("neutral", False)):
        (found,) = rewrite([Job(text, text, label, [], random.Random(1))])
        assert ("kept from being so" in {one.how for one in found}) == kept


def test_no_way_denies():
    """The words that give false texts away are not brought back."""
    known = hindrances()
    for way in (*known.willed, *known.any, *known.being, *known.posing):
        words = set(" ".join(way).split())
        assert not words & {"not", "no", "never", "only", "refuse", "fail", "unable", "incapable"}
