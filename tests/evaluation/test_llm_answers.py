"""The position effect of models whose preference for a position is known."""

import pytest

from augkit.evaluation.llm_answers import FIRST, FLIPS, LAST, position_effect
from augkit.prompts.choice_question import ChoiceAnswer, OrderedAnswer, rotations


def answers(options, share_of, count=40):
    """Answers in all rotations; ``share_of(order)`` gives the probabilities by position."""
    given = tuple(
        OrderedAnswer(order, dict(zip(order, share_of(order), strict=True)))
        for order in rotations(options, len(options))
    )
    return [ChoiceAnswer(options, given)] * count


def effects(found):
    return {score.name: pytest.approx(score.value) for score in position_effect(found)}


@pytest.mark.parametrize("options", [("a", "b"), ("a", "b", "c"), tuple("abcdefg")])
def test_always_the_first(options):
    """E_first is 1 - 1/k, E_last -1/k, and every answer depends on the order."""
    size = len(options)
    found = answers(options, lambda order: [1.0] + [0.0] * (size - 1))
    assert effects(found) == {FLIPS: 1.0, FIRST: 1 - 1 / size, LAST: -1 / size}
    largest = 1 - 1 / size + 1e-9
    assert all(
        -largest <= score.low <= score.high <= largest for score in position_effect(found)[1:]
    )


def test_always_the_same_option():
    """Nothing depends on the order; the interval still allows for what 40 questions can miss."""
    found = answers(("a", "b", "c"), lambda order: [float(one == "b") for one in order])
    assert effects(found) == {FLIPS: 0.0, FIRST: 0.0, LAST: 0.0}
    assert all(score.low <= 0.0 <= score.high for score in position_effect(found))
    assert position_effect(found)[0].high > 0


def test_a_slight_preference_is_measured_and_flips_nothing():
    """The last position is worth 0.1: p of b is 0.8 or 0.7, of a 0.2 or 0.3."""
    both = {("a", "b"): (0.2, 0.8), ("b", "a"): (0.7, 0.3)}
    assert effects(answers(("a", "b"), both.__getitem__)) == {FLIPS: 0.0, FIRST: -0.05, LAST: 0.05}


def test_one_order_shows_no_effect():
    """Nothing can be said."""
    one = OrderedAnswer(("a", "b"), {"a": 1.0, "b": 0.0})
    assert position_effect([ChoiceAnswer(("a", "b"), (one,))]) == []
