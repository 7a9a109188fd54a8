import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from augkit.evaluation.statistics.intervals import bootstrap_mean, exact_share, keyed_generator
from augkit.evaluation.statistics.significance import mcnemar, paired_difference

SIMULATIONS = 1_000


@pytest.mark.slow
@settings(deadline=None)  # the first call imports scipy
@given(n=st.integers(1, 2_000), data=st.data())
def test_the_exact_interval_is_that_of_scipy(n, data):
    """Clopper and Pearson, as another implementation computes it."""
    hits = data.draw(st.integers(0, n))
    score = exact_share("share", hits, n)
    expected = binomtest(hits, n).proportion_ci(0.95, "exact")
    assert (score.low, score.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert 0 <= score.low <= score.value <= score.high <= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "chances"), [([0, 1], [0.7, 0.3]), ([-1, 0, 1], [0.1, 0.6, 0.3])]
)
def test_bootstrap_intervals_cover_the_truth(values, chances):
    """Between 93 % and 97 % of bootstrap intervals of 300 rows hold the true mean."""
    generator = keyed_generator("2", "simulation")
    truth = float(np.dot(values, chances))
    covered = 0
    for number in range(SIMULATIONS):
        rows = generator.choice(values, size=300, p=chances).tolist()
        score = bootstrap_mean(f"mean {number}", rows)
        covered += score.low <= truth <= score.high
    assert 0.93 * SIMULATIONS <= covered <= 0.97 * SIMULATIONS


@pytest.mark.slow
@settings(deadline=None)  # the first call imports scipy
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=60))
def test_the_bootstrap_repeats_itself_and_holds_the_mean(values):
    """The same values in any order give the same interval, which holds their mean."""
    score = bootstrap_mean("mean", values)
    assert score == bootstrap_mean("mean", values[::-1])
    assert score.low - 1e-12 <= score.value <= score.high + 1e-12
    assert score.n == len(values)


def test_a_share_needs_rows():
    """Nothing of nothing is not a share, nor is more than all."""
    for hits, n in [(0, 0), (3, 2), (-1, 4)]:
        with pytest.raises(ValueError, match="not a share"):
            exact_share("share", hits, n)
    with pytest.raises(ValueError, match="there is no value"):
        bootstrap_mean("mean", [])


@pytest.mark.slow
@settings(deadline=None)  # the first call imports scipy
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=80))
def test_mcnemar_is_the_sign_test_of_the_rows_that_differ(rows):
    """The p-value equals scipy's exact binomial test on the discordant rows."""
    first, second = zip(*rows, strict=True)
    b = sum(one and not two for one, two in rows)
    c = sum(two and not one for one, two in rows)
    expected = binomtest(b, b + c).pvalue if b + c else 1.0
    assert mcnemar(first, second) == pytest.approx(expected)
    assert mcnemar(first, second) == mcnemar(second, first)


def test_a_paired_difference_sees_what_unpaired_ones_hide():
    """Ten rows better and none worse is a gain, though both shares alone are uncertain."""
    first, second = [0] * 60 + [1] * 40, [0] * 50 + [1] * 50
    score = paired_difference("gain", first, second)
    assert score.value == pytest.approx(0.1)
    assert score.low > 0


@pytest.mark.parametrize("n", [1, 20, 500])
def test_rows_that_all_agree_leave_room_for_what_they_missed(n):
    """No spread among n rows is no certainty: the interval is that of 0 hits in n."""
    exact = exact_share("share", 0, n)
    drawn = bootstrap_mean("mean", [0.0] * n)
    assert (drawn.low, drawn.high) == pytest.approx((0, exact.high))
    difference = paired_difference("gain", [1.0] * n, [1.0] * n)
    assert (difference.low, difference.high) == pytest.approx((-exact.high, exact.high))
