"""Categories of triples, and which normal ones become principal."""

import pytest

from augkit.augmenters.coba.categorise import Categorised, WordCategoriser, categorise
from augkit.augmenters.coba.decompose import Decomposed
from augkit.augmenters.coba.identify import Words
from augkit.core.edits import Span
from augkit.core.types import example
from augkit.english.triples import Element, Triple

ROW = example("Anna loved it. Dorian Vale was there. We ate.", "positive")
PARTS = Decomposed(
    (
        Triple(1, Element("Anna"), Element("loves"), Element("it"), "text", 0),
        Triple(2, Element("Dorian Vale"), Element("was"), Element("there"), "text", 1),
        Triple(3, Element("We"), Element("ate"), sentence=2),
    ),
    {"text": [Span(0, 14), Span(15, 37), Span(38, 45)]},
)


def categories(principal, spurious):
    """What the triples become where only principal ones can be edited."""
    words = Words(frozenset(principal), frozenset(spurious))
    categoriser = WordCategoriser(rewrites_triples=True)
    (found,) = categoriser.categorise([ROW], [PARTS], [words])
    assert isinstance(found, Categorised)
    return list(found.categories.values())


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
    parts = Decomposed(
        (Triple(1, Element("It"), Element("was"), Element("dark")),), {"text": [Span(0, 12)]}
    )
    (found,) = WordCategoriser(rewrites_triples=True).categorise(
        [row], [parts], [Words(frozenset({"ate"}))]
    )
    assert found.categories == {1: "normal"}


@pytest.mark.parametrize(
    ("precedence", "expected"), [("principal", "principal"), ("spurious", "spurious")]
)
def test_precedence_decides_for_a_triple_with_both_kinds_of_words(precedence, expected):
    """The paper's order leaves such a triple alone."""
    words = Words(frozenset({"there"}), frozenset({"vale"}))
    assert categorise(PARTS.triples, words, precedence)[2] == expected
