"""Pearson's correlation against scipy's."""

import numpy as np
import pytest
from scipy.stats import pearsonr

from augkit.core.errors import DataError
from augkit.core.results import PredictedPair
from augkit.evaluation.metrics.label_counts import Pearson


def test_pearson_is_that_of_scipy():
    """Of labels that are numbers; 0 where nothing varies."""
    rng = np.random.default_rng(3)
    rows = [
        PredictedPair(str(gold if rng.random() < 0.5 else rng.integers(1, 4)), gold=str(gold))
        for gold in rng.integers(1, 4, 400)
    ]
    wanted = pearsonr([float(p.gold) for p in rows], [float(p.original) for p in rows])[0]
    (found,) = Pearson().score(rows)
    assert found.value == pytest.approx(wanted, abs=1e-6)
    assert found.low < found.value < found.high
    constant = [PredictedPair("1", gold="1"), PredictedPair("1", gold="2")]
    assert Pearson().score(constant)[0].value == 0


def test_labels_that_are_not_numbers_are_an_error():
    """The message names metrics for classes."""
    with pytest.raises(DataError, match=r"is not a number.*accuracy, macro-f1 or matthews"):
        Pearson().score([PredictedPair("pos", gold="neg")])
