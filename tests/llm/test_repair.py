"""Repairs: the form of an answer changes, what it says does not."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from augkit.core.model_types import Message, Reply, Request
from augkit.llm.repair import json_values, reshaped
from augkit.llm.structured_output import read_answer, strict_schema


class Part(BaseModel):
    word: str
    count: int = 1


class Whole(BaseModel):
    parts: list[Part]


class Texts(BaseModel):
    texts: list[str]
    note: str = ""


def read(text, answer=Whole):
    return read_answer(Request([Message("user", "Go.")], answer=answer), Reply(text))


ONE = Whole(parts=[Part(word="a")])


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        ('{"parts": [{"word": "a"}]}', ()),
        ('```json\n{"parts": [{"word": "a"}]}\n```', ("code fence",)),
        ('Here:\n```\n{"parts": [{"word": "a"}]}\n```\nDone.', ("code fence",)),
        ('Sure! {"parts": [{"word": "a"}]} Is that right?', ("text around the JSON",)),
        ('{"parts": [{"word": "a",},],}', ("trailing comma",)),
        ('[{"word": "a"}]', ("bare list for its object",)),
        ('{"parts": {"word": "a"}}', ("one item for a list",)),
        ('{"word": "a"}', ("one item for a list",)),
        ('[{"parts": [{"word": "a"}]}]', ("object in a list of one",)),
    ],
)
def test_each_repair_is_made_and_named(text, repairs):
    """The answer is the one that the model has given; the text stays as it was written."""
    reply = read(text)
    assert (reply.answer, reply.repairs, reply.text) == (ONE, repairs, text)


@pytest.mark.parametrize(
    "text",
    [
        '{"parts": [{"word": "a"}',
        '{"parts": [{"word": "a"}, {"wo',
        '{"parts": {"word": "a", "colour": "red"}}',
        '{"parts": "a"}',
        '{"pieces": [{"word": "a"}]}',
        "[1, 2]",
        "a",
    ],
)
def test_what_would_change_the_meaning_is_not_repaired(text):
    """Cut answers, other names, other types: the model is asked again."""
    assert read(text).fault == "does not match the JSON schema"


def test_commas_and_brackets_inside_strings_stay():
    """Only JSON itself is repaired."""
    text = 'So: {"texts": ["one,] two,} ```three```",], "note": "{"}'
    assert read(text, Texts).answer == Texts(texts=["one,] two,} ```three```"], note="{")


PLAIN = st.text(st.characters(exclude_characters="`", codec="utf-8"))
VALUES = st.recursive(
    PLAIN | st.integers(),
    lambda inner: st.lists(inner) | st.dictionaries(PLAIN, inner),
    max_leaves=6,
)


@pytest.mark.slow
@given(st.lists(VALUES) | st.dictionaries(PLAIN, VALUES))
@settings(max_examples=40)
def test_a_value_in_a_sentence_is_found_again(value):
    found = list(json_values(f"Here you are: {json.dumps(value)} Good luck."))
    assert found == [(value, ("text around the JSON",))]


@pytest.mark.slow
@given(st.lists(st.builds(Part, word=st.text(), count=st.integers())).map(lambda p: Whole(parts=p)))
def test_what_fits_is_left_alone(whole):
    """No repair touches an answer that is right."""
    value = whole.model_dump()
    assert reshaped(value, strict_schema(Whole)) == (value, ())
