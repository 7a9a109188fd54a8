"""Every way a server can fail is a reply with a stated fault, or a clear end."""

import socket

import pytest
from pydantic import BaseModel

from augkit.core.errors import BackendFailed, ConfigError
from augkit.core.model_types import Message, Request
from augkit.llm.openai_api import connect
from augkit.llm.settings import ConnectOptions

KEY = "sk-secret-0123456789"


class Rewording(BaseModel):
    text: str


ASK = Request([Message("system", "You reword."), Message("user", "Fine film.")], answer=Rewording)


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def ask(server, options, request=ASK, **more):
    llm = connect("tiny", options(server, **more))
    try:
        return llm.generate([request])[0]
    finally:
        llm.close()


@pytest.mark.slow
def test_an_answer_is_validated_and_its_tokens_are_counted(serve, options):
    reply = ask(serve(), options)
    assert reply.fault == ""
    assert reply.answer == Rewording.model_validate_json(reply.text)
    assert (reply.cost.calls, reply.cost.prompt_tokens, reply.cost.completion_tokens) == (1, 4, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "reason", "transient"),
    [
        ("429", "rate limited", True),
        ("429-retry-after", "rate limited", True),
        ("500", "server error", True),
        ("truncated", "malformed response", True),
        ("html", "malformed response", True),
        ("no-choices", "malformed response", True),
        ("reset", "connection lost", True),
        ("short-body", "connection lost", True),
        ("bad-json", "does not match the JSON schema", True),
        ("wrong-schema", "does not match the JSON schema", True),
        ("empty", "empty answer", True),
        ("refusal", "refused", False),
        ("filtered", "refused", False),
        ("cut", "truncated", False),
    ],
)
def test_each_fault_has_its_reason(serve, options, fault, reason, transient):
    reply = ask(serve(plan=(fault,)), options)
    assert (reply.fault, reply.transient) == (reason, transient)
    assert reply.answer is None


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["timeout", "drip", "drip-headers"])
def test_a_call_is_bounded_however_slow_the_server(serve, options, fault):
    """Silence, a dripping body and dripping headers all end when the time for the call is over."""
    reply = ask(serve(plan=(fault,), hang=600.0), options, timeout=0.3)
    assert (reply.fault, reply.transient) == ("timeout", True)


def test_the_wait_a_server_asks_for_is_read(serve, options):
    assert ask(serve(plan=("429-retry-after",), retry_after="7"), options).retry_after == 7.0
    assert ask(serve(plan=("429",)), options).retry_after is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "error", "says"),
    [
        (401, {"message": f"wrong key {KEY}", "code": "invalid_api_key"}, "OPENAI_API_KEY"),
        (403, {"message": "no"}, "403"),
        (404, {"message": "no such model", "code": "model_not_found"}, "no model 'tiny'"),
        (429, {"message": "pay first", "code": "insufficient_quota"}, "quota"),
        (400, {"message": "the messages are wrong"}, "the messages are wrong"),
    ],
)
def test_what_no_retry_mends_ends_at_once(serve, options, status, error, says):
    """A wrong key, model or request and an empty account raise, say the cure, and hide the key."""
    server = serve(status=(status, {"error": error}))
    with pytest.raises(BackendFailed, match=says) as raised:
        ask(server, options)
    assert server.calls == 1
    assert KEY not in str(raised.value)


def test_a_text_too_long_for_the_model_is_a_fault_of_that_row(serve, options):
    """A full context is no reason to stop the run."""
    error = {"message": "maximum context length is 8", "code": "context_length_exceeded"}
    reply = ask(serve(status=(400, {"error": error})), options)
    assert (reply.fault, reply.transient) == ("too long for the model", False)


def test_half_a_surrogate_pair_is_a_fault_of_that_row(serve, options):
    """A text that cannot be sent at all is told, not raised."""
    server = serve()
    reply = ask(server, options, Request([Message("user", "\ud83d")]))
    assert (reply.fault, server.calls) == ("not valid Unicode", 0)


def test_a_server_that_was_never_there_is_given_up_soon():
    """Five refused connections in a row end the run, resumably."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    llm = connect("tiny", ConnectOptions(base_url=f"http://127.0.0.1:{port}/v1"))
    replies = [llm.generate([ASK])[0] for _ in range(4)]
    assert {reply.fault for reply in replies} == {"server not reachable"}
    with pytest.raises(BackendFailed, match="or resume the run"):
        llm.generate([ASK])
    llm.close()


@pytest.mark.slow
def test_the_breaker_counts_calls_in_a_row(serve, options):
    """A refusal shows that the server lives and begins the count again."""
    server = serve(plan=("500", "500", "refusal", "500", "500", "500"))
    plain = Request(ASK.messages)
    llm = connect("tiny", options(server, breaker=3))
    llm.generate([plain] * 5)
    with pytest.raises(BackendFailed, match="3 calls in a row"):
        llm.generate([plain])
    llm.close()


@pytest.mark.slow
@pytest.mark.parametrize("status", [400, 422, 500])
@pytest.mark.parametrize(
    ("takes", "used"), [({"json_object", "none"}, "json_object"), ({"none"}, None)]
)
def test_a_refused_format_is_replaced_by_the_next(serve, options, status, takes, used):
    """The request is sent again in the next format; the one that worked is used from then on."""
    server = serve(formats=frozenset(takes), format_status=status)
    llm = connect("tiny", options(server))
    replies = [llm.generate([ASK])[0] for _ in range(3)]
    llm.close()
    assert all(isinstance(reply.answer, Rewording) for reply in replies)
    assert server.calls == (4 if used else 5)
    assert server.bodies[-1].get("response_format", {}).get("type") == used


def test_an_unexplained_500_must_happen_twice_before_the_format_changes(serve, options):
    """A server that answers a format it does not know with a bare 500 is understood as well."""
    server = serve(
        formats=frozenset({"json_object", "none"}), format_status=500, format_message="oops"
    )
    llm = connect("tiny", options(server))
    faults = [llm.generate([ASK])[0].fault for _ in range(2)]
    llm.close()
    assert faults == ["server error", ""]


@pytest.mark.slow
def test_a_form_that_has_worked_is_never_left(serve, options):
    server = serve(plan=("ok", "500", "500", "500", "bad-json", "bad-json", "bad-json"))
    llm = connect("tiny", options(server))
    llm.generate([ASK] * 8)
    llm.close()
    assert {body["response_format"]["type"] for body in server.bodies} == {"json_schema"}


@pytest.mark.slow
def test_json_in_a_fence_is_accepted_in_prompt_form(serve, options):
    """Models that answer with a Markdown code block are understood."""
    server = serve(formats=frozenset({"none"}), answer=lambda _: '```json\n{"text": "Good."}\n```')
    llm = connect("tiny", options(server))
    replies = [llm.generate([ASK])[0] for _ in range(3)]
    llm.close()
    assert replies[-1].answer == Rewording(text="Good.")
    assert "JSON schema" in server.bodies[-1]["messages"][0]["content"]


def test_the_seed_is_sent_where_there_is_one(serve, options):
    """The seed travels with the request; no seed is no key in the body."""
    server = serve()
    ask(server, options, Request([Message("user", "x")], seed=17))
    ask(server, options, Request([Message("user", "x")]))
    assert [body.get("seed") for body in server.bodies] == [17, None]


def test_a_local_server_needs_no_key(serve, options, monkeypatch):
    """Without a key something is sent that no server will mind."""
    monkeypatch.delenv("OPENAI_API_KEY")
    server = serve()
    assert ask(server, options).fault == ""
    assert server.headers[0]["authorization"].startswith("Bearer ")


def test_the_public_api_needs_a_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        connect("gpt-4o-mini", ConnectOptions())


def test_a_key_that_cannot_be_sent_is_an_error(monkeypatch):
    """Before a call, and without showing it."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-“quoted”")
    with pytest.raises(ConfigError, match="characters") as raised:
        connect("gpt-4o-mini", ConnectOptions())
    assert "quoted" not in str(raised.value)
