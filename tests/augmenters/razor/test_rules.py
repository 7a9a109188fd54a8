"""Offline rewriting, on sentences written for it."""

import random

import pytest

from augkit.augmenters.razor.rules.alternatives import kinds
from augkit.augmenters.razor.rules.contrasts import Pairing, contrasted, relation_of
from augkit.augmenters.razor.rules.denials import affirmed, denied, inflected
from augkit.augmenters.razor.rules.rewording import reworded
from augkit.augmenters.razor.rules.rewriter import Job, rewrite
from augkit.language.analysis import load


def read(text):
    """The analysis of one text."""
    return load().analyse([text])[0]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The bridge is not a tunnel.", "The bridge is a tunnel."),
        ("Marta Olsen isn't a writer.", "Marta Olsen is a writer."),
        ("The band did not win an award.", "The band won an award."),
        ("The city does not have an airport.", "The city has an airport."),
        ("Marta Olsen never visited Athens.", "Marta Olsen visited Athens."),
        ("The bridge is incapable of being crossed.", "The bridge is crossed."),
        ("The team failed to reach the final.", "The team reached the final."),
        ("The singer has yet to release an album.", "The singer has released an album."),
        ("The singer has won zero awards.", "The singer has won awards."),
        ("Marta Olsen is only a painter.", "Marta Olsen is a painter."),
        ("Marta Olsen has only ever been a painter.", "Marta Olsen has been a painter."),
    ],
)
def test_denials_can_be_taken_out(text, plain):
    """Tense and agreement follow the auxiliary that goes."""
    assert affirmed(read(text)).text == plain


@pytest.mark.parametrize("text", ["The bridge is long.", "The album is called Don't Look Back."])
def test_what_is_not_denied_stays(text):
    """A plain statement and a title with a denial in it have nothing to take out."""
    assert affirmed(read(text)) is None


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("The bridge is a tunnel.", "The bridge is not a tunnel."),
        ("The band won an award.", "The band did not win an award."),
        ("The city has an airport.", "The city does not have an airport."),
        ("The film was released in 1994.", "The film was not released in 1994."),
        ("The bridge is not a tunnel.", None),
    ],
)
def test_denials_can_be_put_in(text, negated):
    """With the auxiliary that is there, or with a form of "do"; never twice."""
    assert denied(read(text)) == negated


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [("win", "VBN", "won"), ("be", "VBD", "was"), ("carry", "VBZ", "carries")],
)
def test_verbs_are_inflected(lemma, tag, form):
    """Regular and irregular ones."""
    assert inflected(lemma, tag) == form


def offered(text, context, label):
    """The texts that a pair makes safe."""
    pair = Pairing(read(text), context, relation_of(label))
    return {one.text for one in contrasted(pair, load(), random.Random(3))}


def test_what_is_true_stays_true():
    """A supported claim is set against, or denies, something that the evidence rules out."""
    found = offered("Nightfall is a film.", "Nightfall is a 1957 film .", "SUPPORTS")
    assert any(text.startswith("Nightfall is not a") for text in found)
    assert any("a film rather than a" in text for text in found)
    assert not any(text.startswith("Nightfall is not a film") for text in found)


def test_what_is_false_stays_false_without_a_denial():
    """A refuted denial becomes the statement of something else."""
    found = offered("Nightfall is not a film.", "Nightfall is a 1957 film .", "REFUTES")
    assert found
    assert all(" not " not in text for text in found)
    assert all("film" not in text or text.endswith("a film.") for text in found)


def test_alternatives_are_not_in_the_evidence():
    """What the other text holds is never called false."""
    evidence = " ".join(f"It is a {word} ." for word in kinds()["works"].drawn if word != "novel")
    found = offered("Nightfall is a film.", f"It is a film . {evidence}", "SUPPORTS")
    assert found
    assert all("novel" in text for text in found)


def test_two_trades_side_by_side():
    """As "not only" is said where the evidence lists both."""
    evidence = "Marta Olsen is a Danish actress , painter and singer ."
    found = offered("Marta Olsen is an actress.", evidence, "SUPPORTS")
    assert "Marta Olsen is not only an actress but also a painter." in found


def test_neutral_pairs_are_left_to_rewording():
    """Where the label says nothing of the other text, nothing can be ruled out by it."""
    assert not offered("Nightfall is a film.", "Nightfall is a film .", "neutral")


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The film was released in 1994.", "In 1994, the film was released."),
        ("In 1994, the film was released.", "The film was released in 1994."),
        ("Marta Olsen directed the film.", "The film was directed by Marta Olsen."),
        ("The team did not win the cup.", "The team failed to win the cup."),
        ("Marta Olsen is only a painter.", "Marta Olsen is merely a painter."),
        ("The film was long.", "The movie was long."),
    ],
)
def test_other_wordings(text, other):
    """Order, voice, denials, limits and synonyms of words to be avoided."""
    found = {one.text for one in reworded(read(text), ["film"], random.Random(1))}
    assert other in found


@pytest.mark.parametrize("text", ["", "?!", "这部电影非常好看。", "a \ud800 film", "x" * 3000])
def test_odd_texts_give_no_candidate_that_equals_them(text):
    """Whatever the text, a candidate differs from it."""
    (found,) = rewrite([Job(text, "", "neutral", ["film"], random.Random(1))])
    assert all(one.text != text for one in found)
