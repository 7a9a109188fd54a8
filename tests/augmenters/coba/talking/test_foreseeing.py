"""Important words of rows that are still to come."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from augkit.augmenters.coba.steps import Failed, Words
from augkit.augmenters.coba.talking.foreseeing import Foreseeing
from augkit.core.types import Example, example


class Counting:
    """Names each example's text as its principal word, and notes how many were asked together."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def identify(self, parents: Sequence[Example]) -> list[Words | Failed]:
        """The text itself."""
        self.batches.append(len(parents))
        return [Words(frozenset({parent.fields["text"]})) for parent in parents]


def word(text: str) -> Words:
    return Words(frozenset({text}))


def test_rows_that_were_foreseen_are_not_asked_again() -> None:
    """Threads get their own words, found in the one batch before; others are asked for then."""
    inner = Counting()
    identifier = Foreseeing(inner)
    rows = [example(str(n)) for n in range(20)]
    identifier.prefetch(rows)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda row: identifier.identify([row]), rows))
    assert found == [[word(str(n))] for n in range(20)]
    assert inner.batches == [20]
    assert identifier.identify([example("new"), rows[0]]) == [word("new"), word("0")]
    assert inner.batches == [20, 2]


def test_who_asks_while_a_batch_is_found_waits_for_it() -> None:
    """A thread that comes during the batch gets its words from there, not by asking again."""
    begun, may_go = Event(), Event()

    class Slow(Counting):
        def identify(self, parents: Sequence[Example]) -> list[Words | Failed]:
            """The text itself, once it may."""
            begun.set()
            may_go.wait(10)
            return super().identify(parents)

    inner = Slow()
    identifier = Foreseeing(inner)
    rows = [example("a"), example("b")]
    with ThreadPoolExecutor(2) as pool:
        pool.submit(identifier.prefetch, rows)
        begun.wait(10)
        asked = pool.submit(identifier.identify, rows[:1])
        may_go.set()
        assert asked.result(10) == [word("a")]
    assert inner.batches == [2]


def test_rows_that_nobody_asks_for_do_not_pile_up() -> None:
    """The oldest are forgotten."""
    identifier = Foreseeing(Counting())
    for start in range(0, 3000, 500):
        identifier.prefetch([example(str(n)) for n in range(start, start + 500)])
    assert len(identifier._known) == 1024


def test_known_and_new_rows_of_one_batch_keep_their_places() -> None:
    """What was foreseen stands between what was not."""
    identifier = Foreseeing(Counting())
    rows = [example(text) for text in "abcd"]
    identifier.prefetch(rows[1:3])
    assert identifier.identify(rows) == [word(text) for text in "abcd"]
