"""Structured answers: asked for in three forms, always validated."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from augkit.core.model_types import Message, Reply, Request
from augkit.core.types import Cost
from augkit.llm.structured_output import (
    OUTPUT_FORMATS,
    FormatMemory,
    read_answer,
    response_format,
    schema_text,
    strict_schema,
    unfenced,
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


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"parts": [{"word": "a"}]}', ""),
        ('```json\n{"parts": []}\n```', ""),
        ('```\n{"parts": []}```', ""),
        ('Sure: {"parts": []}', "does not match the JSON schema"),
        ('{"parts": [{}]}', "does not match the JSON schema"),
        ("[]", "does not match the JSON schema"),
        ("  \n", "empty answer"),
    ],
)
def test_an_answer_is_read_or_its_fault_told(text, fault):
    """The cost stays with the reply either way."""
    reply = read_answer(ASK, Reply(text, cost=Cost(1, 2, 3)))
    assert reply.fault == fault
    assert isinstance(reply.answer, Whole) == (not fault)
    assert reply.cost == Cost(1, 2, 3)


def test_a_fence_inside_a_text_is_left_alone():
    """Only a fence around everything is taken off."""
    assert unfenced("see ```x``` here") == "see ```x``` here"


def test_forms_are_left_one_by_one_and_the_last_is_kept():
    """Each refusal leads to the next form; after the last there is none to try."""
    memory = FormatMemory()
    assert [memory.rejected(form) for form in OUTPUT_FORMATS] == [True, True, False]
    assert memory.current == "prompt"


def test_late_refusals_of_an_old_form_do_not_count():
    """Thirty-two threads that were all turned down in the first form step on once."""
    memory = FormatMemory()
    with ThreadPoolExecutor(32) as pool:
        again = list(pool.map(memory.rejected, ["json_schema"] * 32))
    assert all(again)
    assert memory.current == "json_object"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["worked", "rejected", "suspected"]), st.sampled_from(OUTPUT_FORMATS)
        )
    )
)
def test_a_form_that_has_worked_is_kept_for_good(events):
    """Whatever comes in whatever order, no step follows a success in the current form."""
    memory = FormatMemory()
    for event, form in events:
        before = memory.current
        kept = memory._proven
        getattr(memory, event)(form)
        if kept:
            assert memory.current == before
        if event == "worked" and form == before:
            assert memory._proven


def test_two_doubts_are_needed():
    """One unexplained failure may be chance."""
    memory = FormatMemory()
    assert [memory.suspected("json_schema") for _ in range(2)] == [False, True]
