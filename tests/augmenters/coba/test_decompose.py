"""Decomposition: the requests and answers of a model, and the parses that steps share."""

from types import SimpleNamespace

import pytest

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.job import (
    CachedParser,
    Job,
    decompose_parsed,
    quoted_sentences,
)
from augkit.augmenters.coba.paper_steps import decompose_request, read_triples
from augkit.augmenters.loop import blank_variant
from augkit.core.edits import Span
from augkit.core.types import example
from augkit.english.parser import SpacyParser

ROW = example("The plot is fine. Anna sings. I loved it.", "positive")


def test_triples_are_located_in_their_sentence_and_numbered_in_order():
    """Elements that stand in the sentence letter for letter have their place there."""
    stated = [
        SimpleNamespace(sentence=3, subject="I", predicate="loved", object="it"),
        SimpleNamespace(sentence=1, subject="the plot", predicate="seems", object="fine"),
    ]
    found = read_triples(blank_variant(ROW), SimpleNamespace(triples=stated)).work
    assert isinstance(found, Job)
    first, second = found.triples
    assert (first.id, first.subject.text, first.sentence) == (1, "the plot", 0)
    assert first.subject.spans == (Span(0, 8),)
    assert first.predicate.spans == ()
    assert (second.id, second.sentence) == (2, 2)
    assert found.sentences == {"text": [Span(0, 17), Span(18, 29), Span(30, 41)]}


def test_a_triple_that_is_repeated_counts_once():
    """A small model may say the same over and over."""
    loved = SimpleNamespace(sentence=3, subject="I", predicate="loved", object="it")
    plot = SimpleNamespace(sentence=1, subject="the plot", predicate="is", object="fine")
    found = read_triples(
        blank_variant(ROW), SimpleNamespace(triples=[loved, plot] + [loved] * 9)
    ).work
    assert [triple.subject.text for triple in found.triples] == ["the plot", "I"]


def test_the_number_of_triples_has_a_limit_that_grows_with_the_text():
    """A server that follows schemas stops a model that repeats itself."""

    def most(text):
        schema = decompose_request(example(text, "positive"), CobaConfig()).answer
        return schema.model_json_schema()["properties"]["triples"]["maxItems"]

    assert most("The plot is fine.") == 8
    assert most("The plot is fine and long. " * 20) == 64


class CountingParser:
    def __init__(self):
        self.texts = []
        self.parser = SpacyParser()

    def parse(self, texts):
        self.texts += texts
        return self.parser.parse(texts)


def test_a_text_is_parsed_once_for_all_steps():
    inner = CountingParser()
    parser = CachedParser(inner)
    first = parser.parse(["It rains.", "It rains.", "It snows."])
    assert parser.parse(["It snows.", "It rains."]) == [first[2], first[0]]
    assert inner.texts == ["It rains.", "It snows."]


def test_parsed_triples_know_their_sentence():
    """Ids run on from field to field; a sentence is an index into those of its field."""
    row = example({"premise": "A man sleeps. A dog barks.", "hypothesis": "A man rests."})
    (found,) = decompose_parsed([row], SpacyParser())
    assert [(t.id, t.field, t.sentence) for t in found.triples] == [
        (1, "premise", 0),
        (2, "premise", 1),
        (3, "hypothesis", 0),
    ]
    assert found.sentences == {
        "premise": [Span(0, 13), Span(14, 26)],
        "hypothesis": [Span(0, 12)],
    }


@pytest.mark.parametrize(
    ("text", "cut", "sentences"),
    [
        ('A dog. "It barks," he said.', 8, ["A dog.", '"It barks," he said.']),
        ('"It barks." He left.', 10, ['"It barks."', "He left."]),
        ("A dog. (It barks.)", 8, ["A dog.", "(It barks.)"]),
        ('A "dog" "barks" here.', 9, ['A "dog"', '"barks" here.']),
        ("A dog. It barks.", 6, ["A dog.", "It barks."]),
    ],
)
def test_a_mark_belongs_to_the_words_that_it_stands_at(text, cut, sentences):
    """Wherever a parser cuts beside it."""
    rest = len(text[cut:]) - len(text[cut:].lstrip())
    spans = [Span(0, cut), Span(cut + rest, len(text))]
    found = quoted_sentences(text, spans)
    assert [text[span.start : span.end] for span in found] == sentences
