"""Categories of triples, and which normal ones become principal."""

import pytest

from augkit.augmenters.coba.categorise import categorise
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.paper_steps import promote
from augkit.core.edits import Span
from augkit.core.types import example
from augkit.english.decompose import Element, Triple

ROW = example("Anna loved it. Dorian Vale was there. We ate.", "positive")
TRIPLES = (
    Triple(1, Element("Anna"), Element("loves"), Element("it"), "text", 0),
    Triple(2, Element("Dorian Vale"), Element("was"), Element("there"), "text", 1),
    Triple(3, Element("We"), Element("ate"), sentence=2),
)
SENTENCES = {"text": [Span(0, 14), Span(15, 37), Span(38, 45)]}


def promoted(row, triples, sentences, words):
    """What the triples become where only principal ones can be edited."""
    job = Job(row, triples, sentences, words, categorise(triples, words))
    return list(promote(job).categories.values())


def categories(principal, spurious):
    """The same for the row of this page."""
    return promoted(ROW, TRIPLES, SENTENCES, Words(frozenset(principal), frozenset(spurious)))


def test_the_sentence_of_a_principal_word_that_no_triple_repeats():
    """Where "loved" became "loves", only the normal triples of its sentence become principal."""
    assert categories({"loved"}, {"vale"}) == ["principal", "spurious", "normal"]


def test_a_triple_with_only_spurious_words_never_becomes_principal():
    """Not even where its sentence has a principal word, or where none is known."""
    assert categories({"loved"}, {"anna"}) == ["spurious", "normal", "normal"]
    assert categories({"love"}, {"anna"}) == ["spurious", "normal", "normal"]
    assert categories((), {"vale"}) == ["principal", "spurious", "principal"]


def test_a_principal_word_is_a_whole_word():
    """The letters of "ate" in "late" do not count."""
    row = example("It was late. We left.", "positive")
    triples = (Triple(1, Element("It"), Element("was"), Element("dark")),)
    sentences = {"text": [Span(0, 12)]}
    assert promoted(row, triples, sentences, Words(frozenset({"ate"}))) == ["normal"]


@pytest.mark.parametrize(
    ("precedence", "expected"), [("principal", "principal"), ("spurious", "spurious")]
)
def test_precedence_decides_for_a_triple_with_both_kinds_of_words(precedence, expected):
    """The paper's order leaves such a triple alone."""
    words = Words(frozenset({"there"}), frozenset({"vale"}))
    assert categorise(TRIPLES, words, precedence)[2] == expected
