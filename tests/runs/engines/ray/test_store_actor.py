"""The store actor without Ray: claims, the budget, and what a killed worker leaves behind."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from augkit.core.errors import BudgetExhausted
from augkit.core.model_types import Message, Reply, Request
from augkit.core.types import Cost
from augkit.llm.reply_store import key_of
from augkit.llm.wrappers.budget import Limit
from augkit.runs.engines.ray import store_client
from augkit.runs.engines.ray.store_actor import StoreActor

ASK = Request((Message("user", "How are you?"),))
KEY = key_of("m", ASK)
CALL = Cost(1, 10, 10)


@pytest.fixture
def actor(tmp_path):
    """A store actor in this process."""
    return StoreActor(str(tmp_path / "llm.sqlite"))


def test_a_request_of_another_worker_is_waited_for(actor):
    """The second worker gets the first one's reply and makes no call."""

    async def story():
        assert await actor.find(1, "", KEY, claim=True) is None
        second = asyncio.create_task(actor.find(2, "", KEY, claim=True))
        await asyncio.sleep(0)
        assert not second.done()
        await actor.put("", KEY, ASK, Reply("Fine.", cost=CALL))
        return await second

    assert asyncio.run(story()).text == "Fine."


@pytest.mark.parametrize("end", ["release", "give_up"])
def test_a_request_without_a_reply_passes_to_the_next_worker(actor, end):
    """Where the first worker got none, or was killed, the second asks."""

    async def story():
        await actor.find(1, "", KEY, claim=True)
        second = asyncio.create_task(actor.find(2, "", KEY, claim=True))
        await asyncio.sleep(0)
        await (actor.release("", KEY) if end == "release" else actor.give_up(1))
        return await second

    assert asyncio.run(story()) is None


def test_shared_replies_are_kept_apart(actor, tmp_path):
    """A reply of the shared file is not the run's until it is put there."""

    async def story():
        cache = str(tmp_path / "shared.sqlite")
        await actor.put(cache, KEY, ASK, Reply("Fine.", cost=CALL))
        return [await actor.find(1, where, KEY, claim=True) for where in ("", cache)]

    assert [reply and reply.text for reply in asyncio.run(story())] == [None, "Fine."]


def reserved(actor, worker, limit=None):
    """A call of a worker, entered at its maximum."""
    return actor.reserve(worker, "m", [CALL], (limit, True))


def test_a_call_beyond_the_limit_is_refused(actor):
    """The budget is that of all workers together."""
    limit = Limit(2, "calls")

    async def story():
        for worker in (1, 2):
            [entry] = await reserved(actor, worker, limit)
            await actor.settle(worker, entry, CALL)
        with pytest.raises(BudgetExhausted, match="2 calls spent"):
            await reserved(actor, 1, limit)

    asyncio.run(story())


def test_a_call_beyond_the_limit_waits_for_calls_in_flight(actor):
    """A call that cost less than its maximum makes room for the worker that waited."""
    limit = Limit(30, "tokens")

    async def story():
        [first] = await reserved(actor, 1, limit)
        waiting = asyncio.create_task(reserved(actor, 2, limit))
        await asyncio.sleep(0)
        assert not waiting.done()
        await actor.settle(1, first, Cost(1, 5, 5))
        await waiting
        return await actor.spent()

    spent = asyncio.run(story())
    assert (spent.calls, spent.unsettled) == (2, 1)


def test_a_killed_workers_calls_count_at_their_maximum(actor):
    """They may have been made; other workers do not wait for them."""
    limit = Limit(1, "calls")

    async def story():
        await reserved(actor, 1, limit)
        waiting = asyncio.create_task(reserved(actor, 2, limit))
        await asyncio.sleep(0)
        await actor.give_up(1)
        with pytest.raises(BudgetExhausted):
            await waiting
        return await actor.spent()

    assert asyncio.run(story()).unsettled == 1


def test_a_restarted_actor_continues(actor, tmp_path):
    """Calls entered before are settled by the next actor, and its total is right."""

    async def story():
        [entry] = await reserved(actor, 1)
        another = StoreActor(str(tmp_path / "llm.sqlite"))
        await another.settle(1, entry, Cost(1, 3, 4))
        left = await reserved(another, 1, Limit(27, "tokens"))
        return left, await another.spent()

    left, spent = asyncio.run(story())
    assert len(left) == 1
    assert (spent.prompt_tokens, spent.completion_tokens) == (3, 4)


class Remote:
    """Stands for an actor's method: remote calls are made at once."""

    def __init__(self, function):
        self.remote = lambda *values: asyncio.run(function(*values))


def test_a_worker_uses_the_spending_and_the_rates_of_the_run(actor, monkeypatch):
    """Two workers share one budget and one rate limit."""
    monkeypatch.setattr(store_client, "result_of", lambda result, _: result)
    names = ("reserve", "settle", "take", "spent")
    remote = SimpleNamespace(**{name: Remote(getattr(actor, name)) for name in names})
    clients = [store_client.StoreClient(remote, worker) for worker in (1, 2)]
    for client in clients:
        [entry] = client.spending.reserve("m", [CALL], None)
        client.spending.settle(entry, Cost(1, 3, 4))
    assert clients[0].spent().calls == 2
    waits = [client.rate_limit("requests", 60).take(1) for client in clients]
    assert waits[0] == 0
    assert waits[1] == pytest.approx(1, abs=0.1)
