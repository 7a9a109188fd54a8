"""Shares of a judge against counts by hand."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.commands.audit.judges.shares import judge_shares
from augkit.commands.audit.judges.verdicts import JudgeVerdict, Verdicts

verdict_lists = st.lists(
    st.builds(
        JudgeVerdict,
        item=st.sampled_from("123"),
        judge=st.sampled_from(["j", "k"]),
        first=st.sampled_from(["a", "bb", "ccc"]),
        second=st.sampled_from(["a", "bb", "ccc"]),
        first_wins=st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0]),
        gold=st.sampled_from([-1, 0, 1]),
        compared=st.booleans(),
    ),
    min_size=1,
    max_size=30,
)


def mean(values):
    """None where there is nothing."""
    values = list(values)
    return sum(values) / len(values) if values else None


def slow_flips(rows):
    """Every pair of texts of a judge and an item, its two orders, each decided by its mean."""
    cells = defaultdict(list)
    for row in rows:
        if row.compared and row.first != row.second:
            cells[row.judge, row.item, row.first, row.second].append(row.first_wins)
    flips = []
    for (judge, item, first, second), wins in cells.items():
        other = cells.get((judge, item, second, first))
        if first < second and other:
            straight, swapped = mean(wins), 1 - mean(other)
            if 0.5 not in (straight, swapped):
                flips.append((straight > 0.5) != (swapped > 0.5))
    return flips


@pytest.mark.slow
@given(verdict_lists)
def test_every_share_is_that_of_a_count(rows):
    """One judge or two, no gold, all ties, one order: what cannot be told is absent."""
    shares = judge_shares("j", Verdicts(rows))
    decided = [row for row in rows if row.first_wins != 0.5]
    right = [(row.first_wins > 0.5) == (row.gold > 0) for row in decided if row.gold]
    first = [row.first_wins for row in decided if row.compared]
    differ = [row for row in decided if len(row.first) != len(row.second)]
    longer = [
        row.first_wins if len(row.first) > len(row.second) else 1 - row.first_wins for row in differ
    ]
    gold_longer = [
        (len(row.first) > len(row.second)) == (row.gold > 0) for row in differ if row.gold
    ]
    expected = {
        "right": right,
        "first": first,
        "longer": longer,
        "gold_longer": gold_longer,
        "flips": slow_flips(rows),
    }
    for name, values in expected.items():
        score = getattr(shares, name)
        if not values:
            assert score is None
            continue
        assert score.value == pytest.approx(mean(values))
        assert score.n == len(values)
        assert 0 <= score.low <= score.value <= score.high <= 1
    assert (shares.verdicts, shares.ties) == (len(rows), len(rows) - len(decided))


def test_a_share_has_an_interval_over_items():
    """Fifty verdicts about one item tell no more than one; about fifty items, they do."""
    same = Verdicts([JudgeVerdict("1", "j", "a", "b", float(n % 2)) for n in range(50)])
    others = Verdicts([JudgeVerdict(str(n), "j", "a", "b", float(n % 2)) for n in range(50)])
    wide, narrow = judge_shares("j", same).first, judge_shares("j", others).first
    assert wide.high - wide.low > 0.9
    assert narrow.low == pytest.approx(0.355, abs=0.001)  # Clopper and Pearson
    assert narrow.high == pytest.approx(0.645, abs=0.001)


def test_verdicts_by_place_are_those_of_the_right_answer_the_trial_or_the_longer():
    """The first of these that the rows know."""
    right = [
        JudgeVerdict("1", "j", "a", "bb", 1.0, gold=1),
        JudgeVerdict("2", "j", "a", "bb", 1.0, gold=-1),
    ]
    shares = judge_shares("j", Verdicts(right))
    assert shares.subject == "the right answer"
    assert (shares.shown_first.value, shares.shown_second.value) == (1, 0)
    trial = [JudgeVerdict("1", "j", "a", "bb", 0.25, models=("m", "base"), on_trial="m")]
    shares = judge_shares("j", Verdicts(trial))
    assert (shares.subject, shares.shown_first.value) == ("the model on trial", 0.25)
    assert shares.shown_second is None
    shares = judge_shares("j", Verdicts([JudgeVerdict("1", "j", "a", "bb", 0.25)]))
    assert (shares.subject, shares.shown_second.value) == ("the longer answer", 0.75)
