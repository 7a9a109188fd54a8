"""Imitated answers: shaped like the worked examples, of the words of the question."""

import json
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from augkit.core.model_types import Message, Request
from augkit.llm.made_up import imitated


class Edit(BaseModel):
    old: str
    new: str


class Answer(BaseModel):
    edits: list[Edit] = Field(min_length=1, max_length=4)
    kind: Literal["short", "long"]
    text: str


EXAMPLE = {
    "edits": [{"old": "cat sat", "new": "cat ran"}, {"old": "mat", "new": "lawn"}],
    "kind": "long",
    "text": "The cat ran on the lawn",
}


def ask(text, first="A dog barks at nobody at all in the street", answer=Answer, shown=EXAMPLE):
    def question(first, text):
        return Message("user", f"First: <data>\n{first}\n</data> Text: <data>\n{text}\n</data>")

    return Request(
        [
            Message("system", "Change the text."),
            question("It rains in the small town by the sea", "The cat sat on the mat"),
            Message("assistant", json.dumps(shown)),
            question(first, text),
        ],
        answer=answer,
    )


def test_an_answer_has_the_shape_of_the_example():
    """As many items, one of the categories, and a text of the words of the same piece of data."""
    made = Answer.model_validate_json(imitated(ask("one two three four five six")))
    assert len(made.edits) == 2
    assert made.kind in {"short", "long"}
    kept = {"one", "two", "three", "four", "five", "six"} & set(made.text.split())
    assert (len(kept), len(made.text.split())) == (4, 6)  # as "the cat ... on the" of the example


@pytest.mark.parametrize("times", [1, 3, 10])
def test_it_is_as_long_as_the_question_makes_it(times):
    """A text three times as long gives a text three times as long, but no longer parts of it."""
    made = Answer.model_validate_json(imitated(ask("one two three four five six " * times)))
    assert len(made.text.split()) == 6 * times
    assert [len(edit.old.split()) for edit in made.edits] == [2, 1]
    assert len({text for edit in made.edits for text in (edit.old, edit.new)}) == 4


def test_it_fits_the_schema_where_the_example_does_not():
    """Lists of a fixed length and other categories are those of the request."""

    class Narrow(BaseModel):
        edits: list[Edit] = Field(min_length=3, max_length=3)
        kind: Literal["other"]
        text: str = Field(max_length=9)
        more: int

    made = Narrow.model_validate_json(imitated(ask("one two three", answer=Narrow)))
    assert len(made.edits) == 3


def test_two_samples_differ():
    """As answers to different questions do."""
    assert imitated(ask("one two three")) != imitated(ask("one two three", first="Another"))


def test_without_examples_it_is_as_long_as_the_data():
    """A request without a schema or without examples is answered too."""
    text = "word " * 50
    plain = Request([Message("user", f"Reword <data>\n{text}\n</data>")])
    alone = Request(plain.messages, answer=Edit)
    assert len(imitated(plain).split()) > 50
    made = Edit.model_validate_json(imitated(alone))
    assert 50 <= len(f"{made.old} {made.new}".split()) < 60
    assert imitated(Request(plain.messages, choices=("A", "B"))) in {"A", "B"}


def test_what_shares_no_words_with_its_data_is_made_up():
    """As a translation: as long as the text, in other words."""
    request = ask("one two three four five", shown={**EXAMPLE, "text": "Die Katze saß dort da"})
    made = Answer.model_validate_json(imitated(request)).text.split()
    assert len(made) == 4
    assert not {"one", "two", "three", "four", "five"} & set(made)


def test_categories_and_choices_are_spread():
    """A judge that always says the same would never, or always, agree."""
    kinds = {Answer.model_validate_json(imitated(ask(f"text {n}"))).kind for n in range(20)}
    assert kinds == {"short", "long"}
