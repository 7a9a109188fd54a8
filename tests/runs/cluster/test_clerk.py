"""The clerk's promises, without a Ray: claims, leases, and what a killed worker leaves behind."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from augkit.core.errors import BudgetExhausted
from augkit.core.model_types import Message, Reply, Request
from augkit.core.types import Cost
from augkit.llm.reply_store import key_of
from augkit.llm.wrappers.spending import Limit
from augkit.runs.engines.ray import store_client
from augkit.runs.engines.ray.store_actor import Clerk

ASK = Request((Message("user", "How are you?"),))
KEY = key_of("m", ASK)
CALL = Cost(1, 10, 10)


@pytest.fixture
def clerk(tmp_path):
    """A clerk in this process."""
    return Clerk(str(tmp_path / "llm.sqlite"))


def test_a_question_that_another_worker_asks_is_waited_for(clerk):
    """The second worker gets the first one's answer and asks nobody."""

    async def story():
        assert await clerk.find(1, "", KEY, claim=True) is None
        second = asyncio.create_task(clerk.find(2, "", KEY, claim=True))
        await asyncio.sleep(0)
        assert not second.done()
        await clerk.keep("", KEY, ASK, Reply("Fine.", cost=CALL))
        return await second

    assert asyncio.run(story()).text == "Fine."


@pytest.mark.parametrize("end", ["release", "arrive"])
def test_a_question_without_an_answer_is_anothers_to_ask(clerk, end):
    """Where the first worker got none, or was killed, the second is told to ask."""

    async def story():
        await clerk.find(1, "", KEY, claim=True)
        second = asyncio.create_task(clerk.find(2, "", KEY, claim=True))
        await asyncio.sleep(0)
        await (clerk.release("", KEY) if end == "release" else clerk.arrive(1))
        return await second

    assert asyncio.run(story()) is None


def test_shared_answers_are_on_a_shelf_of_their_own(clerk, tmp_path):
    """An answer of the shared file is not the run's until it is kept there."""

    async def story():
        shelf = str(tmp_path / "shared.sqlite")
        await clerk.keep(shelf, KEY, ASK, Reply("Fine.", cost=CALL))
        return [await clerk.find(1, where, KEY, claim=True) for where in ("", shelf)]

    assert [reply and reply.text for reply in asyncio.run(story())] == [None, "Fine."]


def test_near_the_limit_there_are_no_spare_calls(clerk):
    """A block is leased while it fits; then single calls; then it is over."""
    terms = (Limit(4, "calls"), True, 2)

    async def story():
        first = await clerk.lease(1, "m", [CALL], terms)
        second = await clerk.lease(2, "m", [CALL], terms)
        await clerk.settle(1, first, CALL)
        await clerk.settle(2, second, CALL)
        with pytest.raises(BudgetExhausted, match="4 calls spent"):
            await clerk.lease(1, "m", [CALL], terms)
        return len(first), len(second)

    assert asyncio.run(story()) == (3, 1)


def test_a_lease_beyond_the_limit_waits_for_what_may_come_back(clerk):
    """Unused calls go back and serve the worker that waited."""
    terms = (Limit(3, "calls"), True, 2)

    async def story():
        first = await clerk.lease(1, "m", [CALL], terms)
        waiting = asyncio.create_task(clerk.lease(2, "m", [CALL], terms))
        await asyncio.sleep(0)
        assert not waiting.done()
        await clerk.settle(1, first[:1], CALL)
        await clerk.settle(1, first[1:], Cost())
        await waiting
        return await clerk.spent()

    spent = asyncio.run(story())
    assert (spent.calls, spent.unsettled) == (2, 1)


def test_a_killed_workers_calls_count_at_their_most(clerk):
    """Nobody knows whether they were made; nobody waits for them either."""
    terms = (Limit(3, "calls"), True, 2)

    async def story():
        await clerk.lease(1, "m", [CALL], terms)
        waiting = asyncio.create_task(clerk.lease(2, "m", [CALL], terms))
        await asyncio.sleep(0)
        await clerk.arrive(1)
        with pytest.raises(BudgetExhausted):
            await waiting
        return await clerk.spent()

    assert asyncio.run(story()).unsettled == 3


def test_a_clerk_that_was_killed_goes_on_where_it_was(clerk, tmp_path):
    """Calls entered before are settled by the next clerk, and its sum is right."""

    async def story():
        entries = await clerk.lease(1, "m", [CALL], (None, True, 1))
        another = Clerk(str(tmp_path / "llm.sqlite"))
        await another.settle(1, entries[:1], Cost(1, 3, 4))
        await another.settle(1, entries[1:], Cost())
        limit = Limit(27, "tokens")
        left = await another.lease(1, "m", [CALL], (limit, True, 0))
        return left, await another.spent()

    left, spent = asyncio.run(story())
    assert len(left) == 1
    assert (spent.prompt_tokens, spent.completion_tokens) == (3, 4)


class Answered:
    """Stands for an actor's method: remote calls are made at once."""

    def __init__(self, function):
        self.remote = function


def test_a_block_of_calls_is_asked_for_once(monkeypatch):
    """Four calls, one lease; what is left goes back as nothing spent."""
    monkeypatch.setattr(store_client, "answer", lambda value: value)
    leases, settled = [], []

    def lease(_seat, _model, most, terms):
        leases.append((len(most), terms))
        return list(range(len(leases) * 10, len(leases) * 10 + len(most) + terms[2]))

    def settle(_seat, entries, cost):
        settled.extend((entry, cost) for entry in entries)

    spending = store_client.LeasedSpending(SimpleNamespace(lease=Answered(lease), settle=Answered(settle)), 1, 4)
    used = [spending.reserve("m", [CALL], None)[0] for _ in range(3)]
    assert len(leases) == 1
    larger = spending.reserve("m", [Cost(1, 11, 10)], None)
    assert len(leases) == 2
    spending.give_back()
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
