"""Questions of several threads, answered together."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from augkit.augmenters.coba.steps import Failed, Words
from augkit.augmenters.coba.talking.together import IdentifiedTogether
from augkit.data import Example, example


class Slow:
    """Names each example's text as its principal word; the first batch waits to be let go."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.may_go, self.works = Event(), Event()

    def identify(self, parents: Sequence[Example]) -> list[Words | Failed]:
        """The text itself."""
        self.batches.append(len(parents))
        self.works.set()
        self.may_go.wait(10)
        if any(parent.fields["text"] == "bad" for parent in parents):
            raise ValueError("bad row")
        return [Words(frozenset({parent.fields["text"]})) for parent in parents]


def test_every_thread_gets_its_own_answers_and_those_who_wait_share_a_batch() -> None:
    """Twenty threads that come while the first is being answered need one more batch or few."""
    slow = Slow()
    together = IdentifiedTogether(slow)
    with ThreadPoolExecutor(21) as pool:
        first = pool.submit(together.identify, [example("first")])
        slow.works.wait(10)
        others = [pool.submit(together.identify, [example(str(n))]) for n in range(20)]
        while len(together._waiting) < 20:  # until all of them wait
            pass
        slow.may_go.set()
        assert first.result() == [Words(frozenset({"first"}))]
        assert [o.result() for o in others] == [[Words(frozenset({str(n)}))] for n in range(20)]
    assert slow.batches == [1, 20]


def test_an_error_is_raised_in_every_thread_that_asked_and_the_next_is_answered() -> None:
    """A failure reaches the caller and does not stop later questions."""
    slow = Slow()
    slow.may_go.set()
    together = IdentifiedTogether(slow)
    with pytest.raises(ValueError, match="bad row"):
        together.identify([example("bad")])
    assert together.identify([example("good")]) == [Words(frozenset({"good"}))]
