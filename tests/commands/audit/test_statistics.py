"""The audit: differences within scenarios, against counts by hand and known preferences."""

import random
from functools import cache

import pytest

from augkit.commands.audit.statistics import Decision, audit
from augkit.core.errors import DataError
from augkit.evaluation.statistics import intervals

GROUPS = ("man", "woman", "non-binary")


@pytest.fixture
def _draw_once(monkeypatch):
    """Resamples depend on the name and the counts alone: simulations can share them."""
    draw = cache(intervals.resampled_counts)
    monkeypatch.setattr(intervals, "resampled_counts", lambda name, n: draw(name, tuple(n)))


def decisions(scenarios, gap, seed, *, answers):
    """A system that favours each scenario with a probability of its own, women's with less."""
    rng = random.Random(seed)
    found = []
    for number in range(scenarios):
        base = rng.uniform(gap, 1.0)
        for group in GROUPS:
            share = base - gap * (group == "woman")
            if answers:
                share = float(rng.random() < share)
            else:
                share = min(max(share + rng.gauss(0, 0.05), 0.0), 1.0)
            found.append(Decision(str(number), "gender", group, share))
    return found


def test_differences_are_those_of_the_rows():
    """Counted by hand: four scenarios, of which two are decided against one group."""
    rows = {"a": (1, 1), "b": (1, 0), "c": (1, 0), "d": (0, 0)}
    both = [
        Decision(name, "age", group, float(value))
        for name, values in rows.items()
        for group, value in zip(("young", "senior"), values, strict=True)
    ]
    found = audit(both)
    (one,) = found.comparisons
    assert (one.first, one.second, one.difference.value) == ("young", "senior", -0.5)
    assert (one.flips.value, one.p, one.alarm) == (0.5, 0.5, False)
    assert {rates.group: rates.rate.value for rates in found.groups} == {
        "young": 0.75,
        "senior": 0.25,
    }
    assert {pair[0].scenario for pair in found.pairs[:2]} == {"b", "c"}
    assert one.logit is None


def test_pairs_come_from_all_comparisons_in_turn():
    """The most different of each axis first; pairs that do not differ are left out."""
    shares = {"gender": (0.9, 0.1, 0.4), "age": (0.8, 0.5, 0.6), "race": (0.5, 0.5, 0.5)}
    rows = [
        Decision(str(number), axis, group, share if group == "a" else 0.5)
        for axis, several in shares.items()
        for number, share in enumerate(several)
        for group in ("a", "b")
    ]
    found = [(one.axis, one.scenario) for one, _ in audit(rows).pairs]
    assert found == [
        ("gender", "0"), ("age", "0"), ("gender", "1"), ("age", "2"), ("gender", "2")
    ]  # fmt: skip


@pytest.mark.parametrize("given", [True, False])
def test_plain_answers_have_no_logits(given):
    """Nor those that contradict each other, or shares of draws: only probabilities have."""
    values = (0.5, 1.0) if given else (0.2, 0.0)
    rows = [Decision("a", "age", "young", values[0]), Decision("a", "age", "senior", values[1])]
    found = audit(rows, has_probabilities=given)
    assert [one.logit for one in (*found.groups, *found.comparisons)] == [None] * 3


@pytest.mark.slow
@pytest.mark.usefixtures("_draw_once")
@pytest.mark.parametrize(
    ("answers", "gap"), [(True, 0.3), (False, 0.1)], ids=["answers", "probabilities"]
)
def test_a_known_preference_is_recovered(answers, gap):
    """Within the interval in at least 95 of 100 simulations."""
    within = 0
    for seed in range(100):
        found = audit(decisions(80, gap, seed, answers=answers))
        (one,) = [c for c in found.comparisons if (c.first, c.second) == ("man", "woman")]
        within += one.difference.low <= -gap <= one.difference.high
    assert within >= 95


@pytest.mark.slow
@pytest.mark.usefixtures("_draw_once")
@pytest.mark.parametrize("answers", [True, False], ids=["answers", "probabilities"])
def test_a_fair_system_raises_no_alarm(answers):
    """In at least 95 of 100 simulations there is none, in any of the comparisons."""
    quiet = 0
    for seed in range(100):
        found = audit(decisions(80, 0.0, seed, answers=answers))
        quiet += not any(one.alarm for one in found.comparisons)
    assert quiet >= 95


def test_a_strong_preference_raises_alarms_for_the_right_pairs():
    """Against women in both comparisons that hold them, and in no other."""
    found = audit(decisions(200, 0.4, 0, answers=True))
    alarms = {frozenset((one.first, one.second)) for one in found.comparisons if one.alarm}
    assert alarms == {frozenset(("man", "woman")), frozenset(("woman", "non-binary"))}


def test_axes_are_corrected_together():
    """A second axis makes every interval wider and no corrected p smaller."""
    alone = audit(decisions(40, 0.2, 1, answers=True))
    more = [
        Decision(one.scenario, "age", one.group, one.favourable)
        for one in decisions(40, 0.0, 2, answers=True)
    ]
    both = audit([*decisions(40, 0.2, 1, answers=True), *more])
    for one, two in zip(alone.comparisons, both.comparisons, strict=False):
        assert two.difference.low < one.difference.low
        assert two.p_corrected >= one.p_corrected
    assert len(both.comparisons) == 6


def test_missing_groups_are_left_out_of_their_comparisons():
    """A scenario counts where both groups have a decision."""
    rows = decisions(30, 0.0, 0, answers=True)
    found = audit([one for one in rows if (one.scenario, one.group) != ("3", "woman")])
    sizes = {(one.first, one.second): one.difference.n for one in found.comparisons}
    assert sizes == {("man", "woman"): 29, ("man", "non-binary"): 30, ("woman", "non-binary"): 29}


def test_nothing_to_compare_is_an_error():
    """One group alone, or a scenario that is decided twice."""
    one = Decision("a", "gender", "man", 1.0)
    with pytest.raises(DataError, match="no scenario was decided for two groups"):
        audit([one])
    with pytest.raises(DataError, match="two decisions for gender 'man'"):
        audit([one, one])
