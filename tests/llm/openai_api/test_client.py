"""Time-outs: by the length of the answer and the speed that the server has shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from augkit.core.types import Cost
from augkit.llm.openai_api.client import FIRST_SECONDS, LEAST_SECONDS, MOST_SECONDS, CallTimes


def test_the_first_call_may_take_long():
    """Nothing is known of the server, which may still load its model."""
    times = CallTimes()
    assert times.limit(100, 10) == FIRST_SECONDS
    assert times.limit(100, 2000) > 1000


def test_a_fast_server_is_given_up_sooner_and_a_slow_one_later():
    """At 100 tokens a second a minute is enough; at one token a second it is not."""
    fast, slow = CallTimes(), CallTimes()
    fast.answered(1.0, Cost(1, 80, 100))
    slow.answered(120.0, Cost(1, 80, 100))
    assert fast.limit(80, 500) == LEAST_SECONDS
    assert slow.limit(80, 500) > 500


def test_a_longer_answer_has_more_time():
    """In proportion, beyond the least."""
    times = CallTimes()
    times.answered(60.0, Cost(1, 800, 100))
    assert times.limit(800, 100) == 300
    assert times.limit(800, 2 * 100 + 116) == 600


def test_a_call_that_was_given_up_gives_the_next_one_more_time():
    """Twice as much each time, whether the server has ever answered or not, up to an hour."""
    times, never = CallTimes(), CallTimes()
    times.answered(60.0, Cost(1, 800, 100))
    for each in (times, never):
        before = each.limit(800, 500)
        each.timed_out()
        assert each.limit(800, 500) == 2 * before
    for _ in range(100):
        never.timed_out()
    assert never.limit(100, 10) == MOST_SECONDS


def test_a_slow_call_is_forgotten_after_faster_ones():
    """One call that waited in a queue does not set the limit for good."""
    times = CallTimes()
    times.answered(600.0, Cost(1, 0 + 8, 100))
    for _ in range(50):
        times.answered(2.0, Cost(1, 8, 100))
    assert times.limit(8, 100) == LEAST_SECONDS


def test_a_fixed_limit_is_kept():
    """Whatever the server does."""
    times = CallTimes(30.0)
    times.answered(600.0, Cost(1, 8, 100))
    times.timed_out()
    assert times.limit(10_000, 4096) == 30.0


@given(st.lists(st.floats(0, 1e6)), st.integers(0, 10**6), st.integers(1, 10**5))
def test_every_limit_is_a_sensible_one(taken, prompt, answer):
    """However long calls have taken."""
    times = CallTimes()
    for seconds in taken:
        times.answered(seconds, Cost(1, 100, 10))
    assert LEAST_SECONDS <= times.limit(prompt, answer) <= MOST_SECONDS
