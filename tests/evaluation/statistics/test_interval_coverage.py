"""A small part of the benchmark ``interval_coverage``: intervals hold what they should hold."""

from dataclasses import replace

import pytest

from lab import interval_coverage as coverage

pytestmark = pytest.mark.slow

SIMULATIONS = {
    "auroc": 20,
    "difference of aurocs": 20,
    "difference of macro-f1": 30,
    "pearson": 20,
    "problems per 100 words": 20,
}
"""Of the slow ones; of the others 100."""


def test_every_interval_covers_its_truth():
    """Nine times in ten at the least in a few simulations; the benchmark has the thousand."""
    covered = {
        case.name: coverage.covered(case, SIMULATIONS.get(case.name, 100), 200)
        for case in coverage.cases()
    }
    assert len(covered) == 17
    assert min(covered.values()) >= 0.9, covered


def test_too_narrow_an_interval_is_seen():
    """Half the width would be caught: the check is no formality."""
    case = next(case for case in coverage.cases() if case.name == "macro-f1")

    def narrow(rng, rows):
        score = case.draw(rng, rows)
        low, high = ((score.value + end) / 2 for end in (score.low, score.high))
        return replace(score, low=low, high=high)

    assert coverage.covered(replace(case, draw=narrow), 200, 200) < 0.8
