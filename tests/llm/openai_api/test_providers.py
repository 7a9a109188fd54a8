"""Providers as they are: one mock server, and for each provider what it does differently.

The errors and fields are those of the providers' documentation and issue trackers.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel, Field

from augkit.core.model_types import Message, Request
from augkit.llm.stack import RunStore, open_llm

ROWS = 20
REFUSED = 10
"""Every tenth row is refused by the model."""
KEY = "key-of-a-provider-123"


class Rewordings(BaseModel):
    """A closed shape: what a strict server refuses of it is left out and validated here."""

    reason: str = Field(max_length=200)
    texts: list[str] = Field(min_length=1, max_length=3)


def error(message: str, **more: Any) -> tuple[int, Any]:
    return 400, {"error": {"message": message, **more}}


def unsupported(name: str, message: str = "Unsupported parameter: '{}'.") -> Callable[[Any], Any]:
    """Refuses a parameter by its name."""
    return lambda call: error(message.format(name), param=name) if name in call.body else None


def is_refused(body: dict[str, Any]) -> bool:
    return "forbidden" in body["messages"][-1]["content"]


def refusal_field(completion: dict[str, Any], body: dict[str, Any]) -> None:
    if is_refused(body):
        completion["choices"][0]["message"] = {"content": None, "refusal": "I cannot help."}


def blocked(completion: dict[str, Any], body: dict[str, Any]) -> None:
    if is_refused(body):
        completion["choices"][0] = {"message": {"content": ""}, "finish_reason": "content_filter"}


def reasons_first(completion: dict[str, Any], body: dict[str, Any]) -> None:
    """Hidden reasoning counts towards the limit: with a small one nothing is left to answer."""
    refusal_field(completion, body)
    completion["usage"]["completion_tokens_details"] = {"reasoning_tokens": 640}
    if body["max_completion_tokens"] < 640:
        completion["choices"][0] |= {"message": {"content": ""}, "finish_reason": "length"}


def strict(call: Any) -> Any:
    """OpenAI's strict mode: an unsupported keyword of the schema is named."""
    schema = json.dumps(call.body.get("response_format", {}))
    for keyword in ("maxLength", "minItems", "maxItems"):
        if f'"{keyword}":' in schema:
            return error(
                f"Invalid schema for response_format 'Rewordings': In context=('properties', "
                f"'texts'), '{keyword}' is not permitted.",
                param="response_format",
            )
    return None


def azure(call: Any) -> Any:
    if call.path != "/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21":
        return 404, {"error": {"code": "404", "message": "Resource not found"}}
    if call.headers.get("api-key") != KEY or "authorization" in call.headers:
        return 401, {"error": {"code": "401", "message": "Access denied"}}
    if is_refused(call.body):
        return error(
            "The response was filtered by content management policy.", code="content_filter"
        )
    return unsupported("max_tokens")(call)


def ignores_formats(body: dict[str, Any]) -> str:
    """Prose where the schema is not in the prompt, and JSON in a code fence where it is."""
    asked = re.search(r"A, B or C", body["messages"][-1]["content"])
    if asked:
        return "B"
    if "JSON schema" not in body["messages"][0]["content"]:
        return "Here is a rewording of the text: it was fine."
    return 'Sure:\n```json\n{"reason": "so", "texts": ["It was fine."]}\n```'


def gemini(call: Any) -> Any:
    """Errors come in a list, and name every unknown field."""
    unknown = [name for name in ("seed", "logprobs", "top_logprobs") if name in call.body]
    lines = [
        f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.'
        for name in unknown
    ]
    return (400, [error("\n".join(lines), status="INVALID_ARGUMENT")[1]]) if unknown else None


def thinks_aloud(completion: dict[str, Any], body: dict[str, Any]) -> None:
    refusal_field(completion, body)
    message = completion["choices"][0]["message"]
    message["reasoning_content"] = "The user wants a rewording."
    if message["content"]:
        message["content"] = f"<think>\nA rewording, then.\n</think>\n\n{message['content']}"


def cached_prompts(completion: dict[str, Any], body: dict[str, Any]) -> None:
    refusal_field(completion, body)
    completion["timings"] = {"cache_n": 7, "prompt_n": 3}


def both_temperature_and_top_p(call: Any) -> Any:
    if {"temperature", "top_p"} <= call.body.keys():
        return error("`temperature` and `top_p` cannot both be specified for this model.")
    return None


def lm_studio(call: Any) -> Any:
    if call.body.get("response_format", {}).get("type") not in {None, "json_schema", "text"}:
        return 400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}
    return None


@dataclass(frozen=True)
class Provider:
    """How a server behaves, and what calls to it look like in the end."""

    behaviour: dict[str, Any]
    spec: str = "openai:m"
    sends: dict[str, Any] = field(default_factory=dict)
    """Parameters of the last call for the last row; None: not sent."""
    wrong: int = 0
    """Paid answers that did not fit before the format was found."""


def refusing(*refusals: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The first refusal that applies."""
    return lambda call: next((found for one in refusals if (found := one(call))), None)


TEMPERATURE = "Unsupported value: '{}' does not support 0.7 with this model. Only 1 is supported."
PROVIDERS = {
    "newer OpenAI": Provider(
        {
            "refuse": refusing(
                unsupported("max_tokens", "Use 'max_completion_tokens' instead of '{}'."),
                unsupported("temperature", TEMPERATURE),
                unsupported("top_p"),
                unsupported("logprobs"),
            ),
            "finish": reasons_first,
        },
        sends={"max_completion_tokens": 500 + 2048, "temperature": None, "top_p": None},
        wrong=8,
    ),
    "OpenAI strict mode": Provider({"refuse": strict, "finish": refusal_field}),
    "Azure": Provider({"refuse": azure}, "azure:my-gpt", {"max_completion_tokens": 500}),
    "Ollama": Provider({"finish": refusal_field}),
    "LM Studio": Provider({"refuse": lm_studio, "finish": refusal_field}),
    "vLLM": Provider({"finish": thinks_aloud}, sends={"seed": ROWS - 1, "top_p": 0.9}),
    "llama.cpp": Provider({"finish": cached_prompts}),
    "Anthropic": Provider(
        {
            "refuse": both_temperature_and_top_p,
            "answer": ignores_formats,
            "finish": refusal_field,
        },
        sends={"temperature": 0.7, "top_p": None},
        wrong=2,
    ),
    "Gemini": Provider({"refuse": gemini, "finish": blocked}, sends={"seed": None}),
}


def reword(n: int) -> Request:
    text = f"Reword row {n}" + (": forbidden." if n % REFUSED == 0 else ".")
    settings = {"temperature": 0.7, "top_p": 0.9, "seed": n, "max_tokens": 500}
    return Request([Message("user", text)], answer=Rewordings, **settings)


def judge(n: int) -> Request:
    question = Message("user", f"Row {n}: A, B or C?")
    return Request([question], choices=("B", "C", "A"), max_tokens=500)


@pytest.fixture
def connection(serve, options, monkeypatch):
    """A server that behaves like the provider, and the options to reach it."""

    def start(provider):
        letter = {"answer": lambda body: "B" if "A, B or C" in str(body) else None}
        behaviour = provider.behaviour
        if "answer" not in behaviour:
            behaviour = {**behaviour, **letter}
        server = serve(**behaviour)
        for name, value in {
            "AZURE_OPENAI_API_KEY": KEY,
            "OPENAI_API_VERSION": "2024-10-21",
            "OPENAI_API_KEY": KEY,
        }.items():
            monkeypatch.setenv(name, value)
        quick = options(server, workers=8)
        if provider.spec.startswith("azure"):
            quick = quick.model_copy(update={"base_url": server.url.removesuffix("/v1")})
        return server, quick

    return start


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVIDERS)
def test_all_rows_end_and_nothing_is_paid_twice(connection, tmp_path, name):
    """Every row has its answer or its refusal, whatever the server does not accept."""
    provider = PROVIDERS[name]
    server, quick = connection(provider)
    store = RunStore(tmp_path / "llm.sqlite")
    requests = [reword(n) for n in range(ROWS)]
    with open_llm(provider.spec, quick, store) as llm:
        replies = llm.generate(requests)
        calls = server.calls
        again = llm.generate(requests)
        spent = llm.spent()
    store.close()
    faults = [reply.fault for reply in replies]
    assert faults == ["refused" if n % REFUSED == 0 else "" for n in range(ROWS)]
    assert all(isinstance(reply.answer, Rewordings) for reply in replies if not reply.fault)
    assert [(r.fault, r.text) for r in again] == [(r.fault, r.text) for r in replies]
    assert server.calls == calls
    twice = {asked: times for asked, times in server.paid.items() if times > 1}
    assert sum(twice.values()) - len(twice) <= provider.wrong
    assert spent.completion_tokens == sum(r.cost.completion_tokens for r in replies)
    last = [body for body in server.bodies if f"row {ROWS - 1}." in str(body["messages"])][-1]
    assert {key: last.get(key) for key in provider.sends} == provider.sends


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVIDERS)
def test_all_choices_end(connection, name):
    """With or without log-probabilities, reasoning before the answer or not."""
    provider = PROVIDERS[name]
    server, quick = connection(provider)
    with open_llm(provider.spec, quick) as llm:
        replies = llm.generate([judge(n) for n in range(ROWS)])
    assert [(reply.text, reply.fault) for reply in replies] == [("B", "")] * ROWS
    assert len(server.paid) == ROWS


@pytest.mark.slow
def test_a_server_with_many_slots_has_many_calls_in_flight(serve, options):
    """VLLM batches what it is given: as many as there are workers."""
    server = serve(together=16)
    with open_llm("openai:m", options(server, workers=16)) as llm:
        llm.generate([reword(n) for n in range(40)])
    assert server.peak == 16


def test_cached_prompt_tokens_are_in_the_spending(connection):
    """As llama.cpp counts them."""
    _, quick = connection(PROVIDERS["llama.cpp"])
    with open_llm("openai:m", quick) as llm:
        llm.generate([judge(n) for n in range(3)])
        assert llm.spent().prompt_cached == 21


def test_a_prompt_that_was_cut_is_reported_once(serve, options, caplog):
    """Ollama reads 4,096 tokens of whatever it is sent, and says nothing."""

    def cut(completion, _):
        completion["usage"] = {"prompt_tokens": 4096, "completion_tokens": 5}

    long = [Request([Message("user", f"{n} " + "a long text " * 2000)]) for n in range(3)]
    with open_llm("openai:m", options(serve(finish=cut))) as llm:
        llm.generate(long)
    assert caplog.text.count("OLLAMA_CONTEXT_LENGTH") == 1
