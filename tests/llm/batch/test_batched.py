"""Batches at a real HTTP server: submitted once, collected later, paid once, at half the price."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel

from augkit.core.errors import BackendFailed, BatchPending, BudgetExhausted, ConfigError
from augkit.core.model_types import Message, Request
from augkit.llm.batch import batched
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import RunStore, open_llm

pytestmark = pytest.mark.slow

KEY = "sk-a-secret-that-is-long"


class Paraphrase(BaseModel):
    """An answer."""

    text: str


def ask(number, **more):
    return Request(
        [Message("user", f"Paraphrase sentence {number}, please.")], max_tokens=100, **more
    )


@pytest.fixture
def session(end, tmp_path, monkeypatch):
    """Ask as a process of its own would, with the state of the earlier ones."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def asked(*numbers, requests=None, spec="openai:gpt-4o-mini", **options):
        options = {"base_url": end.url, "batch": True, "backoff": 0.0} | options
        store = RunStore(tmp_path / "llm.sqlite")
        try:
            with open_llm(spec, ConnectOptions(**options), store) as llm:
                return llm.generate(requests or [ask(n) for n in numbers]), llm.spent()
        finally:
            store.close()

    return asked


def price(spent, of=(0.15, 0.60)):
    return (spent.prompt_tokens * of[0] + spent.completion_tokens * of[1]) / 1e6


def test_a_batch_is_submitted_once_and_collected_when_it_has_ended(end, session):
    """Half the price; afterwards nothing is asked again."""
    with pytest.raises(BatchPending, match=r"batch_0 \(in_progress, 0 of 3 answered\).*--resume"):
        session(1, 2, 3)
    with pytest.raises(BatchPending):
        session(1, 2, 3)
    end.finish()
    replies, spent = session(1, 2, 3)
    assert [reply.fault for reply in replies] == [""] * 3
    assert len({reply.text for reply in replies}) == 3
    assert (spent.calls, spent.unsettled, spent.usd) == (3, 0, pytest.approx(price(spent) / 2))
    assert sum(reply.cost.usd for reply in replies) == pytest.approx(spent.usd)
    again, total = session(1, 2, 3)
    assert [reply.text for reply in again] == [reply.text for reply in replies]
    assert (len(end.batches), len(end.served), end.direct, total) == (1, 3, [], spent)


def test_a_run_begun_with_batches_goes_on_with_them_without_the_option(end, session):
    """Whoever resumes with other options does not pay a second time."""
    with pytest.raises(BatchPending):
        session(1, 2)
    with pytest.raises(BatchPending):
        session(1, 2, batch=False)
    end.finish()
    replies, _ = session(1, 2, batch=False)
    assert not any(reply.fault for reply in replies)
    assert (len(end.batches), end.direct) == (1, [])


def test_a_run_can_wait(end, session, monkeypatch):
    """It looks again after a pause, and goes on by itself."""
    pauses = []
    monkeypatch.setattr(batched, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(batched, "LONGEST_PAUSE", 0.02)

    def state(self, remote, look=batched.BatchServer.state):
        seen = look(self, remote)
        pauses.append(seen.status)
        if len(pauses) == 3:
            end.finish()
        return seen

    monkeypatch.setattr(batched.BatchServer, "state", state)
    replies, _ = session(1, 2, batch=False, batch_wait=True)
    assert not any(reply.fault for reply in replies)
    assert pauses == ["in_progress"] * 3 + ["completed"]


@pytest.mark.parametrize("kind", ["files", "batches"])
def test_a_lost_connection_during_submission_does_not_submit_twice(end, session, kind):
    """Whether or not the server had created the batch when the connection was lost."""
    end.lose_next = kind
    # An upload is repeated at once, a batch only after a look at what there is.
    with pytest.raises(BatchPending if kind == "files" else BackendFailed):
        session(1, 2)
    end.finish()
    replies, spent = session(1, 2)
    assert not any(reply.fault for reply in replies)
    assert (len(end.batches), len(end.served), spent.calls, spent.unsettled) == (1, 2, 2, 0)


def test_a_process_that_ends_before_the_batch_is_created_leaves_no_cost(end, session, monkeypatch):
    """The lines are submitted by the next one."""
    with monkeypatch.context() as killed:
        killed.setattr(batched.BatchServer, "submit", lambda *_: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            session(1, 2)
    end.automatic = True
    replies, spent = session(1, 2)
    assert not any(reply.fault for reply in replies)
    assert (len(end.batches), spent.calls, spent.unsettled) == (1, 2, 0)


@pytest.mark.parametrize("outcome", ["expired", "lost", (500, {"error": {"message": "broken"}})])
def test_lines_that_failed_are_asked_again(end, session, outcome):
    """In a batch of their own, which survives the end of the process as well."""
    failed = iter([outcome])
    end.outcome = lambda body: next(failed, "ok") if "sentence 2" in str(body) else "ok"
    with pytest.raises(BatchPending):
        session(1, 2, 3)
    end.finish()
    for _ in range(2):
        with pytest.raises(BatchPending, match="batch_1"):
            session(1, 2, 3)
    end.finish()
    replies, spent = session(1, 2, 3)
    assert [reply.fault for reply in replies] == [""] * 3
    assert [len(end.files[one["input_file_id"]].splitlines()) for one in end.batches.values()] == [
        3,
        1,
    ]
    assert (spent.calls, spent.unsettled) == (4, 0)
    assert spent.usd == pytest.approx(price(spent) / 2)


def test_a_line_that_always_fails_is_rejected_with_its_reason(end, session):
    """After the attempts, without ending the run; others keep their answers."""
    end.automatic = True
    bad = {"2": "expired", "3": (400, {"error": {"message": "no such thing"}})}
    end.outcome = lambda body: next((bad[n] for n in bad if f"sentence {n}" in str(body)), "ok")
    replies, _ = session(1, 2, 3, attempts=3)
    assert [reply.fault for reply in replies] == ["", "server error", "refused"]
    assert "not in time" in replies[1].detail
    assert "no such thing" in replies[2].detail
    assert len(end.batches) == 3


def test_an_error_of_all_lines_ends_the_run(end, session):
    """As a wrong model does: nothing would get better."""
    end.automatic = True
    end.outcome = lambda body: (404, {"error": {"message": "no such model"}})
    with pytest.raises(BackendFailed, match="no such model"):
        session(1, 2)


def test_a_wrong_answer_is_asked_again_with_its_error_shown(end, session):
    """It was paid for, so once only; the reply has the cost of both."""
    end.automatic = True
    wrong = {"choices": [{"message": {"content": "{"}, "finish_reason": "stop"}]}
    usage = {"prompt_tokens": 10, "completion_tokens": 1}
    end.outcome = lambda body: (
        "ok" if len(body["messages"]) > 2 else (200, wrong | {"usage": usage})
    )
    [reply], spent = session(requests=[ask(1, answer=Paraphrase)])
    assert (reply.fault, reply.cost.calls, spent.calls) == ("", 2, 2)
    assert len(end.batches) == 2


def test_a_refused_parameter_is_left_out_of_the_next_batch(end, session):
    """Found from the errors of the lines; these were not paid for."""
    end.automatic = True
    message = "Unsupported value: 'temperature' does not support 0.5 with this model."
    error = {"error": {"message": message, "param": "temperature", "code": "unsupported_value"}}
    end.outcome = lambda body: (400, error) if "temperature" in body else "ok"
    replies, spent = session(requests=[ask(n, temperature=0.5) for n in range(3)])
    assert [reply.fault for reply in replies] == [""] * 3
    assert len(end.batches) == 2
    assert spent.usd == pytest.approx(price(spent) / 2)


def test_the_budget_is_reserved_before_anything_is_sent(end, session):
    """At the most that the whole batch can cost."""
    with pytest.raises(BudgetExhausted):
        session(1, 2, 3, budget="2calls")
    assert (end.files, end.batches) == ({}, {})
    with pytest.raises(BatchPending):
        session(1, 2, budget="2calls")
    with pytest.raises(BudgetExhausted):
        session(3, budget="2calls")
    end.finish()
    _, spent = session(1, 2, budget="2calls")
    assert spent.calls == 2


def test_a_batch_that_the_server_refuses_ends_the_run_and_can_be_submitted_again(end, session):
    """As where too many tokens are in line; nothing was served, nothing is counted."""
    end.automatic = True
    end.fail = "Enqueued token limit reached"
    with pytest.raises(BackendFailed, match="token limit reached"):
        session(1, 2)
    end.fail = ""
    replies, spent = session(1, 2)
    assert not any(reply.fault for reply in replies)
    assert (spent.calls, spent.unsettled) == (2, 0)


def test_many_requests_are_several_batches(end, session, monkeypatch):
    """None holds more lines or bytes than the server takes."""
    end.automatic = True
    monkeypatch.setattr(batched, "MOST_LINES", 3)
    replies, _ = session(*range(8))
    assert not any(reply.fault for reply in replies)
    monkeypatch.setattr(batched, "MOST_BYTES", 1000)
    session(*range(10, 18))
    sizes = [one["request_counts"]["total"] for one in end.batches.values()]
    assert sizes[:3] == [3, 3, 2]
    assert sum(sizes[3:]) == 8
    assert max(sizes[3:]) < 3


def test_batches_that_were_not_sent_any_more_keep_nothing_of_the_budget(end, session, monkeypatch):
    """The second of three is refused; a resumed run sends both, within the same budget."""
    end.automatic = True
    monkeypatch.setattr(batched, "MOST_LINES", 1)
    submit, tags = batched.BatchServer.submit, []

    def second_fails(self, tag, bodies):
        tags.append(tag)
        if len(tags) == 2:
            raise BackendFailed("out of order")
        return submit(self, tag, bodies)

    monkeypatch.setattr(batched.BatchServer, "submit", second_fails)
    with pytest.raises(BackendFailed, match="out of order"):
        session(1, 2, 3, budget="3calls")
    replies, spent = session(1, 2, 3, budget="3calls")
    assert not any(reply.fault for reply in replies)
    assert (len(end.batches), len(end.served), spent.calls, spent.unsettled) == (3, 3, 3, 0)


def test_a_server_without_a_batch_end_is_an_error(end, session):
    """It says what is missing, and the key is not in it."""
    with pytest.raises(BackendFailed, match="batch end cannot be used") as raised:
        session(1, base_url=end.url + "/nothing")
    assert KEY not in str(raised.value)


def test_other_models_cannot_be_asked_by_batches(session, tmp_path):
    """Before anything is sent."""
    script = tmp_path / "script.jsonl"
    script.write_text(json.dumps({"match": "x", "reply": "y"}))
    with open_llm(f"scripted:{script}", ConnectOptions(batch=True)) as llm:
        assert not llm.in_batches
    from augkit.core import registry

    class Remote:
        def generate(self, requests):
            raise NotImplementedError

    find = registry.find
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            registry,
            "find",
            lambda kind, name: (lambda *_: Remote()) if name == "mine" else find(kind, name),
        )
        with pytest.raises(ConfigError, match="openai:MODEL"):
            open_llm("mine:x", ConnectOptions(batch=True))
