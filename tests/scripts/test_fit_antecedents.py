"""The fit of the weights by which pronouns choose: the gradient, and a case solved by hand."""

import fit_antecedents as script
import numpy as np

SOME = [
    script.Decision([{"near", "subject"}, {"far"}], [True, False], "", (0, 0), []),
    script.Decision([{"near"}, {"far", "subject"}, {"far"}], [False, True, False], "", (0, 0), []),
]


def test_the_gradient_is_that_of_the_loss() -> None:
    """Central differences agree."""
    loss = script._loss(SOME, ["far", "near", "subject"])
    at = np.array([0.3, -0.2, 0.5])
    gradient = loss(at)[1]
    for number in range(3):
        step = np.zeros(3)
        step[number] = 1e-5
        slope = (loss(at + step)[0] - loss(at - step)[0]) / 2e-5
        assert abs(slope - gradient[number]) < 1e-6


def test_what_is_right_gets_the_higher_weight() -> None:
    """Only the subject is right in both decisions."""
    weights = script.fit(SOME * script.FEWEST)
    assert weights["subject"] > max(weights["near"], weights["far"])
    assert script.share_right(SOME, weights) == 1.0
