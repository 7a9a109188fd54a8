"""Rounded scores, with close texts scored again exactly."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from augkit.evaluation.bias.likelihood import rescore_close


def signs(scores):
    """Which of each two texts of an item has the higher score."""
    return np.sign(scores[:, :, None] - scores[:, None, :])


def settle(exact, rounded):
    """The final scores, and the indices of the pairs that were scored exactly."""
    asked: list[int] = []

    def exactly(numbers):
        asked.extend(numbers)
        return exact[list(numbers)]

    return rescore_close(rounded, exactly), asked


@given(st.integers(0, 2**32 - 1), st.integers(0, 200), st.integers(2, 4), st.floats(0, 0.5))
def test_texts_are_ordered_as_their_exact_scores_are(seed, items, texts, error):
    """Errors of one size, this way or that, leave no two texts of an item turned round."""
    draw = np.random.default_rng(seed)
    exact = draw.normal(size=(items, texts))
    rounded = exact.copy()
    rounded[:, 0] += error * draw.choice([-1, 1], size=items)
    found, asked = settle(exact, rounded)
    assert (signs(found) == signs(exact)).all()
    assert len(asked) == len(set(asked))


def test_far_pairs_are_not_scored_again():
    """With errors of a hundredth, pairs that lie further apart than some hundredths are left."""
    draw = np.random.default_rng(0)
    exact = np.stack([np.linspace(-1, 1, 400), np.zeros(400)], axis=1)
    rounded = exact + draw.normal(0, 0.005, size=exact.shape)
    found, asked = settle(exact, rounded)
    assert (signs(found) == signs(exact)).all()
    assert 16 <= len(asked) <= 48
    far = sorted(set(range(400)) - set(asked))
    assert (found[far] == rounded[far]).all()
    assert (found[asked] == exact[asked]).all()


def test_pairs_that_cannot_be_scored_stay_so():
    """A pair that is not a number is neither asked for nor changed."""
    rounded = np.array([[np.nan, np.nan], [1.0, 2.0]])
    found, asked = settle(np.array([[0.0, 0.0], [1.5, 2.0]]), rounded)
    assert asked == [1]
    assert np.isnan(found[0]).all()
    assert found[1].tolist() == [1.5, 2.0]
