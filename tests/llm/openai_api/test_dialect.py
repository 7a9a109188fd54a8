"""What a server does not accept is found from its errors, and left out or renamed."""

import pytest
from pydantic import BaseModel, Field

from augkit.core.model_types import Message, Request
from augkit.llm.openai_api.dialect import NEW_LIMIT, OLD_LIMIT, Dialect
from augkit.llm.openai_api.responses import Problem

SAMPLED = Request([Message("user", "Go.")], temperature=0.7, top_p=0.9, seed=3, max_tokens=50)
LETTER = Request([Message("user", "A or B?")], choices=("A", "B"), max_tokens=50)


def problem(message, param="", status=400):
    return Problem(status, "", message, None, param)


def sent_after(dialect, request, *messages):
    """What is sent after a refusal with each of these messages."""
    for message in messages:
        sent = dialect.payload(request, dialect.formats.current)
        assert dialect.learn(problem(message), sent, dialect.formats.current)
    return dialect.payload(request, dialect.formats.current)


def test_a_request_is_sent_with_all_its_settings():
    """The best form names everything; top_p has no effect at temperature 0 and is not sent then."""
    sent = Dialect("m").payload(SAMPLED, "json_schema")
    assert (sent["temperature"], sent["top_p"], sent["seed"], sent["max_tokens"]) == (
        0.7,
        0.9,
        3,
        50,
    )
    assert "top_p" not in Dialect("m").payload(Request([Message("user", "Go.")]), "json_schema")


@pytest.mark.parametrize(("first", "other"), [(OLD_LIMIT, NEW_LIMIT), (NEW_LIMIT, OLD_LIMIT)])
def test_the_limit_on_tokens_is_renamed(first, other):
    """Either name is tried, each once: a server that takes neither is believed."""
    message = f"Unsupported parameter: '{first}' is not supported with this model."
    dialect = Dialect("m", first)
    sent = sent_after(dialect, SAMPLED, message)
    assert sent[other] == 50
    assert first not in sent
    assert not dialect.learn(problem(f"Unknown parameter: '{other}'."), sent, "json_schema")


def test_a_limit_that_is_too_high_is_not_renamed():
    """The parameter is known; its value is wrong."""
    dialect = Dialect("m")
    sent = dialect.payload(SAMPLED, "json_schema")
    too_high = problem("max_tokens is too large: 50. This model writes at most 40 tokens.")
    assert not dialect.learn(too_high, sent, "json_schema")


def test_a_late_refusal_of_what_is_already_left_out_is_sent_again():
    """Several threads are refused at the same time; each sends again in the new form."""
    dialect = Dialect("m")
    sent = dialect.payload(SAMPLED, "json_schema")
    refused = problem("no", param="seed")
    assert [dialect.learn(refused, sent, "json_schema") for _ in range(3)] == [True] * 3


def test_a_choice_asks_for_log_probabilities_and_few_tokens():
    """Where a server refuses them they are no longer sent; without top_logprobs the rest stays."""
    sent = Dialect("m").payload(LETTER, "json_schema")
    assert (sent["logprobs"], sent["top_logprobs"], sent["max_tokens"]) == (True, 20, 5)
    without = sent_after(Dialect("m"), LETTER, "logprobs is not supported for this model")
    assert not {"logprobs", "top_logprobs"} & without.keys()


def test_schema_keywords_that_a_server_refuses_are_left_out():
    """First the one that is named, then all; then the next output format is tried."""

    class Closed(BaseModel):
        text: str = Field(max_length=9)
        tags: list[str] = Field(min_length=1, max_length=3)

    request = Request([Message("user", "Go.")], answer=Closed)
    dialect = Dialect("m")
    for message, left in [
        ("Invalid schema for response_format 'Closed': 'maxLength' is not permitted.", True),
        ("Invalid schema for response_format: too complex.", True),
        ("Invalid schema for response_format: too complex.", False),
    ]:
        sent = dialect.payload(request, "json_schema")
        assert dialect.learn(problem(message), sent, "json_schema")
        assert (dialect.formats.current == "json_schema") == left
    schema = sent["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["tags"] == {"type": "array", "items": {"type": "string"}}
