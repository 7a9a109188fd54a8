"""Pearson's and Spearman's correlation against scipy's."""

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from augkit.core.results import PredictedPair
from augkit.evaluation.metrics.label_counts import Pearson


@pytest.mark.slow
def test_pearson_is_that_of_scipy():
    """Of labels that are numbers; 0 where nothing varies."""
    rng = np.random.default_rng(3)
    rows = [
        PredictedPair(str(gold if rng.random() < 0.5 else rng.integers(1, 4)), gold=str(gold))
        for gold in rng.integers(1, 4, 400)
    ]
    columns = [float(p.gold) for p in rows], [float(p.original) for p in rows]
    for score, correlation in zip(Pearson().score(rows), (pearsonr, spearmanr), strict=True):
        assert score.value == pytest.approx(correlation(*columns)[0], abs=1e-6)
        assert score.low < score.value < score.high
    constant = [PredictedPair("1", gold="1"), PredictedPair("1", gold="2")]
    assert [score.value for score in Pearson().score(constant)] == [0, 0]


def test_ranks_of_a_resample_are_those_of_its_rows():
    """A row that is drawn twice stands twice in the ranking."""
    rng = np.random.default_rng(5)
    gold, predicted = rng.normal(size=30).round(1), rng.normal(size=30).round(1)
    counts = rng.multinomial(30, [1 / 30] * 30, size=4)
    found = Pearson().rank_statistic(gold, predicted)(counts.astype(float))
    drawn = [spearmanr(np.repeat(gold, row), np.repeat(predicted, row))[0] for row in counts]
    np.testing.assert_allclose(found, drawn, atol=1e-9)
