"""Differences of every metric between two classifiers, against the metrics themselves."""

import numpy as np
import pytest
from scipy.stats import pearsonr

from augkit.core import registry
from augkit.core.errors import DataError
from augkit.core.types import PredictedPair
from augkit.evaluation.metrics.ood import confidence_auroc, confidence_difference
from augkit.evaluation.metrics.pearson import pearson
from augkit.evaluation.statistics.comparison import compare

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
    """Random answers to the same rows, right as often as told."""
    fixed, rng = np.random.default_rng(0), np.random.default_rng(seed)
    told = []
    for number in range(rows):
        gold, other = fixed.choice(3, 2, replace=False) + 1
        about = {"group": "ab"[number % 2], "shortcut": str(fixed.integers(1, 4))}
        said = gold if rng.random() < skill else rng.integers(1, 4)
        turned = other if rng.random() < skill else rng.integers(1, 4)
        told.append(
            PredictedPair(str(said), str(turned), str(gold), str(other), f"r{number}", about)
        )
    return told


@pytest.mark.parametrize("metric", METRICS)
def test_a_difference_is_that_of_the_scores(metric):
    """Second minus first of the same score, inside its interval, and clear where it is large."""
    first, second = answers(1, 0.2), answers(2, 0.8)
    measure = registry.find("metrics", metric)
    scores = [{score.name: score.value for score in measure(one)} for one in (first, second)]
    found = compare(metric, first, second)
    assert [one.what for one in found] == METRICS[metric]
    for one in found:
        wanted = scores[1][one.what] - scores[0][one.what]
        assert one.score.value == pytest.approx(wanted, abs=1e-6)
        assert one.score.low <= one.score.value <= one.score.high
        if one.what not in {"changed_rows", "gap"}:
            assert one.p < 0.01
    for one in compare(metric, first, first):
        assert one.score.value == 0
        assert one.p == 1


def test_plug_ins_and_unequal_rows():
    """A metric without a comparison has no difference; other rows cannot be compared."""
    first = answers(1, 0.5)
    assert compare("of-a-plug-in", first, first) == []
    with pytest.raises(DataError, match="cannot be compared"):
        compare("accuracy", first, first[:-1])


def test_chance_is_not_called_a_difference():
    """Of 40 pairs of equal classifiers about one in twenty has p below 0.05."""
    low = sum(
        compare("macro-f1", answers(2 * n, 0.5, 150), answers(2 * n + 1, 0.5, 150))[0].p < 0.05
        for n in range(40)
    )
    assert low <= 6


def test_pearson_is_that_of_scipy():
    """Of labels that are numbers; words are refused with the cure."""
    told = answers(3, 0.5)
    wanted = pearsonr([float(p.gold) for p in told], [float(p.original) for p in told])[0]
    found = pearson(told)[0]
    assert found.value == pytest.approx(wanted, abs=1e-6)
    assert found.low < found.value < found.high
    assert pearson([PredictedPair("1", gold="1"), PredictedPair("1", gold="2")])[0].value == 0
    with pytest.raises(DataError, match="is no number"):
        pearson([PredictedPair("pos", gold="neg")])


def test_the_difference_of_two_areas():
    """It is the difference of the two AUROCs, over the same resampled rows."""
    rng = np.random.default_rng(0)

    def probabilities(rows, sure):
        top = 0.5 + sure * rng.random(rows) / 2
        return np.column_stack([top, 1 - top])

    first = probabilities(60, 0.5), probabilities(50, 0.5)
    second = probabilities(60, 1.0), probabilities(50, 0.2)
    found = confidence_difference(first, second)
    wanted = confidence_auroc(*second).value - confidence_auroc(*first).value
    assert found.score.value == pytest.approx(wanted, abs=1e-6)
    assert found.score.low < wanted < found.score.high
    assert found.p < 0.05
    assert confidence_difference(first, first).score.value == 0
