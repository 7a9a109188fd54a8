"""Retries: passing faults are asked again, with waits that grow and that servers may set."""

from __future__ import annotations

import pytest

from augkit.core.model_types import Message, Reply, Request
from augkit.core.types import Cost
from augkit.llm.faults import failed
from augkit.llm.wrappers.retry import LONGEST_PAUSE, Retrying, RetryPolicy

OK = Reply("fine", cost=Cost(1, 10, 2, 0.5))
BAD = Reply("{", fault="does not match the JSON schema", transient=True, cost=Cost(1, 10, 1, 0.25))
BUSY = failed("rate limited")


class Playing:
    """Answers a request with the next reply of the list that bears its text."""

    def __init__(self, **lists):
        self.lists = {name: list(replies) for name, replies in lists.items()}
        self.calls = []

    def generate(self, requests):
        names = [request.messages[0].content for request in requests]
        self.calls.append(names)
        return [self.lists[name].pop(0) for name in names]


class Recording:
    """Answers with these replies, and keeps the requests."""

    def __init__(self, replies):
        self.replies = list(replies)
        self.requests = []

    def generate(self, requests):
        self.requests += requests
        return [self.replies.pop(0) for _ in requests]


def retried(waits=None, attempts=5, uniform=lambda: 1.0, **lists):
    inner = Playing(**lists)
    waits = waits if waits is not None else []
    retrying = Retrying(inner, RetryPolicy(attempts, 0.5, 20.0, waits.append, uniform))
    replies = retrying.generate([Request([Message("user", name)]) for name in lists])
    return replies, inner.calls


def test_a_passing_fault_is_asked_again():
    """The answer of a later try is the reply."""
    [reply], calls = retried(a=[BUSY, failed("timeout"), OK])
    assert reply == OK
    assert len(calls) == 3


def test_it_gives_up_after_so_many_tries():
    """The last fault is the reply."""
    [reply], calls = retried(a=[BUSY] * 9, attempts=4)
    assert (reply.fault, len(calls)) == ("rate limited", 4)


def test_a_lasting_fault_is_not_asked_again():
    """A refusal stays a refusal."""
    _, calls = retried(a=[Reply(fault="refused"), OK])
    assert len(calls) == 1


def test_a_bad_answer_is_asked_again_once():
    """The second bad answer is believed, and both were paid for; there is no wait."""
    waits = []
    [reply], calls = retried(waits, a=[BAD, BAD, OK])
    assert (reply.fault, len(calls), waits) == ("does not match the JSON schema", 2, [])
    assert reply.cost == BAD.cost + BAD.cost


def test_the_cost_is_that_of_all_tries():
    """A wrong answer before the right one was paid for too."""
    [reply], _ = retried(a=[BUSY, BAD, OK])
    assert reply.text == "fine"
    assert reply.cost == Cost(2, 20, 3, 0.75)


def test_waits_double_up_to_the_cap():
    """With the largest uniform, the waits are the bounds themselves: base · 2ⁿ, then the cap."""
    waits = []
    retried(waits, attempts=8, a=[BUSY] * 8)
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 20.0]


def test_waits_are_drawn_from_the_whole_range():
    """Full jitter: the smallest uniform does not wait at all."""
    waits = []
    retried(waits, uniform=lambda: 0.0, a=[BUSY, OK])
    assert waits == []


def test_a_server_is_waited_for_as_long_as_it_asks():
    """Retry-After is the least wait."""
    waits = []
    retried(waits, uniform=lambda: 0.0, a=[failed("rate limited", retry_after=3.0), OK])
    assert waits == [3.0]


@pytest.mark.parametrize(("asked", "tries"), [(LONGEST_PAUSE, 2), (LONGEST_PAUSE + 1, 1)])
def test_a_very_long_pause_is_a_fault_and_not_a_hang(asked, tries):
    """Nobody waits an hour for one row."""
    waits = []
    _, calls = retried(waits, a=[failed("rate limited", retry_after=asked), OK])
    assert len(calls) == tries


def test_a_retry_shows_the_model_its_answer_and_the_error():
    """Once; a fault of the transport is asked again unchanged."""
    wrong = Reply("{", fault="does not match the JSON schema", detail="no text", transient=True)
    inner = Recording([BUSY, wrong, OK])
    Retrying(inner, RetryPolicy(sleep=lambda _: None)).generate([Request([Message("user", "a")])])
    first, second, third = (request.messages for request in inner.requests)
    assert first == second
    assert [message.role for message in third] == ["user", "assistant", "user"]
    assert third[1].content == "{"
    assert "no text" in third[2].content


def test_only_what_failed_is_asked_again():
    """In a list the good replies stay, in their places."""
    replies, calls = retried(a=[OK], b=[BUSY, OK], c=[Reply(fault="refused")])
    assert [reply.fault for reply in replies] == ["", "", "refused"]
    assert calls == [["a", "b", "c"], ["b"]]
