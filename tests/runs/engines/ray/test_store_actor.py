"""The store actor without Ray: claims, leases, and what a killed worker leaves behind."""

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


@pytest.mark.parametrize("end", ["release", "connect"])
def test_a_request_without_a_reply_passes_to_the_next_worker(actor, end):
    """Where the first worker got none, or was killed, the second asks."""

    async def story():
        await actor.find(1, "", KEY, claim=True)
        second = asyncio.create_task(actor.find(2, "", KEY, claim=True))
        await asyncio.sleep(0)
        await (actor.release("", KEY) if end == "release" else actor.connect(1))
        return await second

    assert asyncio.run(story()) is None


def test_shared_replies_are_kept_apart(actor, tmp_path):
    """A reply of the shared file is not the run's until it is put there."""

    async def story():
        cache = str(tmp_path / "shared.sqlite")
        await actor.put(cache, KEY, ASK, Reply("Fine.", cost=CALL))
        return [await actor.find(1, where, KEY, claim=True) for where in ("", cache)]

    assert [reply and reply.text for reply in asyncio.run(story())] == [None, "Fine."]


def test_near_the_limit_there_are_no_spare_calls(actor):
    """A block is leased while it fits, then single calls, then none."""
    terms = (Limit(4, "calls"), True, 2)

    async def story():
        first = await actor.lease(1, "m", [CALL], terms)
        second = await actor.lease(2, "m", [CALL], terms)
        await actor.settle(1, first, CALL)
        await actor.settle(2, second, CALL)
        with pytest.raises(BudgetExhausted, match="4 calls spent"):
            await actor.lease(1, "m", [CALL], terms)
        return len(first), len(second)

    assert asyncio.run(story()) == (3, 1)


def test_a_lease_beyond_the_limit_waits_for_calls_in_flight(actor):
    """Unused calls go back and serve the worker that waited."""
    terms = (Limit(3, "calls"), True, 2)

    async def story():
        first = await actor.lease(1, "m", [CALL], terms)
        waiting = asyncio.create_task(actor.lease(2, "m", [CALL], terms))
        await asyncio.sleep(0)
        assert not waiting.done()
        await actor.settle(1, first[:1], CALL)
        await actor.settle(1, first[1:], Cost())
        await waiting
        return await actor.spent()

    spent = asyncio.run(story())
    assert (spent.calls, spent.unsettled) == (2, 1)


def test_a_killed_workers_calls_count_at_their_maximum(actor):
    """They may have been made; other workers do not wait for them."""
    terms = (Limit(3, "calls"), True, 2)

    async def story():
        await actor.lease(1, "m", [CALL], terms)
        waiting = asyncio.create_task(actor.lease(2, "m", [CALL], terms))
        await asyncio.sleep(0)
        await actor.connect(1)
        with pytest.raises(BudgetExhausted):
            await waiting
        return await actor.spent()

    assert asyncio.run(story()).unsettled == 3


def test_a_restarted_actor_continues(actor, tmp_path):
    """Calls entered before are settled by the next actor, and its total is right."""

    async def story():
        entries = await actor.lease(1, "m", [CALL], (None, True, 1))
        another = StoreActor(str(tmp_path / "llm.sqlite"))
        await another.settle(1, entries[:1], Cost(1, 3, 4))
        await another.settle(1, entries[1:], Cost())
        limit = Limit(27, "tokens")
        left = await another.lease(1, "m", [CALL], (limit, True, 0))
        return left, await another.spent()

    left, spent = asyncio.run(story())
    assert len(left) == 1
    assert (spent.prompt_tokens, spent.completion_tokens) == (3, 4)


class Remote:
    """Stands for an actor's method: remote calls are made at once."""

    def __init__(self, function):
        self.remote = function


def test_a_block_of_calls_is_leased_once(monkeypatch):
    """Four calls, one lease; what is left is returned as unspent."""
    monkeypatch.setattr(store_client, "result_of", lambda value: value)
    leases, settled = [], []

    def lease(_worker, _model, max_costs, terms):
        leases.append((len(max_costs), terms))
        return list(range(len(leases) * 10, len(leases) * 10 + len(max_costs) + terms[2]))

    def settle(_worker, entries, cost):
        settled.extend((entry, cost) for entry in entries)

    spending = store_client.LeasedSpending(
        SimpleNamespace(lease=Remote(lease), settle=Remote(settle)), 1, 4
    )
    used = [spending.reserve("m", [CALL], None)[0] for _ in range(3)]
    assert len(leases) == 1
    larger = spending.reserve("m", [Cost(1, 11, 10)], None)
    assert len(leases) == 2
    spending.return_unused()
    assert {*used, *larger} | {entry for entry, _ in settled} == {*range(10, 14), *range(20, 24)}
    assert {cost for _, cost in settled} == {Cost()}


def test_a_rate_is_taken_in_blocks_that_lapse():
    """Ten a block: nine more wait as long as the first; a second later the rest is gone."""
    now, taken = [0.0], []

    def take(amount):
        taken.append(amount)
        return 0.5

    rate = store_client.LeasedRateLimit(take, 10.0, lambda: now[0])
    assert [rate.take(1) for _ in range(10)] == [0.5] * 10
    assert taken == [10.0]
    now[0] = 1.0
    assert rate.take(1) == 0.5
    now[0] = 3.0
    rate.take(1)
    assert taken == [10.0, 10.0, 10.0]
    rate.take(-2)
    assert taken[-1] == -2
