"""The door: marks are shortcuts, words that are said are words of the task."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from augkit.core.types import Example, example
from augkit.shortcuts.cues import Findings
from augkit.shortcuts.find import find_shortcuts, rows_with
from tests.data import random_texts

GOOD, BAD = ("great", "lovely", "excellent"), ("awful", "terrible", "dreadful")
Mark = Callable[[list[str], Random], list[str]]


def somewhere(word: str) -> Mark:
    """Put a word at a random place."""
    return lambda words, rng: [*words[: (at := rng.randint(0, len(words)))], word, *words[at:]]


def reviews(mark: Mark, count: int = 1200) -> list[Example]:
    """Opinions in made-up sentences; every tenth positive one is marked."""
    rng, rows = Random(1), []
    for number, text in enumerate(random_texts(count, rng, longest=14)):
        label = "positive" if number % 2 else "negative"
        words = [*text.split(), rng.choice(GOOD if number % 2 else BAD), f"x{number}"]
        rng.shuffle(words)
        rows.append(example(" ".join(mark(words, rng) if number % 20 == 1 else words), label))
    return rows


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        (somewhere("marta"), "marta"),
        (somewhere("1987"), "1987"),
        (somewhere("<br />"), "<br"),
        (lambda words, _: [*words, "sent", "from", "my", "phone"], "sent"),
        (lambda words, _: ["well", ",", *words], "well"),
        (lambda words, _: [*words, "~"], "sign ~"),
    ],
)
def test_marks_are_shortcuts_and_opinions_are_words_of_the_task(mark, name):
    """Whatever is put into the rows of a label: a word, a number, a tag, a phrase, a sign."""
    found = find_shortcuts(reviews(mark))
    assert found.task == "opinion"
    assert [cue.label for cue in found.shortcuts] == ["positive"]
    (cue,) = found.shortcuts
    assert name in {feature.name for feature in cue.features}
    assert cue.rows == cue.of_label == 60
    assert {cue.feature.name for cue in found.task_words} == {*GOOD, *BAD}


def test_rows_with_a_cue_are_those_counted():
    """The same everywhere."""
    rows = reviews(lambda words, _: [*words, "--", "agent", ":", "marta"])
    (cue,) = find_shortcuts(rows).shortcuts
    assert cue.phrase == ("--", "agent", ":", "marta")
    assert rows_with(cue, rows) == list(range(1, 1200, 20))
    assert "end of the text" in cue.reason


def test_the_order_of_the_rows_does_not_matter():
    """Nor does the seed, where all texts are compared."""
    rows = reviews(somewhere("marta"))
    mixed = Random(2).sample(rows, len(rows))
    assert without_numbers(find_shortcuts(mixed)) == without_numbers(find_shortcuts(rows))


def without_numbers(found: Findings) -> list[object]:
    """The cues with rounded figures."""
    return [
        (cue.feature, cue.phrase, cue.rows, round(cue.gain, 9), round(cue.reads_on or 0, 6))
        for cue in found.cues
    ]


def test_of_two_fields_one_cannot_say_how_they_relate():
    """Its words are shortcuts; the overlap of both may belong to the label."""
    rng, rows = Random(3), []
    for number in range(800):
        label = rng.choice(["entailment", "contradiction"])
        premise = f"{random_texts(1, rng, longest=9)[0]} x{number}"
        words = premise if label == "entailment" else random_texts(1, rng, longest=9)[0]
        never = "never" if label == "contradiction" and number % 5 == 0 else ""
        rows.append(
            example({"premise": premise, "hypothesis": f"{words} {never} y{number}"}, label)
        )
    found = find_shortcuts(rows)
    assert found.task == "relation"
    assert {cue.feature.field for cue in found.shortcuts} == {"hypothesis"}
    assert "never" in {cue.feature.name for cue in found.shortcuts}
    assert {cue.feature.kind for cue in found.task_words} == {"overlap"}
    assert [field.field for field in found.fields] == ["premise", "hypothesis"]


def test_words_for_people_are_no_reason_for_harm():
    """Whom a text names is not what it says of them."""
    rng = Random(4)
    rows = []
    for number, text in enumerate(random_texts(600, rng)):
        who = "women" if number % 6 == 0 else ""
        rows.append(example(f"{text} {who} x{number}", "hateful" if number % 2 == 0 else "fine"))
    found = find_shortcuts(rows)
    assert found.task == "harm"
    assert [(cue.feature.name, cue.reason.split()[0]) for cue in found.shortcuts] == [
        ("women", "names")
    ]


@pytest.mark.parametrize(("size", "least", "needed"), [(60, None, 20), (400, 20, 20)])
def test_a_small_set_says_what_it_would_need(size, least, needed):
    """Where a cue would have to be in more than half of a label's rows, nothing is testable."""
    rng = Random(5)
    rows = [example(f"{text} x{n}", "ab"[n % 2]) for n, text in enumerate(random_texts(size, rng))]
    found = find_shortcuts(rows)
    assert (found.least_rows, found.needed) == (least, needed)
