"""The worst group, counter-examples and pair consistency, against counts by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from augkit.core.errors import DataError
from augkit.core.results import PredictedPair
from augkit.evaluation.metrics.accuracy import Accuracy
from augkit.evaluation.metrics.counter_examples import CounterExamples
from augkit.evaluation.metrics.pair_consistency import PairConsistency
from augkit.evaluation.metrics.worst_group import WorstGroup

accuracy, counter_examples = Accuracy().score, CounterExamples().score
pair_consistency, worst_group = PairConsistency().score, WorstGroup().score

label = st.sampled_from(["neg", "pos"])
rows = st.lists(
    st.builds(
        PredictedPair,
        original=label,
        variant=st.one_of(st.none(), label),
        gold=st.one_of(st.none(), label),
        variant_gold=label,
        row=st.sampled_from(["", "one", "two"]),
        about=st.fixed_dictionaries(
            {}, optional={"group": st.sampled_from("xyz"), "shortcut": label}
        ),
    ),
    max_size=40,
)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)  # the first call imports scipy
@given(rows)
def test_the_worst_group_is_the_least_share(pairs):
    """Groups counted by loops; the interval is that of the least ends at the shared level."""
    known = [pair for pair in pairs if pair.gold is not None]
    if not known:
        with pytest.raises(DataError, match="true label"):
            worst_group(pairs)
        return
    named = any("group" in pair.about for pair in known)
    groups = {}
    for pair in known:
        group = pair.about.get("group", "(none)") if named else pair.gold
        groups.setdefault(group, []).append(pair.original == pair.gold)
    level = 1 - 0.05 / len(groups)
    ends = [
        binomtest(sum(right), len(right)).proportion_ci(level, "exact") for right in groups.values()
    ]
    worst, *each = worst_group(pairs)
    assert worst.value == min(sum(right) / len(right) for right in groups.values())
    assert worst.low == pytest.approx(min(end.low for end in ends), abs=1e-9)
    assert worst.high == pytest.approx(min(end.high for end in ends), abs=1e-9)
    assert {score.name: score.n for score in each} == {
        f"group: {group}": len(right) for group, right in groups.items()
    }
    assert worst.low <= worst.value <= worst.high
    assert worst.value <= accuracy(pairs)[0].value


@pytest.mark.slow
@settings(deadline=None, max_examples=60)  # the first call imports scipy
@given(rows)
def test_counter_examples_are_separated_from_supporting_rows(pairs):
    """Both accuracies and their gap, counted by loops."""
    right = {True: [], False: []}
    for pair in pairs:
        if pair.gold is not None and "shortcut" in pair.about:
            right[pair.about["shortcut"] == pair.gold].append(pair.original == pair.gold)
    if not right[True] or not right[False]:
        with pytest.raises(DataError, match="both are needed"):
            counter_examples(pairs)
        return
    supporting, counter, gap = counter_examples(pairs)
    assert supporting.value == sum(right[True]) / len(right[True])
    assert counter.value == sum(right[False]) / len(right[False])
    assert gap.value == pytest.approx(supporting.value - counter.value)
    assert -1 <= gap.low <= gap.value <= gap.high <= 1


@pytest.mark.parametrize(
    ("before", "after", "direction"),
    [
        ((90, 10), (60, 50), "lower"),  # 0.8 → 0.1
        ((55, 50), (20, 90), "higher"),  # 0.05 → -0.7: worse though it fell
        ((20, 90), (55, 50), "higher"),
        ((90, 10), (45, 50), "lower"),  # 0.8 → -0.05: better though it passed 0
        ((80, 40), (38, 80), "neither"),  # 0.4 → -0.42
    ],
)
def test_a_gap_nearer_to_0_is_better(before, after, direction):
    """Of each classifier: right answers on 100 supporting rows and on 100 counter-examples."""
    first, second = (
        [
            PredictedPair(gold if n < right else "?", gold=gold, about={"shortcut": "pos"})
            for gold, right in zip(("pos", "neg"), rights, strict=True)
            for n in range(100)
        ]
        for rights in (before, after)
    )
    _, gap = CounterExamples().compare(first, second)
    assert gap.score.value == pytest.approx((after[0] - after[1] - before[0] + before[1]) / 100)
    assert not gap.score.low <= 0 <= gap.score.high
    assert gap.direction == direction


@pytest.mark.slow
@settings(deadline=None, max_examples=60)  # the first call imports scipy
@given(rows)
def test_consistency_needs_both_members(pairs):
    """The mean over rows of the share of pairs with two right answers, at most either accuracy."""
    right = {}
    for index, pair in enumerate(pairs):
        if pair.variant is not None and pair.gold is not None:
            both = (pair.original, pair.variant) == (pair.gold, pair.variant_gold)
            right.setdefault(pair.row or index, []).append(both)
    if not right:
        with pytest.raises(DataError, match="pair_id"):
            pair_consistency(pairs)
        return
    consistency, original, perturbed = pair_consistency(pairs)
    shares = [sum(several) / len(several) for several in right.values()]
    assert consistency.value == pytest.approx(sum(shares) / len(shares))
    assert consistency.n == len(right)
    if all(len(several) == 1 for several in right.values()):
        assert consistency.value <= min(original.value, perturbed.value)
    assert 0 <= consistency.low <= consistency.high <= 1
