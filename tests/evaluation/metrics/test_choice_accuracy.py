"""Accuracy on choices by difficulty, the gap, and the picks of the longest."""

import random
from dataclasses import replace

import pytest

from augkit.core.errors import DataError
from augkit.core.results import Skipped
from augkit.evaluation.metrics.blind_accuracy import TrainingBlindAccuracy
from augkit.evaluation.metrics.choice_accuracy import GAP, PICKED, ChoiceAccuracy, JudgedChoice


def judged(easy, hard, count=60, units=1):
    """So many easy and hard items, of which this share is right."""
    rows = []
    for level, share in (("easy", easy), ("hard", hard)):
        for number in range(count):
            right = float(number < share * count)
            longest = right if level == "easy" else 1 - right
            unit = f"{number // units}" if units > 1 else f"{level} {number}"
            rows.append(JudgedChoice(unit, right, level, "", 2.0, longest, float(level == "easy")))
    return rows


def scores(data):
    return {score.name: score for score in ChoiceAccuracy().score(data)}


@pytest.mark.parametrize("units", [1, 5])
def test_shares_by_level_their_gap_and_the_picks(units):
    measured = scores(judged(0.9, 0.1, units=units))
    values = {name: round(score.value, 6) for name, score in measured.items() if name != "normal"}
    assert values["accuracy"] == 0.5
    assert (values["easy"], values["hard"], values[GAP]) == (0.9, 0.1, 0.8)
    assert values[PICKED] == 0.9
    assert values["the longest wins"] == 0.5
    assert isinstance(measured["normal"], Skipped)
    assert measured[GAP].low < 0.8 < measured[GAP].high
    assert measured["accuracy"].n == (120 if units == 1 else 12)


def test_the_means_of_groups_are_averaged():
    """RM-Bench averages its domains, however many items each has."""
    many = [replace(row, group="many") for row in judged(1.0, 1.0)]
    few = [
        JudgedChoice("few 1", 0.0, "easy", "few"),
        JudgedChoice("few 2", 0.0, "hard", "few"),
    ]
    assert scores(many + few)["accuracy"].value == pytest.approx(0.5)
    assert scores(many + few)["easy"].value == pytest.approx(0.5)


def test_a_gap_that_falls_is_better_and_one_of_the_other_sign_is_not():
    before = judged(0.9, 0.1)
    differences = {d.name: d for d in ChoiceAccuracy().compare(before, judged(0.6, 0.4))}
    gap = differences[GAP]
    assert gap.score.value == pytest.approx(-0.6)
    assert (gap.direction, gap.p < 0.01, gap.score.excludes_zero) == ("lower", True, True)
    assert differences["accuracy"].score.value == pytest.approx(0.0)
    assert differences[PICKED].direction == "neither"
    turned = {d.name: d for d in ChoiceAccuracy().compare(before, judged(0.1, 0.9))}
    assert turned[GAP].score.value == pytest.approx(0.0)
    assert not turned[GAP].score.excludes_zero


@pytest.mark.slow
def test_two_models_that_are_the_same_by_chance_seldom_differ():
    """Of 200 pairs of models that guess alike, about one in twenty differs at 5 %."""
    rng, alarms = random.Random(0), 0
    for _ in range(200):
        sides = []
        for _ in range(2):
            items = [(str(unit), level) for unit in range(40) for level in ("easy", "hard")]
            sides.append([JudgedChoice(u, float(rng.random() < 0.6), level) for u, level in items])
        gap = next(d for d in ChoiceAccuracy().compare(*sides) if d.name == GAP)
        alarms += gap.score.excludes_zero
    assert alarms <= 20


def test_no_choice_is_an_error():
    with pytest.raises(DataError, match="no choice is decided"):
        ChoiceAccuracy().score([])


def test_blind_accuracy_compares_sets_of_different_items():
    """The units that were left out count in the first set alone."""
    before = [(f"u{n}", float(n % 10 > 1), 1.0) for n in range(200)]
    after = [(unit, float(n % 2), 1.0) for n, (unit, _, _) in enumerate(before[:120])]
    assert TrainingBlindAccuracy().score(before)[0].value == pytest.approx(0.8)
    (difference,) = TrainingBlindAccuracy().compare(before, after)
    assert difference.score.value == pytest.approx(-0.3)
    assert difference.score.high < 0
    assert difference.score.n == 200


def test_items_of_a_weighed_run_count_by_their_weight():
    """The same as items that are there as often as they count."""
    rng = random.Random(3)
    items = [(f"u{n % 40}", float(rng.random() < 0.7), rng.randint(1, 4)) for n in range(90)]
    repeated = [(unit, share, 1.0) for unit, share, weight in items for _ in range(weight)]
    first, second = (TrainingBlindAccuracy().score(data)[0] for data in (items, repeated))
    assert first.value == pytest.approx(second.value)
    assert (first.low, first.high) == pytest.approx((second.low, second.high))
