"""Differences of every metric between two classifiers, against the metrics themselves."""

import numpy as np
import pytest

from augkit.commands.evaluate.settings import create_metric
from augkit.core.errors import DataError
from augkit.core.results import PredictedPair
from augkit.evaluation.metrics.base import PerturbedPredictions

METRICS = {
    "accuracy": ["accuracy"],
    "macro-f1": ["macro_f1"],
    "matthews": ["matthews"],
    "worst-group": ["worst_group"],
    "counter-examples": ["counter", "gap"],
    "pair-consistency": ["consistency"],
    "fairscore": ["changed_rows"],
    "pearson": ["pearson"],
}


def answers(seed, skill, rows=400):
    """Random answers to the same rows, right with probability ``skill`` at least."""
    fixed, rng = np.random.default_rng(0), np.random.default_rng(seed)
    found = []
    for number in range(rows):
        gold, other = fixed.choice(3, 2, replace=False) + 1
        about = {"group": "ab"[number % 2], "shortcut": str(fixed.integers(1, 4))}
        answer = gold if rng.random() < skill else rng.integers(1, 4)
        flipped = other if rng.random() < skill else rng.integers(1, 4)
        found.append(
            PredictedPair(str(answer), str(flipped), str(gold), str(other), f"r{number}", about)
        )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
def test_a_difference_is_that_of_the_scores(metric):
    """Second minus first of the same score, inside its interval, and clear where it is large."""
    first, second = answers(1, 0.2), answers(2, 0.8)
    measure = create_metric(metric)
    if measure.inputs == "perturbed":
        first, second = PerturbedPredictions(first), PerturbedPredictions(second)
    scores = [{score.name: score.value for score in measure.score(one)} for one in (first, second)]
    found = measure.compare(first, second)
    assert [one.name for one in found] == METRICS[metric]
    for one in found:
        wanted = scores[1][one.name] - scores[0][one.name]
        assert one.score.value == pytest.approx(wanted, abs=1e-6)
        assert one.score.low <= one.score.value <= one.score.high
        if one.name not in {"changed_rows", "gap"}:
            assert one.p < 0.01
    for one in measure.compare(first, first):
        assert one.score.value == 0
        assert one.p == 1


def test_unequal_rows_cannot_be_compared():
    """The rows of both classifiers must be the same."""
    first = answers(1, 0.5)
    with pytest.raises(DataError, match="cannot be compared"):
        create_metric("accuracy").compare(first, first[:-1])
