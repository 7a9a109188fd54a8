"""Shuffling and deleting: only normal sentences and triples, and never the whole text."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.augmenters.coba.categorise import categorise
from augkit.augmenters.coba.config import CobaConfig, StepsSettings, TextRuleSettings
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.paper_steps import shuffle_triples
from augkit.augmenters.coba.sentences import EditedText
from augkit.augmenters.coba.text_rules import moved_edits, normal_sentences, shuffle_sentences
from augkit.core.edits import Span, apply
from augkit.core.types import example
from augkit.english.decompose import Element, Triple, decompose
from augkit.english.parser import SpacyParser


@given(st.integers(1, 9), st.floats(0, 1), st.booleans(), st.integers())
def test_something_stays(total, delete, permute, seed):
    """What stays is a permutation of sentences that stay; a text never becomes empty."""
    settings = TextRuleSettings.of(CobaConfig(delete=delete, permute=permute))
    places = shuffle_sentences(range(total), total, settings, Random(seed))
    staying = [number for number, other in places.items() if other is not None]
    assert staying
    assert sorted(places[number] for number in staying) == staying


def test_sentences_change_places():
    """The text of one sentence is put in the place of another; the spaces between stay."""
    text = "One. Two.  Three."
    sentences = [Span(0, 4), Span(5, 9), Span(11, 17)]
    edited = EditedText(Job(example(text), sentences={"text": sentences}), ())
    edits = moved_edits(edited, {0: 2, 2: 0})
    assert apply({"text": text}, edits)["text"] == "Three. Two.  One."
    gone = moved_edits(edited, {1: None})
    assert apply({"text": text}, gone)["text"] == "One. Three."


@pytest.mark.slow
@given(
    st.integers(2, 6).flatmap(
        lambda total: st.sets(st.integers(0, total - 1)).map(lambda s: (total, s))
    )
)
def test_sentences_that_are_left_out_take_their_space_along(drawn):
    """What stays is joined as before, with no space behind the last sentence."""
    total, dropped = drawn
    if len(dropped) == total:
        return
    words = [f"S{number}." for number in range(total)]
    text = " ".join(words)
    sentences = [Span(4 * number, 4 * number + 3) for number in range(total)]
    edited = EditedText(Job(example(text), sentences={"text": sentences}), ())
    after = apply({"text": text}, moved_edits(edited, dict.fromkeys(sorted(dropped))))["text"]
    assert after == " ".join(word for number, word in enumerate(words) if number not in dropped)


def test_only_normal_sentences_are_free():
    text = "We sat down. The cast is superb. It rained on opening night."
    (analysis,) = SpacyParser().parse([text])
    triples = decompose(analysis)
    words = Words(frozenset({"superb"}), frozenset({"opening"}))
    assert normal_sentences(3, triples, categorise(triples, words)) == [0]


TRIPLES = (
    Triple(1, Element("the plot"), Element("is"), Element("fine")),
    Triple(2, Element("Anna"), Element("sings")),
    Triple(3, Element("I"), Element("loved"), Element("it")),
)


def shuffled(triples, changed, free, seed=0, **settings):
    """The triples in their new order, where only the free ones are normal."""
    categories = {t.id: "normal" if t.id in free else "spurious" for t in triples}
    job = Job(example("A text."), triples, categories=categories, rng=Random(seed))
    return shuffle_triples(job, changed, StepsSettings.of(CobaConfig(**settings)))


def test_only_free_triples_move_or_are_deleted():
    """Principal triples keep their places, changed; the others are permuted."""
    settings = {"permute": True, "delete": 0.0}
    many = tuple(Triple(n, Element(f"s{n}"), Element("is")) for n in range(1, 9))
    changed = {1: Triple(1, Element("new"), Element("is"))}
    orders = {
        tuple(t.subject.text for t in shuffled(many, changed, {2, 3, 4, 5}, seed, **settings))
        for seed in range(30)
    }
    assert len(orders) > 5
    for order in orders:
        assert (order[0], *order[5:]) == ("new", "s6", "s7", "s8")
        assert sorted(order[1:5]) == ["s2", "s3", "s4", "s5"]


def test_a_text_never_loses_all_its_triples():
    """With certain deletion of everything, everything stays."""
    assert len(shuffled(TRIPLES, {}, {1, 2, 3}, delete=1.0)) == 3
    assert [t.id for t in shuffled(TRIPLES, {}, {2}, delete=1.0)] == [1, 3]
