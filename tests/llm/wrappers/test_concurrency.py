"""Calls in flight: more while that brings more, fewer when the server is overloaded."""

from __future__ import annotations

import heapq
import threading

import pytest

from augkit.core.model_types import Message, Reply, Request
from augkit.core.types import Cost
from augkit.llm.faults import failed
from augkit.llm.wrappers.concurrency import HOLD, START, ConcurrencyLimit, InFlight

TOKENS = 100


class Simulation:
    """A server with some slots, each of which takes a second for a call, on a clock of its own."""

    def __init__(self, slots, most, callers=1000):
        self.now = 0.0
        self.slots = [0.0] * slots
        self.limit = ConcurrencyLimit(most, clock=lambda: self.now)
        self.callers = callers
        self.ends = []
        self.seen = [self.limit.current]

    def run(self, calls, overloaded=lambda _: False):
        """Keep as many calls in flight as allowed, until so many have ended."""
        for _ in range(calls):
            while len(self.ends) < min(self.limit.current, self.callers):
                end = max(self.now, heapq.heappop(self.slots)) + 1.0
                heapq.heappush(self.slots, end)
                heapq.heappush(self.ends, end)
                self.limit.started(len(self.ends))
            self.now = heapq.heappop(self.ends)
            fault = "timeout" if overloaded(len(self.ends) + 1) else ""
            self.limit.finished(Reply("x", fault=fault, cost=Cost(1, TOKENS, 0)))
            if self.limit.current != self.seen[-1]:
                self.seen.append(self.limit.current)
        return self.limit.current


@pytest.mark.parametrize("most", [1, 2, 8, 64])
def test_a_server_that_scales_is_used_to_the_full(most):
    """From 8 calls in flight, doubled up to the most that is allowed."""
    simulation = Simulation(slots=256, most=most)
    assert simulation.run(1000) == most
    assert simulation.seen == [n for n in (START, 16, 32, 64) if n <= most] or [most]


def test_a_server_that_scales_is_soon_used_to_the_full():
    """600 calls, 32 at most at a time, take 1.2 times what they would take 32 at a time."""
    simulation = Simulation(slots=256, most=32)
    simulation.run(600)
    assert simulation.now == pytest.approx(1.2 * 600 / 32, rel=0.05)


def test_a_server_with_few_slots_is_not_flooded():
    """With 16 slots, 32 calls in flight bring nothing: they are tried at times, and left."""
    simulation = Simulation(slots=16, most=64)
    assert simulation.run(240) == 16
    assert simulation.seen == [START, 16, 32, 16]
    simulation.run(10 * HOLD * 32)
    assert set(simulation.seen) == {START, 16, 32}


def test_an_overload_halves_the_calls_in_flight():
    """A server that refuses more than five at a time is called with fewer, never none."""
    simulation = Simulation(slots=256, most=64)
    simulation.run(400, overloaded=lambda in_flight: in_flight > 5)
    assert max(simulation.seen) == START
    assert simulation.limit.current <= 4
    simulation.run(100, overloaded=lambda _: True)
    assert simulation.limit.current == 1


def test_without_enough_callers_nothing_changes():
    """A single thread says nothing about what the server could do."""
    assert Simulation(slots=256, most=64, callers=1).run(500) == START


class Server:
    """Counts the calls in flight; each waits until as many have come as the test lets in."""

    def __init__(self, reply, together):
        self.peak = self.busy = 0
        self._reply = reply
        self._lock = threading.Lock()
        self._together = threading.Barrier(together, timeout=600)

    def generate(self, requests):
        with self._lock:
            self.busy += 1
            self.peak = max(self.peak, self.busy)
        self._together.wait()
        with self._lock:
            self.busy -= 1
        return [self._reply for _ in requests]


def test_no_more_calls_are_in_flight_than_the_limit():
    """Sixteen threads, two at a time while the server refuses."""
    server = Server(Reply("x", cost=Cost(1, 5, 5)), together=2)
    limit = ConcurrencyLimit(2)
    llm = InFlight(server, limit)
    ask = [Request([Message("user", "x")])]
    threads = [threading.Thread(target=llm.generate, args=[ask]) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.peak == 2


@pytest.mark.parametrize(
    ("fault", "left"), [("rate limited", 4), ("timeout", 4), ("refused", START)]
)
def test_signs_of_overload_are_taken_from_the_replies(fault, left):
    """A refusal by the model is none."""
    limit = ConcurrencyLimit(8)
    llm = InFlight(Server(failed(fault), 1), limit)
    for _ in range(START + 1):  # the first eight may have been in flight before
        llm.generate([Request([Message("user", "x")])])
    assert limit.current == left


def test_an_error_frees_the_slot():
    """The next caller is not kept waiting for ever."""

    class Failing:
        def generate(self, _):
            raise RuntimeError

    llm = InFlight(Failing(), ConcurrencyLimit(1))
    for _ in range(3):
        with pytest.raises(RuntimeError):
            llm.generate([Request([Message("user", "x")])])


def test_threads_that_wait_are_woken_when_the_limit_grows():
    """Sixteen threads reach the sixteen calls in flight that the limit grows to, and all end."""
    server = Server(Reply("x", cost=Cost(1, 5, 5)), together=1)
    limit = ConcurrencyLimit(16)
    llm = InFlight(server, limit)
    ask = [Request([Message("user", "x")])]
    threads = [
        threading.Thread(target=lambda: [llm.generate(ask) for _ in range(50)]) for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=600)
    assert not any(thread.is_alive() for thread in threads)
