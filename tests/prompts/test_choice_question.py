"""Questions with a few options: in which orders they are asked, and how answers are read."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.model_types import Message, Reply, Request
from augkit.core.types import Cost
from augkit.llm.scripted import Scripted
from augkit.prompts.choice_question import ChoiceQuestion, ask, rotations

OPTIONS = ("red", "green", "blue")


def request(order):
    text = "\n".join(f"{'ABC'[n]}. {option}" for n, option in enumerate(order))
    return Request((Message("user", text),), choices=tuple("ABC"[: len(order)]))


QUESTION = ChoiceQuestion(OPTIONS, request)


def shown(asked):
    return [line[3:] for line in asked.messages[0].content.splitlines()]


@given(st.integers(1, 8), st.integers(1, 12))
def test_rotations_are_different_and_hold_all_options(size, count):
    """As many as asked for and possible; in a full round each option has each position once."""
    options = tuple(map(str, range(size)))
    found = rotations(options, count)
    assert len(set(found)) == len(found) == min(size, count)
    assert all(set(order) == set(options) for order in found)
    if count >= size:
        assert all(set(column) == set(options) for column in zip(*found, strict=True))


def test_an_answer_belongs_to_the_option_not_to_its_letter():
    green = Scripted(lambda asked: "ABC"[shown(asked).index("green")])
    (answer,) = ask(green, [QUESTION], partial(rotations, count=3))
    assert answer.probabilities == {"red": 0, "green": 1, "blue": 0}
    assert answer.option == "green"


def test_a_model_that_looks_at_the_position_alone_decides_nothing():
    """In a full round each option is first once."""
    (answer,) = ask(Scripted(lambda _: "A"), [QUESTION], partial(rotations, count=3))
    assert answer.probabilities == pytest.approx({"red": 1 / 3, "green": 1 / 3, "blue": 1 / 3})
    assert answer.option is None


def test_draws_give_the_shares_of_answers():
    """Each sample has a seed of its own and the temperature 1."""
    seen = []

    def answer(asked):
        seen.append((asked.seed, asked.temperature))
        return "ABC"[shown(asked).index("blue" if asked.seed else "red")]

    (found,) = ask(Scripted(answer), [QUESTION], partial(rotations, count=1), draws=4)
    assert found.probabilities == {"red": 0.25, "green": 0, "blue": 0.75}
    assert seen == [(number, 1.0) for number in range(4)]


def test_an_order_without_an_answer_is_left_out():
    """The others count; the fault and all costs are kept."""
    paid = Cost(1, 10, 1)
    replies = iter([Reply(fault="refused", detail="no", cost=paid), Reply("A", cost=paid)])
    (answer,) = ask(Scripted(lambda _: next(replies)), [QUESTION], partial(rotations, count=2))
    assert [one.order for one in answer.by_order] == [("green", "blue", "red")]
    assert (answer.option, answer.fault, answer.detail) == ("green", "refused", "no")
    assert answer.cost == paid + paid


def test_questions_beyond_one_lot_keep_their_order():
    questions = [QUESTION] * 300 + [ChoiceQuestion(("yes", "no"), request)]
    answers = ask(Scripted(lambda _: "B"), questions, partial(rotations, count=1))
    assert [one.option for one in answers] == ["green"] * 300 + ["no"]
