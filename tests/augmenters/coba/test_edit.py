"""Editing by a language model, and what the requests of all steps share."""

from dataclasses import replace
from random import Random
from types import SimpleNamespace

import pytest

from augkit.augmenters.coba.attempts import asking, build_request
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.identify import Words, WordsAnswer, read_words
from augkit.augmenters.coba.job import Job
from augkit.augmenters.coba.paper_steps import (
    edit_request,
    read_edited,
    read_parts,
    read_triples,
)
from augkit.augmenters.coba.style import read_style
from augkit.augmenters.loop import blank_variant
from augkit.core.edits import Span
from augkit.core.model_types import Reply, Request
from augkit.core.types import Cost, example
from augkit.english.decompose import Element, Triple

PAID = Cost(1, 20, 5, 0.001)
CONFIG = CobaConfig()
TRIPLES = (
    Triple(1, Element("the plot"), Element("is"), Element("fine")),
    Triple(2, Element("Anna"), Element("sings")),
    Triple(3, Element("I"), Element("loved"), Element("it")),
)
ROW = example("The plot is fine. Anna sings. I loved it.", "positive")


def job(principal=frozenset({"fine", "loved"}), categories=None):
    categories = categories or {1: "principal", 2: "normal", 3: "principal"}
    sentences = {"text": [Span(0, 17), Span(18, 29), Span(30, 41)]}
    return Job(ROW, TRIPLES, sentences, Words(principal), categories, "negative", Random(0))


def changes(*numbers):
    return [
        SimpleNamespace(id=n, subject="the plot", predicate="is", object="poor") for n in numbers
    ]


def edited(asked, triples):
    """What comes of an answer with these triples, which has been paid."""
    blank = replace(blank_variant(ROW), label="negative", work=asked, cost=PAID)
    return read_edited(blank, SimpleNamespace(triples=triples))


@pytest.mark.parametrize("numbers", [(), (1, 1, 3), (1, 3, 3), (1, 2, 3), (1, 3, 9)])
def test_no_repeated_or_unknown_ids_are_rejected(numbers):
    """An edit gives back principal triples alone, each once."""
    found = edited(job(), changes(*numbers))
    assert (found.reason, found.cost) == ("wrong ids", PAID)


def test_the_right_ids_give_the_changed_triples():
    found = edited(job(), changes(3, 1))
    assert not found.reason
    assert {n: t.object.text for n, t in found.work.changed.items()} == {1: "poor", 3: "poor"}
    # What the model leaves out did not change; the judge decides whether the label holds.
    found = edited(job(), changes(1))
    assert {n: t.object.text for n, t in found.work.changed.items()} == {1: "poor"}


@pytest.mark.parametrize("numbers", [(2,), (1, 2, 3)])
def test_without_principal_words_any_principal_triple_may_change(numbers):
    """With no principal words the model chooses, but not twice and not none."""
    free = job(frozenset(), dict.fromkeys((1, 2, 3), "principal"))
    assert not edited(free, changes(*numbers)).reason
    for wrong in (changes(*numbers, numbers[0]), changes()):
        assert edited(free, wrong).reason == "wrong ids"


def test_an_edit_that_changes_nothing_is_rejected():
    same = [
        SimpleNamespace(
            id=t.id, subject=t.subject.text, predicate=t.predicate.text, object=t.object.text
        )
        for t in (TRIPLES[0], TRIPLES[2])
    ]
    found = edited(job(), same)
    assert found.reason == "principal triples unchanged"


def test_the_schema_of_an_edit_allows_the_requested_ids_only():
    schema = str(edit_request(job(), CONFIG).answer.model_json_schema())
    assert "[1, 3]" in schema


INPUTS = {"fields": {}, "label": "a", "labels": ["a"], "most": 3}


@pytest.mark.parametrize("step", ["decompose", "edit", "reconstruct", "identify", "style"])
def test_a_fault_is_a_rejection_with_its_step_and_cost(step):
    reply = Reply(fault="cut short", detail="too long", cost=PAID)

    class Failing:
        def generate(self, requests):
            return [reply for _ in requests]

    if step == "identify":
        found = read_words(ROW, reply, frozenset())
    else:
        read = {
            "decompose": read_triples,
            "edit": read_edited,
            "reconstruct": read_parts,
            "style": read_style,
        }[step]
        [found] = asking(Failing(), step)([blank_variant(ROW)], lambda _: Request(()), read)
    assert (found.reason, found.cost) == ("unusable answer", PAID)
    assert found.detail.startswith(f"{step}: cut short")


@pytest.mark.parametrize(("temperature", "sampled"), [(0.7, True), (0.0, False)])
def test_only_what_is_written_is_sampled(temperature, sampled):
    """With a generator and a temperature a request has a seed; without them it is greedy."""
    params = SimpleNamespace(temperature=temperature, max_tokens=99)
    written = build_request("coba/identify", WordsAnswer, params, Random(0), **INPUTS)
    asked = build_request("coba/identify", WordsAnswer, params, **INPUTS)
    assert (written.seed is not None, written.temperature) == (sampled, temperature)
    assert (asked.seed, asked.temperature, asked.max_tokens) == (None, 0.0, 99)
