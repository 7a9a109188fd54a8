"""Principal and spurious words: prefetched, found by a finder, named by a model."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

from augkit.augmenters.coba.identify import (
    FinderIdentifier,
    GivenWords,
    PrefetchingIdentifier,
    Words,
    WordsAnswer,
    read_words,
)
from augkit.core.model_types import Reply
from augkit.core.protocols import Target
from augkit.core.types import Cost, Example, Variant, example


class Counting:
    """Names each example's text as its principal word, and notes how many were asked together."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        self.batches.append(len(parents))
        return [Words(frozenset({parent.fields["text"]})) for parent in parents]


def word(text: str) -> Words:
    return Words(frozenset({text}))


def test_prefetched_rows_are_not_identified_again() -> None:
    """Threads get their own words, found in the one batch before; others are asked for then."""
    inner = Counting()
    identifier = PrefetchingIdentifier(inner)
    rows = [example(str(n)) for n in range(20)]
    identifier.prefetch(rows)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda row: identifier.identify([row]), rows))
    assert found == [[word(str(n))] for n in range(20)]
    assert inner.batches == [20]
    assert identifier.identify([example("new"), rows[0]]) == [word("new"), word("0")]
    assert inner.batches == [20, 2]


def test_a_thread_that_asks_during_a_batch_waits_for_it() -> None:
    """A thread that comes during the batch gets its words from there, not by asking again."""
    begun, may_go = Event(), Event()

    class Slow(Counting):
        def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
            begun.set()
            may_go.wait(600)
            return super().identify(parents)

    inner = Slow()
    identifier = PrefetchingIdentifier(inner)
    rows = [example("a"), example("b")]
    with ThreadPoolExecutor(2) as pool:
        pool.submit(identifier.prefetch, rows)
        begun.wait(600)
        asked = pool.submit(identifier.identify, rows[:1])
        may_go.set()
        assert asked.result(600) == [word("a")]
    assert inner.batches == [2]


def test_unused_rows_do_not_pile_up() -> None:
    identifier = PrefetchingIdentifier(Counting())
    for start in range(0, 3000, 500):
        identifier.prefetch([example(str(n)) for n in range(start, start + 500)])
    assert len(identifier._prefetched) == 1024


class FoundWords:
    """A finder whose targets are the given words, wherever they occur."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def find(self, examples: Sequence[Example]) -> list[list[Target]]:
        return [
            [
                Target(field, text.index(word), text.index(word) + len(word), "token", 1.0)
                for field, text in one.fields.items()
                for word in self.words
                if word in text
            ]
            for one in examples
        ]


class Voted:
    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        return [Words(frozenset({"superb"}), frozenset({"cast"}), Cost(1)) for _ in parents]


ROW = example("The superb cast of Dorian Vale.", "positive")


def test_found_words_are_spurious_unless_they_are_principal() -> None:
    """Words of a finder's targets join those of the vote; a principal word stays principal."""
    (words,) = FinderIdentifier(FoundWords("Dorian Vale", "superb"), Voted()).identify([ROW])
    assert words == Words(
        frozenset({"superb"}),
        frozenset({"dorian", "vale", "cast"}),
        Cost(1),
        required=frozenset({"dorian", "vale"}),
    )


def test_found_words_can_take_the_place_of_the_vote() -> None:
    identifier = FinderIdentifier(FoundWords("Vale"), Voted(), ["The"], replace=True)
    kept = frozenset({"vale", "the"})
    assert identifier.identify([ROW]) == [
        Words(frozenset({"superb"}), kept, Cost(1), required=kept)
    ]


def test_without_classifiers_only_given_words_are_known() -> None:
    """Pairs have the user's words as spurious ones."""
    given = frozenset({"anna", "vale"})
    found = GivenWords(["Anna Vale"]).identify([ROW])
    assert found == [Words(spurious=given, required=given)]


def test_a_models_words_must_occur_in_the_text_and_principal_comes_first() -> None:
    """Invented words are dropped; a word in both lists is principal; the user's are spurious."""
    row = example("The plot is fine. Anna sings.", "positive")
    answer = WordsAnswer(principal=["Fine", "invented"], spurious=["Anna", "fine"])
    assert read_words(row, Reply(answer=answer), frozenset({"plot"})) == Words(
        frozenset({"fine"}), frozenset({"anna", "plot"}), required=frozenset({"plot"})
    )


def test_words_that_a_finder_calls_principal_are_principal() -> None:
    """They may be edited: no variant has to keep them."""

    class Votes(FoundWords):
        def find(self, examples: Sequence[Example]) -> list[list[Target]]:
            return [
                [replace(target, principal=True) for target in t] for t in super().find(examples)
            ]

    (words,) = FinderIdentifier(Votes("cast"), Voted(), ["Vale"]).identify([ROW])
    assert words.principal == frozenset({"superb", "cast"})
    assert words.spurious == words.required == frozenset()
