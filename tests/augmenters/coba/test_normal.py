"""Permuting and deleting: only normal sentences, and never the whole text."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from augkit.augmenters.coba.categories import categorise
from augkit.augmenters.coba.normal import arrangement, moved_edits, normal_sentences
from augkit.augmenters.coba.steps import Words
from augkit.language.decompose import decompose
from augkit.language.parser import SpacyParser
from augkit.language.triples import Span
from augkit.text.diff import apply


@given(st.integers(1, 9), st.floats(0, 1), st.booleans(), st.integers())
def test_something_stays(total, delete, permute, seed):
    """What stays is a permutation of sentences that stay; a text never becomes empty."""
    places = arrangement(range(total), total, delete, permute=permute, draw=Random(seed))
    staying = [number for number, other in places.items() if other is not None]
    assert staying
    assert sorted(places[number] for number in staying) == staying


def test_sentences_change_places():
    """The text of one sentence is put in the place of another; the spaces between stay."""
    text = "One. Two.  Three."
    sentences = [Span(0, 4), Span(5, 9), Span(11, 17)]
    edits = moved_edits(text, "text", sentences, {0: 2, 2: 0})
    assert apply({"text": text}, edits)["text"] == "Three. Two.  One."
    gone = moved_edits(text, "text", sentences, {1: None})
    assert apply({"text": text}, gone)["text"] == "One. Three."


def test_only_normal_sentences_are_free():
    """A sentence with a principal or spurious word is not moved."""
    text = "We sat down. The cast is superb. It rained on opening night."
    (analysis,) = SpacyParser().parse([text])
    triples = decompose(analysis)
    words = Words(frozenset({"superb"}), frozenset({"opening"}))
    spans = [Span(run[0].start, run[-1].end) for run in analysis.sentences]
    assert normal_sentences(spans, triples, categorise(triples, words)) == [0]
