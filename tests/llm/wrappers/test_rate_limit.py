"""Rates: in no minute more than agreed, measured on a clock that the test turns."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.model_types import Message, Reply, Request
from augkit.core.types import Cost
from augkit.llm.wrappers.rate_limit import RateLimited, TokenBucket


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self):
        self.now = 0.0
        self.slept = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@given(
    st.floats(1, 600),
    st.lists(st.tuples(st.floats(0, 30), st.integers(1, 5)), min_size=1, max_size=40),
)
def test_no_minute_holds_more_than_the_rate(per_minute, asked):
    """Whatever the arrivals, any 60 s hold at most the rate and the second's worth in store."""
    clock = Clock()
    bucket = TokenBucket(per_minute, clock)
    used = []
    for pause, amount in asked:
        clock.now += pause
        used.append((clock.now + bucket.take(amount), amount))
    holds = max(1.0, per_minute / 60)
    for start, _ in used:
        within = [amount for when, amount in used if start <= when < start + 60]
        # The last one taken may reach beyond what was there: it waits for its own share.
        assert sum(within[:-1]) <= per_minute + holds + max(within) + 1e-6


def test_an_even_flow_is_not_held_up():
    """Calls that come slower than the rate never wait."""
    clock = Clock()
    bucket = TokenBucket(60, clock)
    waits = []
    for _ in range(10):
        waits.append(bucket.take(1))
        clock.now += 1.0
    assert waits == [0.0] * 10


def test_a_burst_is_spread_out():
    """Of ten calls at once the n-th waits n times the interval."""
    bucket = TokenBucket(60, Clock())
    assert [bucket.take(1) for _ in range(4)] == pytest.approx([0.0, 1.0, 2.0, 3.0])


def test_threads_are_given_different_times():
    """Takers at the same moment are told distinct waits."""
    bucket = TokenBucket(6000, Clock())
    waits = []
    threads = [
        threading.Thread(target=lambda: waits.extend(bucket.take(1) for _ in range(100)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits)[-300:] == pytest.approx([0.01 * n for n in range(1, 301)])


class Fixed:
    """Every call uses a hundred tokens."""

    def generate(self, requests):
        return [Reply("x", cost=Cost(1, 60, 40)) for _ in requests]


def test_tokens_are_counted_as_used_not_as_guessed():
    """The guess (here 1000 a call) is corrected, so a minute holds 600 / 100 = 6 calls, not one."""
    clock = Clock()
    limited = RateLimited(Fixed(), tokens=TokenBucket(600, clock), sleep=clock.sleep)
    for _ in range(60):
        limited.generate([Request([Message("user", "")], max_tokens=1000)])
    # 60 calls of 100 tokens at 10 tokens a second take 600 s, give or take the guess of the last.
    assert 500 < clock.now < 700


def test_requests_and_tokens_hold_together():
    """The slower of the two limits decides."""
    clock = Clock()
    both = RateLimited(Fixed(), TokenBucket(6, clock), TokenBucket(1e6, clock), clock.sleep)
    for _ in range(3):
        both.generate([Request([Message("user", "")], max_tokens=1)])
    assert clock.now == pytest.approx(20.0)
