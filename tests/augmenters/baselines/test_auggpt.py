"""AugGPT: several rephrasings in one call, by pure functions and with a scripted model."""

from __future__ import annotations

import json

import pytest

from augkit.augmenters.baselines.auggpt import (
    AugGptConfig,
    Paraphrases,
    auggpt_request,
    read_paraphrases,
)
from augkit.augmenters.create import create
from augkit.core.errors import MissingTool
from augkit.core.model_types import Reply
from augkit.core.protocols import Tools
from augkit.core.types import FREE, Cost, Draft, Pair, example
from augkit.llm.scripted import Scripted

FILM = example("A fine film.", "positive")
NLI = example({"premise": "A man sleeps.", "hypothesis": "He is awake."}, "contradiction")
PAID = Cost(1, 20, 5, 0.001)


def test_the_request_shows_text_label_and_number_as_material():
    """One call asks for all copies."""
    request = auggpt_request(FILM, AugGptConfig(copies=4), seed=3)
    shown = request.messages[-1].content
    assert all(f">{part}</" in shown for part in ("A fine film.", "positive", "4"))
    assert (request.answer, request.seed) == (Paraphrases, 3)
    assert request.prompt.startswith("auggpt/rephrase@1:")


def test_the_call_is_paid_once():
    """Six rephrasings of one call cost what the call cost; the paper's number is the default."""
    reply = Reply("", answer=Paraphrases(texts=[f"Film {n}." for n in range(6)]), cost=PAID)
    drafts = list(read_paraphrases(FILM, reply, AugGptConfig()))
    assert [draft.fields["text"] for draft in drafts] == [f"Film {n}." for n in range(6)]
    assert [draft.cost for draft in drafts] == [PAID, *[FREE] * 5]
    assert {draft.contract for draft in drafts} == {"kept"}


def test_missing_rephrasings_are_told():
    """A model that gives one of three has two rejections, and the cost stays with the first."""
    reply = Reply("", answer=Paraphrases(texts=["New."]), cost=PAID)
    first, *rest = read_paraphrases(FILM, reply, AugGptConfig(copies=3))
    assert isinstance(first, Draft)
    assert [(one.reason, one.detail, one.copy) for one in rest] == [
        ("too few paraphrases", "1 of 3", 1),
        ("too few paraphrases", "1 of 3", 2),
    ]


def test_an_empty_list_is_not_free():
    """What was paid for nothing is in the rejections' costs."""
    reply = Reply("", answer=Paraphrases(texts=[]), cost=PAID)
    assert [one.cost for one in read_paraphrases(FILM, reply, AugGptConfig(copies=2))] == [
        PAID,
        FREE,
    ]


def test_repeats_and_the_text_itself_are_refused():
    """Only what is new is a variant; the last field of a pair is rephrased."""
    answer = json.dumps({"texts": ["He is awake.", "He does not sleep.", "He does not sleep."]})
    outcomes = list(create("auggpt", Tools(llm=Scripted([answer])), copies=3).outcomes([NLI]))
    assert [one.reason if not isinstance(one, Pair) else "kept" for one in outcomes] == [
        "unchanged",
        "kept",
        "repeats another copy",
    ]
    assert outcomes[1].variant.fields["premise"] == "A man sleeps."


def test_a_faulty_answer_is_one_refusal():
    """The reason is the reply's fault."""
    (rejection,) = create("auggpt", Tools(llm=Scripted(["no JSON"]))).outcomes([FILM])
    assert rejection.reason.startswith("llm: ")
    assert rejection.cost.calls >= 1


def test_it_says_that_it_needs_a_model():
    """Offline it says what to give it."""
    with pytest.raises(MissingTool, match="--llm"):
        create("auggpt")
