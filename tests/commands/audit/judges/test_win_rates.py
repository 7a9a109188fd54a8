"""Win rates against means, and the corrected ones against a fit of all parameters at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from augkit.commands.audit.judges import win_rates as module
from augkit.commands.audit.judges.logit import logistic
from augkit.commands.audit.judges.verdicts import JudgeVerdict, Verdicts
from augkit.commands.audit.judges.win_rates import win_rates


def trials(items, strengths, seed, length=1.0, place=0.0):
    """Models against a baseline; a judge that prefers the longer answer, with probabilities."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(items):
        ease = rng.normal() / 2
        for model, (strength, mean) in strengths.items():
            size = max(1, int(rng.normal(mean, 30)))
            first = rng.random() < 0.5
            score = strength + length * np.tanh((size - 100) / 30) + ease
            p = float(logistic(np.array([score + (place if first else -place)]))[0])
            texts, models = ("a" * size, "b" * 100), (model, "base")
            if not first:
                texts, models = texts[::-1], models[::-1]
            wins = p if first else 1 - p
            rows.append(JudgeVerdict(str(item), "j", *texts, wins, models=models, on_trial=model))
    return Verdicts(rows)


MODELS = {"long": (-0.5, 140), "short": (0.0, 70), "even": (-0.3, 100)}


def test_the_win_rate_is_the_mean_of_the_verdicts():
    """Whichever place the model had."""
    verdicts = trials(50, MODELS, 0)
    for rate in win_rates(verdicts):
        wins = [
            row.first_wins if row.models[0] == rate.model else 1 - row.first_wins
            for row in verdicts.rows
            if row.on_trial == rate.model
        ]
        assert rate.judged.value == pytest.approx(sum(wins) / len(wins))
        assert rate.verdicts == 50


@pytest.mark.slow
def test_length_is_taken_out_of_the_order():
    """The long-winded model is first as judged, and last where lengths are equal."""
    rates = win_rates(trials(300, MODELS, 1))
    assert [rate.model for rate in rates] == ["long", "even", "short"]
    assert {rate.model: (rate.rank, rate.corrected_rank) for rate in rates} == {
        "long": (1, 3),
        "even": (2, 2),
        "short": (3, 1),
    }
    for rate in rates:  # what the model wins at equal length, over the ease of items
        strength = MODELS[rate.model][0]
        ease = np.random.default_rng(9).normal(size=100_000) / 2
        truth = logistic(strength + ease).mean()
        assert rate.corrected.low - 0.02 < truth < rate.corrected.high + 0.02


def test_the_corrected_rate_is_that_of_a_general_optimiser():
    """All parameters at once by a method without derivatives of ours."""
    verdicts = trials(40, MODELS, 2, place=0.3)
    parts = module._trials(verdicts)
    names = list(parts)
    rows = [parts[name] for name in names]

    def joint(values):
        strengths, common, ease = values[:3], values[3:5], values[5:]
        loss = (values[:5] ** 2).sum() / 2 / 25 + (ease**2).sum() / 2
        for strength, part in zip(strengths, rows, strict=True):
            scores = strength + part.lengths * common[0] + part.places * common[1]
            scores = scores + ease[part.items]
            loss += (np.logaddexp(0, scores) - part.wins * scores).sum()
        return loss

    found = minimize(joint, np.zeros(45), method="L-BFGS-B", tol=1e-12).x
    common, ease = module._common(rows, 40)
    assert common == pytest.approx(found[3:5], abs=1e-3)
    assert ease == pytest.approx(found[5:], abs=1e-3)
    for name, part in parts.items():

        def single(values, part=part):
            scores = values[0] + part.lengths * values[1] + ease[part.items] * values[2]
            scores = scores + part.places * values[3]
            centre, spread = np.array([0, common[0], 1, common[1]]), np.array([5, 0.5, 0.5, 0.5])
            prior = (((values - centre) / spread) ** 2).sum() / 2
            return (np.logaddexp(0, scores) - part.wins * scores).sum() + prior

        values = minimize(single, np.zeros(4), method="L-BFGS-B", tol=1e-12).x
        expected = logistic(values[0] + ease[part.items] * values[2]).mean()
        rate = next(rate for rate in win_rates(verdicts) if rate.model == name)
        assert rate.corrected.value == pytest.approx(expected, abs=1e-4)


@pytest.mark.slow
def test_intervals_of_corrected_rates_cover():
    """Of 100 samples with plain verdicts, at least 90 hold the truth."""
    rng = np.random.default_rng(5)
    covered = 0
    for seed in range(100):
        soft = trials(120, {"m": (0.4, 100)}, seed, length=0.5)
        hard = Verdicts(
            [replace(row, first_wins=float(rng.random() < row.first_wins)) for row in soft.rows]
        )
        (rate,) = win_rates(hard)
        ease = np.random.default_rng(9).normal(size=10_000) / 2
        covered += rate.corrected.low <= logistic(0.4 + ease).mean() <= rate.corrected.high
    assert covered >= 90


def test_without_a_model_on_trial_a_row_counts_for_both():
    """As in an arena; few verdicts have no corrected rate, and no names no rates."""
    rows = [JudgeVerdict(str(n), "j", "aa", "b", 1.0, models=("x", "y")) for n in range(5)]
    first, second = win_rates(Verdicts(rows))
    assert (first.model, first.judged.value, first.corrected) == ("x", 1.0, None)
    assert (second.model, second.judged.value, second.corrected_rank) == ("y", 0.0, None)
    assert win_rates(Verdicts([JudgeVerdict("1", "j", "a", "b", 1.0)])) == []
