"""Budgets: the limit is never passed, by however many threads, kills and resumes."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from augkit.core.errors import BackendFailed, BudgetExhausted, ConfigError
from augkit.core.model_types import Message, Reply, Request
from augkit.core.protocols import Backend
from augkit.core.types import Cost
from augkit.llm.faults import failed
from augkit.llm.prices import Price
from augkit.llm.stack import RunStore
from augkit.llm.structured_output import with_schema
from augkit.llm.wrappers.budget import Budget, Budgeted, Limit, max_cost, parse_budget
from augkit.llm.wrappers.cache import Cached

ASK = Request([Message("user", "Fine.")], max_tokens=100)
PRICE = Price(input=1.0, output=2.0)


class Rewording(BaseModel):
    text: str


class Answering(Backend):
    """Answers with given replies, or with one and the same; counts what is under way."""

    def __init__(self, reply=None, wait=0.0):
        self.reply = reply or Reply("ok", cost=Cost(1, 5, 10))
        self.calls = 0
        self._lock = threading.Lock()
        self._wait = wait

    def generate(self, requests):
        with self._lock:
            self.calls += len(requests)
        time.sleep(self._wait)
        return [self.reply for _ in requests]


def budgeted(inner, store, limit=None, price=PRICE):
    parsed = parse_budget(limit) if limit else None
    return Budgeted(inner, Budget(store.spending, "m", price, parsed))


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("2.00", Limit(2.0, "usd")),
        ("2usd", Limit(2.0, "usd")),
        ("$2", Limit(2.0, "usd")),
        ("500calls", Limit(500, "calls")),
        ("1 call", Limit(1, "calls")),
        ("100000tokens", Limit(100_000, "tokens")),
        ("0", Limit(0, "usd")),
    ],
)
def test_budgets_are_read_as_people_write_them(text, limit):
    """A bare number is money; units may be singular or apart."""
    assert parse_budget(text) == limit


@pytest.mark.parametrize(
    ("limit", "shown"),
    [(Limit(1, "calls"), "1 call"), (Limit(0, "calls"), "0 calls"), (Limit(2.5, "usd"), "2.5 usd")],
)
def test_a_limit_is_shown_with_the_right_plural(limit, shown):
    """One call, no calls."""
    assert str(limit) == shown


@pytest.mark.parametrize("text", ["", "lots", "-1", "2 euros", "1e3", "calls", "nan"])
def test_what_is_no_budget_is_refused(text):
    """The error shows the forms there are."""
    with pytest.raises(ConfigError, match="500calls"):
        parse_budget(text)


@given(st.text(), st.integers(1, 1000))
def test_the_most_is_at_least_the_bytes_that_are_sent(text, max_tokens):
    """Also in the form that repeats the schema in the prompt."""
    request = Request([Message("user", text)], answer=Rewording, max_tokens=max_tokens)
    sent = "".join(message.content for message in with_schema(request, "prompt"))
    assert max_cost(request).prompt_tokens >= len(sent.encode("utf-8", "surrogatepass"))
    assert max_cost(request).completion_tokens == max_tokens


def test_replies_leave_with_their_price():
    """Five tokens in at 1, ten out at 2 dollars a million."""
    [reply] = budgeted(Answering(), RunStore()).generate([ASK])
    assert reply.cost == Cost(1, 5, 10, 25e-6)


def test_a_call_that_could_pass_the_limit_is_not_made():
    """The message says what was spent, the limit, and how to go on."""
    inner, store = Answering(), RunStore()
    llm = budgeted(inner, store, "3calls")
    for _ in range(3):
        llm.generate([ASK])
    with pytest.raises(BudgetExhausted, match=r"3 calls: 3 calls spent.*a higher --budget"):
        llm.generate([ASK])
    assert inner.calls == 3
    store.close()


@pytest.mark.parametrize("limit", ["23calls", "900tokens", "0.0009usd"])
def test_threads_do_not_pass_the_limit_together(limit):
    """Sixteen threads; when they stop, another call could have passed the limit, and none has."""
    inner, store = Answering(wait=0.002), RunStore()
    llm = budgeted(inner, store, limit)

    def work(_):
        try:
            while True:
                llm.generate([ASK])
        except BudgetExhausted:
            return True

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(16)))
    read = parse_budget(limit)
    spent = store.spending.spent()
    total = read.share(Cost(spent.calls, spent.prompt_tokens, spent.completion_tokens, spent.usd))
    # Nothing was under way at the end, so the limit was used as far as one more call allows.
    reserve = max_cost(ASK)
    reserve = read.share(
        Cost(1, reserve.prompt_tokens, reserve.completion_tokens, PRICE.usd(reserve))
    )
    assert read.amount - reserve < total <= read.amount
    assert spent.calls == inner.calls
    store.close()


def test_a_call_of_unknown_usage_counts_at_its_most():
    """A timeout may have been paid for; a refused connection was not."""
    store = RunStore()
    budgeted(Answering(failed("timeout")), store).generate([ASK])
    budgeted(Answering(failed("rate limited")), store).generate([ASK])
    spent = store.spending.spent()
    assert (spent.calls, spent.prompt_tokens, spent.unsettled) == (2, 0, 1)
    limit = parse_budget(f"{max_cost(ASK).prompt_tokens + max_cost(ASK).completion_tokens}tokens")
    with pytest.raises(BudgetExhausted):
        store.spending.reserve("m", [Cost(1, 1, 0)], limit)
    store.close()


DYING = """
import os, sys
from pathlib import Path
from augkit.core.model_types import Message, Reply, Request
from augkit.core.protocols import Backend
from augkit.core.types import Cost
from augkit.llm.wrappers.budget import Budget, Budgeted
from augkit.llm.stack import RunStore

class Answering(Backend):
    left = 2
    def generate(self, requests):
        self.left -= 1
        if self.left < 0:
            os._exit(9)
        return [Reply("ok", cost=Cost(1, 5, 10))]

llm = Budgeted(Answering(), Budget(RunStore(Path(sys.argv[1])).spending, "m", None, None))
for _ in range(3):
    llm.generate([Request([Message("user", "Fine.")], max_tokens=100)])
"""


@pytest.mark.slow
def test_what_was_in_flight_at_a_kill_is_counted_after_the_resume(tmp_path):
    """A child process dies in the middle of its third call; the resumed run counts all three."""
    path = tmp_path / "llm.sqlite"
    assert subprocess.run([sys.executable, "-c", DYING, str(path)], check=False).returncode == 9
    store = RunStore(path)
    spent = store.spent()
    assert (spent.calls, spent.completion_tokens, spent.unsettled) == (3, 20, 1)
    with pytest.raises(BudgetExhausted):
        budgeted(Answering(), store, "3calls").generate([ASK])
    budgeted(Answering(), store, "4calls").generate([ASK])
    store.close()


def test_a_failure_of_the_back_end_keeps_the_reservation():
    """What was under way when the run ended may have been paid for."""

    class Failing(Backend):
        def generate(self, _):
            raise BackendFailed("gone")

    store = RunStore()
    with pytest.raises(BackendFailed):
        budgeted(Failing(), store).generate([ASK])
    assert store.spent().unsettled == 1
    store.close()


def test_money_is_unknown_where_a_price_is():
    """One model without a price makes the sum unknown, and says so by None."""
    store = RunStore()
    budgeted(Answering(), store).generate([ASK])
    assert store.spent().usd == pytest.approx(25e-6)
    (reply,) = budgeted(Answering(), store, price=None).generate([ASK])
    spent = store.spent()
    assert (reply.cost.usd, spent.usd, spent.unpriced) == (None, None, {"m": 1})
    assert spent.priced_usd == pytest.approx(25e-6)
    assert (reply.cost + Cost(usd=0.5)).usd is None
    store.close()


def test_an_unknown_cost_stays_unknown_in_a_record():
    """A recorded reply of a model without a price does not come back as free."""
    store = RunStore()
    llm = Cached(budgeted(Answering(), store, price=None), store.replies, "m")
    assert [llm.generate([ASK])[0].cost.usd for _ in range(2)] == [None, None]
    store.close()


def test_model_and_judge_have_one_budget():
    """Whoever calls, the run's limit is the same."""
    store = RunStore()
    model, judge = (budgeted(Answering(), store, "4calls") for _ in range(2))
    draw = random.Random(0)
    for _ in range(4):
        draw.choice([model, judge]).generate([ASK])
    for llm in (model, judge):
        with pytest.raises(BudgetExhausted):
            llm.generate([ASK])
    store.close()
