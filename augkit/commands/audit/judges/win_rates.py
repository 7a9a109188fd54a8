"""Win rates of models, and what they would be if all answers were equally long.

As AlpacaEval 2 controls for length, by a logistic regression for each model:

    logit P(m wins on x) = θ_m + φ_m tanh(Δ / s_m) + ψ_m ε_x + π_m place

Δ is how many characters the answer of m has more, s_m the standard deviation of Δ, ε_x how easy
the item is for all models, and place is ½ where the answer was shown first, -½ where second. The
corrected win rate is the mean over the items of this with Δ = 0 and place = 0.

ε and a common φ come from one regression of all models. φ_m is drawn to the common one and ψ_m to
1, each by a normal prior, because a model whose answers are all longer, or all shorter, cannot tell
its strength from its length. AlpacaEval has a lasso, and verdicts about a gamed model, instead.

Reference: dubois2024length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.commands.audit.judges.logit import logistic, newton_logit
from augkit.commands.audit.judges.shares import share_of_items
from augkit.commands.audit.judges.verdicts import Verdicts
from augkit.core.arrays import Floats, Ints
from augkit.core.results import Score
from augkit.core.types import value
from augkit.evaluation.statistics.intervals import LEVEL, bootstrap_mean

_FEWEST = 20
"""Verdicts of a model, for its corrected win rate."""
_SHARED = 3
"""Models of an item, in the mean, from which on items have their own ease."""
_EASE_SPREAD = 1.0
_LENGTH_SPREAD = 0.5
_SLOPE_SPREAD = 0.5
_WIDE = 5.0
"""Standard deviations of the priors: of ε, φ_m, ψ_m, and of the rest."""


@value
class WinRate:
    """The win rate of a model, as judged and corrected, and its places among the models.

    ``where_longer`` and ``where_shorter`` are those of its answers that are longer, or shorter,
    than the one they are compared with.
    """

    model: str
    verdicts: int
    characters: float
    judged: Score
    where_longer: Score | None
    where_shorter: Score | None
    corrected: Score | None
    rank: int
    corrected_rank: int | None


@dataclass(frozen=True)
class _Trials:
    """What was judged of one model."""

    wins: Floats
    lengths: Floats
    """float[trials]: tanh of the standardised difference of lengths."""
    places: Floats
    """float[trials]: ½ shown first, -½ shown second, 0 not known."""
    items: Ints
    characters: float


def win_rates(verdicts: Verdicts) -> list[WinRate]:
    """The models that the rows name, the best first; none where they name none."""
    trials = _trials(verdicts)
    enough = {name: rows for name, rows in trials.items() if len(rows.wins) >= _FEWEST}
    corrected: dict[str, Score] = {}
    if enough:
        common, ease = _common(list(enough.values()), len({row.item for row in verdicts.rows}))
        corrected = {name: _corrected(rows, common, ease) for name, rows in enough.items()}
    judged = {name: bootstrap_mean("win rate", rows.wins.tolist()) for name, rows in trials.items()}
    by_rate = sorted(trials, key=lambda name: (-judged[name].value, name))
    by_corrected = sorted(corrected, key=lambda name: (-corrected[name].value, name))
    return [
        WinRate(
            name,
            len(rows.wins),
            rows.characters,
            judged[name],
            share_of_items("where longer", rows.wins, rows.items, rows.lengths > 0),
            share_of_items("where shorter", rows.wins, rows.items, rows.lengths < 0),
            corrected.get(name),
            rank,
            by_corrected.index(name) + 1 if name in corrected else None,
        )
        for rank, (name, rows) in enumerate(((name, trials[name]) for name in by_rate), 1)
    ]


def _trials(verdicts: Verdicts) -> dict[str, _Trials]:
    """Model → what was judged of it. Without a model on trial each row counts for both."""
    import numpy as np

    rows: dict[str, list[tuple[int, int]]] = {}
    for number, verdict in enumerate(verdicts.rows):
        for side, model in enumerate(verdict.models):
            rivals = verdict.models[0] != verdict.models[1]
            if model and rivals and verdict.on_trial in {"", model}:
                rows.setdefault(model, []).append((number, side))
    trials = {}
    for model, places in rows.items():
        numbers, sides = np.array(places).T
        signs = 1.0 - 2.0 * sides
        gaps = signs * verdicts.characters[numbers]
        wins = np.where(sides == 0, verdicts.first_wins[numbers], 1 - verdicts.first_wins[numbers])
        lengths = np.tanh(gaps / (gaps.std(ddof=1) or 1.0)) if len(gaps) > 1 else gaps * 0
        texts = [
            verdicts.rows[number].second if side else verdicts.rows[number].first
            for number, side in places
        ]
        trials[model] = _Trials(
            wins,
            lengths,
            verdicts.compared[numbers] * signs / 2,
            verdicts.items[numbers],
            sum(map(len, texts)) / len(texts),
        )
    return trials


def _common(trials: Sequence[_Trials], items: int) -> tuple[Floats, Floats]:
    """What all models share: (φ, π), and ε of each item, 0 where items have few models.

    Blocks of parameters in turn: models and what they share by Newton's method, then each ε alone.
    """
    import numpy as np

    sizes = [len(rows.wins) for rows in trials]
    model = np.repeat(np.arange(len(trials)), sizes)
    wins = np.concatenate([rows.wins for rows in trials])
    lengths = np.concatenate([rows.lengths for rows in trials])
    places = np.concatenate([rows.places for rows in trials])
    numbers = np.concatenate([rows.items for rows in trials])
    shared = np.stack([lengths, places], axis=1)
    ease = np.zeros(items)
    strengths = np.zeros(len(trials))
    common = np.zeros(2)
    has_ease = len(model) >= _SHARED * len(np.unique(numbers)) and len(trials) >= _SHARED
    for _ in range(200):
        before = np.concatenate([strengths, common, ease])
        strengths = _single(strengths, model, wins, shared @ common + ease[numbers], _WIDE)
        offset = strengths[model] + ease[numbers]
        common = _newton_with_offset(shared, wins, offset, common)
        if has_ease:
            ease = _single(ease, numbers, wins, strengths[model] + shared @ common, _EASE_SPREAD)
        if np.abs(np.concatenate([strengths, common, ease]) - before).max() < 1e-6:
            break
    return common, ease


def _single(current: Floats, numbers: Ints, wins: Floats, offset: Floats, spread: float) -> Floats:
    """A Newton step for parameters of which each row has one."""
    import numpy as np

    p = logistic(offset + current[numbers])
    slope = np.bincount(numbers, weights=wins - p, minlength=len(current)) - current / spread**2
    curvature = np.bincount(numbers, weights=p * (1 - p), minlength=len(current)) + spread**-2
    return np.asarray(current + np.clip(slope / curvature, -2, 2))


def _newton_with_offset(x: Floats, wins: Floats, offset: Floats, current: Floats) -> Floats:
    import numpy as np

    p = logistic(offset + x @ current)
    slope = x.T @ (wins - p) - current / _WIDE**2
    curvature = x.T @ (x * (p * (1 - p))[:, None]) + np.eye(x.shape[1]) / _WIDE**2
    return np.asarray(current + np.clip(np.linalg.solve(curvature, slope), -2, 2))


def _corrected(rows: _Trials, common: Floats, ease: Floats) -> Score:
    """The win rate without a difference of length and place; interval by the jackknife of items."""
    import numpy as np
    from scipy.stats import norm

    ones = np.ones(len(rows.wins))
    x = np.stack([ones, rows.lengths, ease[rows.items], rows.places], axis=1)
    precision = np.array([_WIDE, _LENGTH_SPREAD, _SLOPE_SPREAD, _LENGTH_SPREAD]) ** -2.0
    centre = np.array([0.0, common[0], 1.0, common[1]])
    weights = newton_logit(x, rows.wins, precision, centre)
    even = x * np.array([1.0, 0.0, 1.0, 0.0])
    predicted = logistic(even @ weights)
    mean = float(predicted.mean())
    # the change of the mean where an item is left out: by the weights, and by its own share
    p = logistic(x @ weights)
    curvature = x.T @ (x * (p * (1 - p))[:, None]) + np.diag(precision)
    gradient = (even * (predicted * (1 - predicted))[:, None]).mean(axis=0)
    pull = (x * (rows.wins - p)[:, None]) @ np.linalg.solve(curvature, gradient)
    influence = pull + (predicted - mean) / len(predicted)
    by_item = np.bincount(rows.items, weights=influence)
    half = float(norm.ppf((1 + LEVEL) / 2) * np.sqrt((by_item**2).sum()))
    return Score("corrected win rate", mean, max(0.0, mean - half), min(1.0, mean + half), len(p))
