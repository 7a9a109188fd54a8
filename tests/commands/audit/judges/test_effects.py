"""Biases that were planted are found; a judge without any raises no alarm."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from augkit.commands.audit.judges.effects import (
    FAMILY,
    LENGTH,
    PLACE,
    RIGHT,
    correct_effects,
    judge_effects,
)
from augkit.commands.audit.judges.verdicts import JudgeVerdict, Verdicts


def logit(share):
    return math.log(share / (1 - share))


def test_planted_biases_are_recovered(made_up):
    """Place, length and being right, each within its interval, in 400 items."""
    verdicts = made_up(400, 0, place=0.8, length=0.5, right=1.0)
    effects = {effect.effect: effect for effect in judge_effects("j", verdicts)}
    for name, planted in ((PLACE, 0.8), (LENGTH, 0.5), (RIGHT, 1.0)):
        share = effects[name].share
        assert logit(share.low) < planted < logit(share.high)
        assert logit(share.high) - logit(share.low) < 0.6
    corrected = {effect.effect: effect for effect in correct_effects(list(effects.values()))}
    assert corrected[PLACE].alarm
    assert corrected[LENGTH].alarm
    assert not corrected[RIGHT].alarm  # to be right is no bias


def test_an_effect_of_length_is_not_one_of_the_right_answer():
    """A judge that is always right, of answers of which the right one is longer, has no bias."""
    rng = np.random.default_rng(0)
    rows = []
    for number in range(300):
        size = int(rng.integers(20, 60))
        is_longer = rng.random() < 0.8
        texts = {1: "a" * (size + 10 * (1 if is_longer else -1)), -1: "b" * size}
        gold = int(rng.choice([1, -1]))
        wins = float((rng.random() < 0.9) == (gold == 1))
        rows.append(JudgeVerdict(str(number), "j", texts[gold], texts[-gold], wins, gold=gold))
    held = {effect.effect: effect for effect in judge_effects("j", Verdicts(rows))}
    unknown = Verdicts([replace(row, gold=0) for row in rows])
    free = {effect.effect: effect for effect in judge_effects("j", unknown)}
    assert held[LENGTH].p > 0.05
    assert free[LENGTH].p < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("items", "orders", "taste", "right"),
    [(40, 2, 2.0, 0.0), (60, 1, 1.0, 1.0), (200, 2, 0.0, 0.5)],
)
def test_a_judge_without_a_bias_rarely_raises_an_alarm(made_up, items, orders, taste, right):
    """At most 5 % of judges: of 100 then no more than 12, but for one test in 500."""
    alarms = 0
    for seed in range(100):
        verdicts = made_up(items, seed, orders=orders, taste=taste, right=right)
        effects = correct_effects(judge_effects("j", verdicts))
        alarms += any(effect.alarm for effect in effects)
    assert alarms <= 12


def test_own_family_is_told_where_the_right_answer_is_known_or_judges_differ():
    """One judge without gold cannot tell its family from a better model."""
    rng = np.random.default_rng(1)
    rows = []
    for number in range(300):
        for judge in ("gpt-4", "claude-2"):
            models = ("gpt-3.5", "claude-1") if rng.random() < 0.5 else ("claude-1", "gpt-3.5")
            own = 1 if models[0][:3] == judge[:3] else -1
            wins = float(rng.random() < 1 / (1 + math.exp(-own)))
            rows.append(JudgeVerdict(str(number), judge, "a" * 20, "b" * 20, wins, models=models))
    both = {effect.effect: effect for effect in judge_effects("all", Verdicts(rows))}
    assert logit(both[FAMILY].share.low) < 1 < logit(both[FAMILY].share.high)
    one = Verdicts(rows).of_judge("gpt-4")
    assert FAMILY not in {effect.effect for effect in judge_effects("gpt-4", one)}
    known = Verdicts([replace(row, gold=1) for row in one.rows])
    assert FAMILY in {effect.effect for effect in judge_effects("gpt-4", known)}


def test_a_stronger_model_is_no_effect_of_length():
    """Its answers are longer and win, whatever their length: the models have their strengths."""
    rng = np.random.default_rng(2)
    rows = []
    for number in range(400):
        lengths = {"strong": int(rng.integers(60, 90)), "weak": int(rng.integers(20, 80))}
        models = ("strong", "weak") if rng.random() < 0.5 else ("weak", "strong")
        wins = float((rng.random() < 0.85) == (models[0] == "strong"))
        first, second = ("a" * lengths[model] for model in models)
        rows.append(JudgeVerdict(str(number), "j", first, second, wins, models=models))
    named = {effect.effect: effect for effect in judge_effects("j", Verdicts(rows))}
    nameless = Verdicts([replace(row, models=("", "")) for row in rows])
    free = {effect.effect: effect for effect in judge_effects("j", nameless)}
    assert named[LENGTH].p > 0.05
    assert free[LENGTH].p < 1e-6


@pytest.mark.parametrize("wins", [0.0, 0.5, 1.0])
def test_verdicts_that_are_all_the_same_have_effects(wins):
    """All first, all second, all ties."""
    rows = [JudgeVerdict(str(n), "j", "a" * (n + 1), "b" * 20, wins) for n in range(40)]
    effects = {effect.effect: effect for effect in judge_effects("j", Verdicts(rows))}
    assert (effects[PLACE].share.value > 0.5) == (wins > 0.5)
    assert 0 <= effects[PLACE].share.low <= effects[PLACE].share.high <= 1


def test_a_few_items_have_no_effects():
    """Nine."""
    rows = [JudgeVerdict(str(n), "j", "a", "bb", 1.0) for n in range(9)]
    assert judge_effects("j", Verdicts(rows)) == []
    assert correct_effects([]) == []
