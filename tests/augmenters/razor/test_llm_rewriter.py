"""The rewriter that is a language model: what it is asked, and which answers are rejected."""

import json

from augkit.augmenters.create import create
from augkit.augmenters.razor.llm_rewriter import read_rewrites, words_to_avoid
from augkit.core.model_types import Reply
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.llm.scripted import Scripted
from augkit.prompts.answers import TextsAnswer, exactly

REVIEWS = [
    example("A truly wonderful film.", "positive"),
    example("A truly dreadful film.", "negative"),
]


def test_only_words_of_the_text_are_avoided_and_must_be_gone():
    """The strongest three; a rewrite with one of them is rejected, whatever its casing."""
    strongest = ["only", "not", "is", "film", "never"]
    text = "It is not a film only for fans."
    avoid = words_to_avoid(text, strongest)
    assert avoid == ["only", "not", "is"]
    answer = exactly(4, TextsAnswer)(texts=["Fans will like it.", "NOT for all.", text, " "])
    assert [one.rejected for one in read_rewrites(text, avoid, Reply(answer=answer))] == [
        "",
        "keeps a word to avoid",
        "unchanged",
        "empty variant",
    ]


def test_the_answer_has_exactly_the_rewrites_asked_for():
    """Too few or too many are no answer, and an endless one is cut early."""
    asked = []

    def answer(request):
        asked.append(request)
        return json.dumps({"texts": ["Splendid."]})

    step = create("razor", Tools(llm=Scripted(answer)), verify=False, candidates=3, rounds=1)
    outcome = next(iter(step.fit(REVIEWS).outcomes(REVIEWS[:1])))
    assert outcome.reason.startswith("llm: ")
    schema = asked[0].answer.model_json_schema()["properties"]["texts"]
    assert (schema["minItems"], schema["maxItems"]) == (3, 3)
    assert asked[0].max_tokens < 100


def test_neither_label_nor_words_to_avoid_are_shown_where_there_are_none():
    """The meaning is kept, so the label is; a text without strong words is only reworded."""
    asked = []

    def answer(request):
        asked.append(request.messages[-1].content)
        return json.dumps({"texts": ["Splendid.", "Superb."]})

    step = create("razor", Tools(llm=Scripted(answer)), verify=False, rounds=1)
    list(step.fit(REVIEWS).outcomes(REVIEWS[:1]))
    assert asked == ["Versions: <data>2</data>\nText: <data>A truly wonderful film.</data>"]


def test_a_row_without_a_word_to_avoid_costs_no_call():
    """Other rows of its label have such words; where none has any, all are reworded."""
    asked = []

    def answer(request):
        asked.append(request.messages[-1].content)
        return json.dumps({"texts": ["Splendid.", "Superb."]})

    rows = [example(f"A truly wonderful film {n}.", "positive") for n in range(20)]
    rows += [example(f"A dreadful book {n}.", "negative") for n in range(20)]
    rows.append(example("Quite long.", "positive"))
    step = create("razor", Tools(llm=Scripted(answer)), verify=False, rounds=1)
    outcomes = list(step.fit(rows).outcomes(rows[-1:]))
    assert [one.reason for one in outcomes] == ["no word to avoid"]
    assert not asked
