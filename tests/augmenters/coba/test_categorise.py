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


@pytest.mark.parametrize(
    ("principal", "spurious", "expected"),
    [
        ({"loved"}, {"vale"}, ["principal", "spurious", "normal"]),
        # A triple with spurious words alone stays, also where its sentence has a principal word.
        ({"loved"}, {"anna"}, ["spurious", "normal", "normal"]),
        # Letters within "loved" and "loves" are no word.
        ({"love"}, {"vale"}, ["normal", "spurious", "normal"]),
        # Where no word is principal, all that is normal may be edited.
        ((), {"vale"}, ["principal", "spurious", "principal"]),
    ],
)
def test_the_sentence_of_a_principal_word_that_no_triple_repeats(principal, spurious, expected):
    """Where "loved" became "loves", only the normal triples of its sentence become principal."""
    words = Words(frozenset(principal), frozenset(spurious))
    job = Job(ROW, TRIPLES, SENTENCES, words, categorise(TRIPLES, words))
    assert list(promote(job).categories.values()) == expected


@pytest.mark.parametrize("precedence", ["principal", "spurious"])
def test_precedence_decides_for_a_triple_with_both_kinds_of_words(precedence):
    """The paper's order leaves such a triple alone."""
    words = Words(frozenset({"there"}), frozenset({"vale"}))
    assert categorise(TRIPLES, words, precedence)[2] == precedence
