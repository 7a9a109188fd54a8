"""Positions: every candidate at every place, with its letter, score and winner."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit import create, load_dataset
from augkit.augmenters.choices.positions import rotated
from augkit.core.choices import Choice, choice_fields, choice_of, winners_label
from augkit.core.errors import DataError
from augkit.core.types import example


@given(
    texts=st.lists(st.text(min_size=1, max_size=3), min_size=2, max_size=5, unique=True),
    data=st.data(),
)
def test_an_order_can_be_undone(texts, data):
    """The order that a variant names brings each text to its place, the winner too."""
    winner = data.draw(st.integers(0, len(texts) - 1))
    steps = data.draw(st.integers(1, len(texts) - 1))
    choice = Choice(tuple(texts), (winner,))
    row = example(choice_fields(choice), winners_label(choice.winners))
    draft = rotated(row, choice, steps, 0)
    after = choice_of(example(draft.fields, draft.label))
    order = [int(number) - 1 for number in draft.about["order"].split()]
    assert [texts[place] for place in order] == list(after.candidates)
    assert after.candidates[after.winners[0]] == texts[winner]
    back = rotated(example(draft.fields, draft.label), after, len(texts) - steps, 0)
    assert list(choice_of(example(back.fields, back.label)).candidates) == texts


def test_placeholders_and_addresses_move_with_their_candidate():
    texts = ("See [Name] at www.a.org.", "See the second one.", "Ask {team}.")
    row = example(choice_fields(Choice(texts, (0,))), "1")
    (made,) = create("positions").outcomes([row])
    assert sorted(made.variant.fields.values()) == sorted(row.fields.values())


QUIZ = [
    {"question": f"{n}?", "options": [f"a{n}", f"b{n}", f"c{n}", f"d{n}"], "answer": "A"}
    for n in range(40)
]


@pytest.mark.slow
def test_all_rotations_put_the_winner_everywhere(run_rows):
    """From the command line: three copies of four options."""
    rows = run_rows("positions", QUIZ, "copies=3")
    assert Counter(row["answer"] for row in rows) == dict.fromkeys("ABCD", 40)
    for row in rows:
        assert row["options"]["ABCD".index(row["answer"])].startswith("a")


def test_drawn_orders_replace_rows(run_rows):
    rows = run_rows("positions", QUIZ, "drawn=true")
    places = Counter(row["answer"] for row in rows)
    assert len(rows) == 40
    assert min(places[letter] for letter in "ABCD") >= 4


@pytest.mark.parametrize(
    "option", ["All of the above", "Both A and B", "none of the others", "A, C", "see option B"]
)
def test_a_candidate_that_names_a_place_stays(write_rows, option):
    """In another order it would mean something else."""
    row = {"question": "?", "options": ["one thing", "another", option], "answer": 0}
    rows = load_dataset(write_rows([row]), choices=True)
    (outcome,) = create("positions").outcomes(rows)
    assert outcome.reason == "a candidate names a place"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"prompt": "?", "chosen": "Yes.", "rejected": "No."}, "named by their columns"),
        (
            {"prompt": "?", "first": "Yes.", "second": "No.", "verdict": "first", "judge": "j"},
            "order that the judge was shown",
        ),
    ],
)
def test_orders_that_are_not_free_are_an_error(write_rows, row, words):
    rows = load_dataset(write_rows([row]), choices=True)
    with pytest.raises(DataError, match=words):
        list(create("positions")(rows))
