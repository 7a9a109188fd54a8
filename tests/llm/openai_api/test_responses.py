"""Reading a server's answers: whatever it sends, a reply or a clear end comes of it."""

import email.utils
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.errors import BackendFailed
from augkit.llm.openai_api.responses import (
    Received,
    read_body,
    read_positions,
    read_status,
    retry_after,
)

KEYS = st.sampled_from(["choices", "message", "content", "usage", "error", "refusal", "code"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS | st.text(), inner),
    max_leaves=12,
)


@pytest.mark.slow
@given(ANYTHING)
@settings(max_examples=60)
def test_any_json_is_read_without_a_crash(data):
    """A body of any shape gives a text or a fault."""
    reply, *_ = read_body(json.dumps(data))
    assert reply.text or reply.fault or reply.cost.calls == 1


@given(st.text())
def test_any_text_is_read_without_a_crash(body):
    """A body that is no JSON is a fault of the way."""
    reply, *_ = read_body(body)
    assert reply.text or reply.fault or reply.cost.calls == 1


@pytest.mark.slow
@given(st.integers(400, 599), ANYTHING | st.text())
@settings(max_examples=60)
def test_any_error_is_a_reply_or_a_clear_end(status, body):
    """Whatever stands in the body of an error, its reason is found or passed over."""
    text = body if isinstance(body, str) else json.dumps(body)
    problem = read_status(Received(status, {}, text))
    try:
        told = problem.reply("m", "server").fault
    except BackendFailed as error:
        told = str(error)
    assert told.strip()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "1e999"}, float("inf")),
    ],
)
def test_waits_are_read_in_all_their_forms(headers, seconds):
    """Seconds, milliseconds, nonsense."""
    assert retry_after(headers) == seconds


def test_a_date_is_a_wait_too():
    """HTTP allows a date in place of seconds."""
    date = email.utils.formatdate(time.time() + 30, usegmt=True)
    assert 25 < retry_after({"retry-after": date}) <= 30


@pytest.mark.parametrize(
    "body",
    [
        '{"error": {"message": "why"}}',
        '{"error": "why"}',
        '{"detail": "why"}',
        '{"message": "why"}',
        '[{"error": {"message": "why"}}]',
        "why",
    ],
)
def test_the_reason_is_found_wherever_servers_put_it(body):
    """Each of these has been seen."""
    assert read_status(Received(500, {}, body)).detail == "why"


def _body(content, **more):
    return json.dumps({"choices": [{"message": {"content": content}}], **more})


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<think>Is it?\nYes.</think>\n\nFine.", "Fine."),
        ("Is it? Yes.</think>Fine.", "Fine."),
        ("<think>Is it", ""),
        ("Fine, <b>I think</b>.", "Fine, <b>I think</b>."),
        ([{"type": "text", "text": "Fi"}, {"type": "text", "text": "ne."}], "Fine."),
        ([{"type": "thinking", "thinking": "Is it?"}, {"type": "text", "text": "Fine."}], "Fine."),
        (None, ""),
    ],
)
def test_only_the_answer_is_read(content, text):
    """Reasoning in tags or in parts is no answer; an answer may come in parts."""
    assert read_body(_body(content))[0].text == text


@pytest.mark.parametrize(
    ("more", "tokens"),
    [
        ({"usage": {"prompt_tokens_details": {"cached_tokens": 64}}}, 64),
        ({"timings": {"cache_n": 30, "prompt_n": 5}}, 30),
        ({"usage": {"prompt_tokens_details": None}}, 0),
        ({}, 0),
    ],
)
def test_cached_prompt_tokens_are_read(more, tokens):
    """As OpenAI and as llama.cpp report them."""
    assert read_body(_body("x", **more))[0].prompt_cached == tokens


def test_log_probabilities_of_reasoning_are_skipped():
    """The letter of a choice may stand in the reasoning too."""
    tokens = [{"token": token, "logprob": -1.0} for token in ("A", "</think>", "B")]
    content = [{**one, "top_logprobs": [one]} for one in tokens]
    body = json.dumps({"choices": [{"logprobs": {"content": content}}]})
    assert [position.token for position in read_positions(body)] == ["B"]
