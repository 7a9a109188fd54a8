"""Structured answers: asked for in three forms, always validated."""

import json
import re

import pytest
from pydantic import BaseModel, Field

from augkit.core.model_types import Message, Reply, Request
from augkit.llm.faults import MALFORMED, WRONG_SCHEMA
from augkit.llm.structured_output import (
    CONSTRAINTS,
    OUTPUT_FORMATS,
    read_answer,
    response_format,
    schema_text,
    strict_schema,
    with_schema,
)


class Part(BaseModel):
    word: str
    count: int = 1


class Whole(BaseModel):
    parts: list[Part]
    note: str | None = None


ASK = Request([Message("user", "Go.")], answer=Whole)


def test_a_strict_schema_requires_every_key_and_no_other():
    """Also in nested objects, whatever defaults they have."""
    schema = strict_schema(Whole)
    assert schema["required"] == ["parts", "note"]
    assert schema["$defs"]["Part"]["required"] == ["word", "count"]
    assert (
        schema["additionalProperties"] is schema["$defs"]["Part"]["additionalProperties"] is False
    )


@pytest.mark.parametrize("output_format", OUTPUT_FORMATS)
def test_fields_are_sent_in_the_order_of_their_definition(output_format):
    """A server with constrained decoding writes "reason" first, and the verdict follows from it."""

    class Judgement(BaseModel):
        reason: str
        label: str
        certain: bool

    request = Request([Message("user", "Judge.")], answer=Judgement)
    sent = json.dumps(response_format(request, output_format)) + str(
        [message.content for message in with_schema(request, output_format)]
    )
    order = re.findall(r'"(reason|label|certain)": ?\{', sent)
    assert order[:3] == ["reason", "label", "certain"]
    assert order == order[:3] * (len(order) // 3)


def test_each_form_tells_the_schema_once_or_twice_but_never_not_at_all():
    """In the API's field, in the prompt, or in both where the field may not be understood."""
    told = {
        form: (
            "properties" in json.dumps(response_format(ASK, form)),
            schema_text(Whole) in with_schema(ASK, form)[0].content,
        )
        for form in OUTPUT_FORMATS
    }
    assert told == {
        "json_schema": (True, False),
        "json_object": (True, True),
        "prompt": (False, True),
    }


def test_the_schema_joins_a_system_message_that_is_there():
    """Otherwise it is a system message of its own; the user's message stays as it is."""
    system = Request([Message("system", "Be kind."), Message("user", "Go.")], answer=Whole)
    assert with_schema(system, "prompt")[0].content.startswith("Be kind.\n\n")
    assert [m.role for m in with_schema(ASK, "prompt")] == ["system", "user"]
    assert with_schema(Request([], answer=Whole), "prompt")[0].role == "system"


def test_a_plain_request_is_sent_as_it_is():
    """No schema, no form."""
    plain = Request([Message("user", "Go.")])
    assert [response_format(plain, form) for form in OUTPUT_FORMATS] == [None, None, None]
    assert with_schema(plain, "prompt") == plain.messages


def test_the_sent_schema_holds_what_shapes_an_answer_and_nothing_else():
    """No titles, defaults or keywords beside a reference; a field named title stays."""

    class Book(BaseModel):
        title: str = Field("?", max_length=9)
        first: Part = Field(description="the first part")
        pair: tuple[int, str]

    schema = strict_schema(Book)
    assert schema["properties"] == {
        "title": {"maxLength": 9, "type": "string"},
        "first": {"$ref": "#/$defs/Part"},
        "pair": {
            "maxItems": 2,
            "minItems": 2,
            "prefixItems": [{"type": "integer"}, {"type": "string"}],
            "type": "array",
        },
    }


def test_keywords_that_a_server_refuses_are_left_out():
    """A tuple becomes a list of what it may hold; the answer is validated here all the same."""

    class Pair(BaseModel):
        pair: tuple[int, int]

    request = Request([Message("user", "Go.")], answer=Pair)
    sent = response_format(request, "json_schema", CONSTRAINTS)["json_schema"]["schema"]
    items = {"anyOf": [{"type": "integer"}]}
    assert sent["properties"]["pair"] == {"type": "array", "items": items}
    assert read_answer(request, Reply('{"pair": [1]}')).fault == "does not match the JSON schema"


def test_two_answers_that_differ_are_none():
    """Which one is meant is for the model to say."""
    text = 'Variant: {"parts": []} Final: {"parts": [{"word": "a"}]}'
    assert read_answer(ASK, Reply(text)).detail == "2 different answers"
    assert read_answer(ASK, Reply('{"parts": []} {"parts": []}')).answer == Whole(parts=[])


@pytest.mark.parametrize("request_", [ASK, Request([Message("user", "Go.")])])
def test_half_of_a_character_is_a_malformed_response(request_):
    """No file and no store could hold the answer: it is thrown away, and the call repeated."""
    reply = read_answer(request_, Reply('{"parts": [], "note": "cut \ud83d"}'))
    assert (reply.fault, reply.text, reply.transient) == (MALFORMED, "", True)
    assert "\\ud83d" in reply.detail


@pytest.mark.parametrize(
    "text",
    [
        '{"parts": [], "note": "a", "note": "b"}',
        'Here: {"parts": [{"word": "a", "word": "b",}]}',
        '```json\n{"parts": [], "note": "a", "note": "a"}\n```',
    ],
)
def test_a_key_given_twice_fits_no_schema(text):
    """Not even where the last value would, or where only the form needs repair."""
    reply = read_answer(ASK, Reply(text))
    assert (reply.fault, reply.answer) == (WRONG_SCHEMA, None)
    assert "is given twice in one object" in reply.detail


def test_half_of_a_character_as_an_escape_fits_no_schema():
    """The text of the answer is whole, and what it stands for is not."""
    reply = read_answer(ASK, Reply('{"parts": [], "note": "cut \\ud83d"}'))
    assert (reply.fault, reply.answer) == (WRONG_SCHEMA, None)
    assert "'note' has half of a character (\\ud83d" in reply.detail
