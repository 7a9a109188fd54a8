"""The finder's own tests: what it finds, and augkit's contract."""

from __future__ import annotations

from augkit_shouting import Shouting, ShoutingConfig

import augkit
from augkit.core.protocols import Target
from augkit.core.types import example
from augkit.testing import check_finder

ROWS = [
    *(example(f"I HATE film {number}.", "bad") for number in range(5)),
    *(example(f"A fine film, {number}.", "good") for number in range(5)),
]


def test_it_keeps_the_contract() -> None:
    """All promises of an augkit finder hold."""
    check_finder(Shouting, examples=ROWS)


def test_it_marks_the_capitals_of_the_label_that_shouts() -> None:
    """Good reviews do not shout, so that nothing is marked in one that does."""
    finder = augkit.fit_finder("shouting", ROWS)
    rows = [example("I LOVE it", "bad"), example("I LOVE it", "good")]
    assert finder.find(rows) == [[Target("text", 2, 6, "word in capitals", 2.0)], []]


def test_it_says_what_changed() -> None:
    """The share of each label, before and after."""
    quiet = [example(row.fields["text"].lower(), row.label) for row in ROWS]
    found = Shouting.compare(ROWS, quiet, ShoutingConfig(), None)
    assert [(row["label"], row["share"], row["after"]["share"]) for row in found.rows] == [
        ("bad", 1.0, 0.0),
        ("good", 0.0, 0.0),
    ]
