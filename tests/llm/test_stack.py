"""The whole stack against servers that misbehave: right answers, one call each, all told."""

import json
import logging
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from pydantic import BaseModel

from augkit.core.errors import BackendFailed, BudgetExhausted, ConfigError, UnknownName
from augkit.core.model_types import Message, Reply, Request
from augkit.core.protocols import Backend
from augkit.core.types import FREE
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import RunStore, open_llm
from augkit.llm.wrappers.parallel import Parallel


class Rewording(BaseModel):
    text: str


def ask(n, **more):
    return Request([Message("user", f"Reword row {n}.")], answer=Rewording, **more)


@pytest.mark.slow
def test_a_mix_of_all_faults_loses_nothing(serve, options, faults, tmp_path):
    """To a server that gives half of its answers wrongly: each request gets a reply or a reason."""
    server = serve(plan=faults.shuffled_plan(2, seed=4), hang=600.0)
    store = RunStore(tmp_path / "llm.sqlite")
    asked = [ask(n) for n in range(50)]
    with open_llm(
        "openai:gpt-4o", options(server, timeout=2.0, workers=16, attempts=15), store
    ) as llm:
        replies = llm.generate(asked)
        again = llm.generate(asked)
        spent = llm.spent()
    for request, reply in zip(asked, replies, strict=True):
        body = {"messages": [{"role": "user", "content": request.messages[0].content}]}
        right = faults.question(body)
        assert reply.fault or right in reply.answer.text
    known = {"", "refused", "truncated", "empty answer", "does not match the JSON schema"}
    assert {reply.fault for reply in replies} <= known
    assert sum(not reply.fault for reply in replies) > 40
    # On a busy machine a call may run out of its time before the server has counted it.
    assert 0 <= spent.calls - server.calls <= spent.unsettled
    paid = sum(reply.cost.prompt_tokens for reply in [*replies, *again] if not reply.cached)
    assert paid == spent.prompt_tokens
    assert [(r.cost, r.fault) for r in again] == [(r.cost, r.fault) for r in replies]
    assert all(reply.cached for reply in again)
    store.close()


def test_a_resumed_store_answers_without_a_call(serve, options, tmp_path):
    """What a run has paid for is found again, and its spending with it."""
    server = serve()
    path = tmp_path / "llm.sqlite"
    for _ in range(2):
        store = RunStore(path)
        with open_llm("openai:gpt-4o", options(server), store) as llm:
            assert not any(reply.fault for reply in llm.generate([ask(n) for n in range(5)]))
            spent = llm.spent()
        store.close()
        assert (spent.calls, spent.cached, server.calls) == (5, 0, 5)


def test_runs_share_a_cache_and_say_so(serve, options, tmp_path):
    """The second run pays nothing; its replies carry the cost as first paid."""
    server = serve()
    shared = options(server, cache=tmp_path / "shared.sqlite")
    with open_llm("openai:gpt-4o", shared) as llm:
        first = llm.generate([ask(n) for n in range(5)])
    with open_llm("openai:gpt-4o", shared) as llm:
        second = llm.generate([ask(n) for n in range(5)])
        spent = llm.spent()
    assert (spent.calls, spent.cached, spent.usd, server.calls) == (0, 5, 0.0, 5)
    assert [(r.answer, r.cost) for r in first] == [(r.answer, r.cost) for r in second]


@pytest.mark.slow
def test_another_model_or_server_shares_nothing(serve, options, tmp_path):
    """An answer belongs to the model and the server that gave it."""
    one, two = serve(), serve()
    cache = tmp_path / "shared.sqlite"
    for spec, server in (("openai:a", one), ("openai:b", one), ("openai:a", two)):
        with open_llm(spec, options(server, cache=cache)) as llm:
            llm.generate([ask(0)])
    assert (one.calls, two.calls) == (2, 1)


@pytest.mark.slow
def test_sixteen_threads_never_pass_a_budget_of_calls(serve, options):
    """The server itself has counted: forty calls and not one more, tries included."""
    server = serve(mix={"500": 0.2, "429": 0.1}, seed=1)
    store = RunStore()
    llm = open_llm("openai:tiny", options(server, workers=16, budget="40calls"), store)

    def work(start):
        try:
            for n in range(start, 1000, 16):
                llm.generate([ask(n)])
        except BudgetExhausted:
            return True

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(16)))
    assert server.calls == 40
    llm.close()
    store.close()


@pytest.mark.slow
def test_a_list_that_meets_the_budget_keeps_what_was_paid(serve, options, tmp_path):
    """The failure comes after the calls under way have reached the store."""
    server = serve()
    store = RunStore(tmp_path / "llm.sqlite")
    rows = [ask(n) for n in range(30)]
    with (
        open_llm("openai:tiny", options(server, workers=4, budget="10calls"), store) as llm,
        pytest.raises(BudgetExhausted),
    ):
        llm.generate(rows)
    with open_llm("openai:tiny", options(server, workers=4, budget="30calls"), store) as llm:
        assert not any(reply.fault for reply in llm.generate(rows))
    assert server.calls == 30
    assert set(server.questions.values()) == {1}
    store.close()


def test_no_more_calls_are_under_way_than_workers(serve, options):
    """Whether a list is spread or threads bring single requests."""
    busy, peak, calls = 0, 0, count()
    lock = threading.Lock()
    together = threading.Barrier(3, timeout=600)  # the first three calls wait for each other

    class Watching:
        def generate(self, requests):
            nonlocal busy, peak
            with lock:
                busy += 1
                peak = max(peak, busy)
                first = next(calls) < 3
            if first:
                together.wait()
            with lock:
                busy -= 1
            return list(requests)

    llm = Parallel(Watching(), 3)
    lists = [[ask(n) for n in numbers] for numbers in ([1], [1, 2, 3, 4], [2], [5, 6, 7])]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(llm.generate, lists * 4))
    llm.close()
    assert peak == 3


def test_a_reply_is_on_disk_before_the_next_call_begins(serve, options, tmp_path):
    """A kill at any moment loses as many answers as there are workers, and no more."""
    path = tmp_path / "llm.sqlite"
    store = RunStore(path)
    unkept = []

    def answer(_):
        with sqlite3.connect(path) as reader:
            kept = reader.execute("SELECT COUNT(*) FROM replies").fetchone()[0]
        reader.close()
        unkept.append(server.calls - kept)
        return json.dumps({"text": "fine"})

    server = serve(answer=answer)
    with open_llm("openai:tiny", options(server, workers=3), store) as llm:
        llm.generate([ask(n) for n in range(30)])
    store.close()
    assert max(unkept) <= 3


def test_a_single_request_stays_in_its_thread():
    """No hop through a pool for whoever has threads of their own."""

    class Where:
        def generate(self, _):
            return [threading.current_thread()]

    llm = Parallel(Where(), 4)
    found: list[threading.Thread] = []
    own = threading.Thread(target=lambda: found.extend(llm.generate([ask(0)])))
    own.start()
    own.join()
    assert found == [own]
    assert threading.current_thread() not in llm.generate([ask(0), ask(1)])
    assert threading.current_thread() not in llm.generate([ask(0)])  # a signal would break it off
    llm.close()


def test_prompts_that_begin_alike_are_sent_one_after_the_other():
    """A server finds them in its cache; the replies are in the order of the requests."""
    sent = []

    class Recording:
        def generate(self, requests):
            sent.extend(request.prompt for request in requests)
            return list(requests)

    requests = [ask(n, prompt=prompt) for n, prompt in enumerate(["b", "a", "b", "a"])]
    llm = Parallel(Recording(), 1)
    assert llm.generate(requests) == requests
    llm.close()
    assert sent == ["a", "a", "b", "b"]


def test_a_budget_in_money_needs_a_price(serve, options, tmp_path):
    """An unknown price is told before any call, with the way to give one."""
    server = serve()
    with pytest.raises(ConfigError, match="--set prices=FILE"):
        open_llm("openai:tiny", options(server, budget="2.00"))
    prices = tmp_path / "prices.yaml"
    prices.write_text("as_of: today\nmodels: {tiny: {input: 1, output: 1}}\n")
    with open_llm("openai:tiny", options(server, budget="2.00", prices=prices)) as llm:
        llm.generate([ask(0)])
        assert 0 < llm.spent().usd < 0.001


@pytest.mark.slow
def test_the_key_is_nowhere(serve, options, tmp_path, monkeypatch, caplog):
    """Neither an answer nor the stores, the log or any error holds it, though the server does."""
    caplog.set_level(logging.DEBUG)
    key = "sk-very-secret-key-12345"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    server = serve(answer=lambda _: json.dumps({"text": f"the key is {key}"}))
    store = RunStore(tmp_path / "llm.sqlite")
    cached = options(server, cache=tmp_path / "shared.sqlite")
    with open_llm("openai:tiny", cached, store) as llm:
        [reply] = llm.generate([ask(0)])
        assert key not in repr(llm)
    assert reply.answer == Rewording(text="the key is [key]")
    store.close()
    broken = serve(status=(500, {"error": {"message": f"bad {key}"}}))
    with open_llm("openai:tiny", options(broken, attempts=1)) as llm:
        assert key not in repr(llm.generate([ask(0)]))
    denied = serve(status=(401, {"error": {"message": f"no such key: {key}"}}))
    with (
        pytest.raises(BackendFailed) as raised,
        open_llm("openai:tiny", options(denied)) as llm,
    ):
        llm.generate([ask(0)])
    assert key not in str(raised.value) + caplog.text
    assert raised.value.__context__ is None
    for file in tmp_path.iterdir():
        assert key.encode() not in file.read_bytes()
    assert server.headers[0]["authorization"] == f"Bearer {key}"


@pytest.mark.parametrize(
    ("spec", "error"),
    [("opnai:x", UnknownName), ("openai:", ConfigError), ("scripted:/no/such/file", ConfigError)],
)
def test_a_wrong_name_is_an_error(spec, error):
    with pytest.raises(error):
        open_llm(spec, ConnectOptions(base_url="http://127.0.0.1:9/v1"))


def test_batch_size_tells_remote_from_local(serve, options, tmp_path):
    """One at a time for servers, lists for what runs here."""
    (tmp_path / "s.jsonl").write_text('{"match": "", "reply": "x"}\n')
    with open_llm("openai:tiny", options(serve())) as remote:
        assert remote.batch_size == 1
    with open_llm(f"scripted:{tmp_path / 's.jsonl'}") as local:
        assert local.batch_size > 1


def test_a_back_end_made_for_an_earlier_augkit_gets_a_sentence(monkeypatch):
    """It names the base that its class needs; one with that base has the defaults."""

    class Earlier:
        def generate(self, requests):
            return list(requests)

    class Today(Backend):
        model = identity = "own"

        def generate(self, requests):
            return [Reply(f"{len(requests)}", cost=FREE) for _ in requests]

    monkeypatch.setattr("augkit.llm.stack.registry.find", lambda *_: lambda *_: Earlier())
    with pytest.raises(ConfigError, match="Backend as its base"):
        open_llm("own:x")
    monkeypatch.setattr("augkit.llm.stack.registry.find", lambda *_: lambda *_: Today())
    with open_llm("own:x") as llm:
        assert [reply.text for reply in llm.generate([ask(0)])] == ["1"]
