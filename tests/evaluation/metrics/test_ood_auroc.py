"""AUROC against all pairs and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from augkit.core.errors import DataError
from augkit.evaluation.metrics import ood_auroc
from augkit.evaluation.metrics.ood_auroc import Confidences, OodAuroc, auroc

scores = st.lists(st.sampled_from([0.1, 0.4, 0.5, 0.9, 1.0]), min_size=1, max_size=25)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)  # the first call imports scipy
@given(scores, scores)
def test_auroc_is_the_share_of_pairs_in_order(positive, negative):
    """Every pair compared, ties half; scikit-learn agrees; the other way round is 1 - A."""
    pairs = [(p > q) + 0.5 * (p == q) for p in positive for q in negative]
    score = auroc("auroc", positive, negative)
    assert score.value == pytest.approx(sum(pairs) / len(pairs), abs=1e-12)
    truth = [1] * len(positive) + [0] * len(negative)
    assert score.value == pytest.approx(roc_auc_score(truth, positive + negative), abs=1e-9)
    assert auroc("auroc", negative, positive).value == pytest.approx(1 - score.value)
    assert 0 <= score.low <= score.high <= 1


def confidences(inside, outside):
    """The greatest probabilities of both kinds of rows."""
    return Confidences(inside.max(axis=1), outside.max(axis=1))


def test_the_difference_of_two_areas():
    """It is the difference of the two AUROCs, over the same resampled rows."""
    rng = np.random.default_rng(0)

    def probabilities(rows, spread):
        top = 0.5 + spread * rng.random(rows) / 2
        return np.column_stack([top, 1 - top])

    first = confidences(probabilities(60, 0.5), probabilities(50, 0.5))
    second = confidences(probabilities(60, 1.0), probabilities(50, 0.2))
    (found,) = OodAuroc().compare(first, second)
    wanted = OodAuroc().score(second)[0].value - OodAuroc().score(first)[0].value
    assert found.score.value == pytest.approx(wanted, abs=1e-6)
    assert found.score.low < wanted < found.score.high
    assert found.p < 0.05
    assert OodAuroc().compare(first, first)[0].score.value == 0


def test_a_perfect_split_is_no_proof():
    """Without an overlap in ten rows the interval leaves room below 1."""
    score = auroc("auroc", [0.9] * 10, [0.1] * 10)
    assert (score.value, score.high) == (1, 1)
    assert 0.6 < score.low < 0.8


def test_blocks_of_resamples_do_not_change_the_interval(monkeypatch):
    """Many values are resampled in blocks; the interval stays where it was, up to the draw."""
    rng = np.random.default_rng(1)
    positive, negative = rng.normal(1, 1, 150).tolist(), rng.normal(0, 1, 150).tolist()
    whole = auroc("auroc", positive, negative)
    monkeypatch.setattr(ood_auroc, "_CELLS", 300 * 64)
    blocks = auroc("auroc", positive, negative)
    assert blocks.value == whole.value
    assert (blocks.low, blocks.high) == pytest.approx((whole.low, whole.high), abs=0.01)


def test_both_kinds_of_rows_are_needed():
    """Nothing to compare with is an error."""
    with pytest.raises(DataError, match="both kinds"):
        auroc("auroc", [0.5], [])
