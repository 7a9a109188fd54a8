"""What moves a judge, all else equal: place, length, Markdown, own family, the right answer.

    logit P(first wins) = β₀ + β₁ Δlength + β₂ ΔMarkdown + β₃ Δown + β₄ gold [+ θ_first - θ_second]

Δ is the first answer minus the second: of log₂ of the characters and of 1 + the marks, and whether
only one of them is by a model of the judge's family. gold is 1 where the first answer is the right
one, -1 where the second is. β₀ counts only where both answers were shown at once. Where no right
answer is known and the rows name the models, each model has its strength θ instead; what a judge
thinks of its own family can then be told only from judges of several families.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from augkit.commands.audit.judges.logit import LogitFit, fit_logit
from augkit.commands.audit.judges.verdicts import Verdicts
from augkit.core.arrays import Floats
from augkit.core.results import Score
from augkit.core.types import value
from augkit.evaluation.statistics.intervals import ALPHA
from augkit.text.features.statistics import corrected

PLACE = "shown first"
LENGTH = "twice as long"
MARKDOWN = "twice the Markdown"
FAMILY = "own family"
RIGHT = "right"
FEWEST_ITEMS = 10
"""With fewer items no effect is tested."""
_MOST_MODELS = 100


@value
class JudgeEffect:
    """How often an answer wins that has something of which the other has none, all else equal.

    ``share`` is 1 / (1 + e⁻ᵝ): 0.5 without an effect. ``alarm``: it is clear after correction for
    all effects of all judges. The effect of being right raises none.
    """

    judge: str
    effect: str
    share: Score
    coefficient: float
    p: float
    p_corrected: float = 1.0
    alarm: bool = False


def judge_effects(judge: str, verdicts: Verdicts) -> list[JudgeEffect]:
    """The effects that vary in these verdicts; none where items are too few."""
    import numpy as np

    items = len(np.unique(verdicts.items))
    if items < FEWEST_ITEMS:
        return []
    columns = dict(_columns(verdicts))
    if not columns:
        return []
    strengths = [] if (verdicts.gold != 0).any() else _strengths(verdicts)
    features = np.stack([*columns.values(), *strengths], axis=1)
    fitted = fit_logit(features, verdicts.first_wins, verdicts.items)
    return [_effect(judge, name, number, fitted) for number, name in enumerate(columns)]


def correct_effects(effects: Sequence[JudgeEffect]) -> list[JudgeEffect]:
    """The effects with p-values corrected together by Holm's method, and their alarms."""
    import numpy as np

    tested = [number for number, effect in enumerate(effects) if effect.effect != RIGHT]
    if not tested:
        return list(effects)
    adjusted = corrected(np.array([effects[number].p for number in tested]), "holm").tolist()
    by_number = dict(zip(tested, adjusted, strict=True))
    return [
        effect
        if number not in by_number
        else replace(effect, p_corrected=by_number[number], alarm=bool(by_number[number] < ALPHA))
        for number, effect in enumerate(effects)
    ]


def _columns(verdicts: Verdicts) -> Iterator[tuple[str, Floats]]:
    import numpy as np

    if verdicts.compared.any():
        yield PLACE, verdicts.compared.astype(np.float64)
    has_gold = bool((verdicts.gold != 0).any())
    families = len({row.judge for row in verdicts.rows}) > 1
    for name, column in (
        (LENGTH, verdicts.doublings),
        (MARKDOWN, verdicts.markdown),
        (FAMILY, verdicts.own_family if has_gold or families else np.zeros(1)),
        (RIGHT, verdicts.gold),
    ):
        if column.any():
            yield name, column


def _strengths(verdicts: Verdicts) -> list[Floats]:
    """A column for each model: 1 where it wrote the first answer, -1 where the second."""
    import numpy as np

    models = sorted({model for row in verdicts.rows for model in row.models if model})
    if not 1 < len(models) <= _MOST_MODELS:
        return []
    pairs = [row.models for row in verdicts.rows]
    sides = [np.array([pair[side] for pair in pairs]) for side in (0, 1)]
    return [
        (sides[0] == model).astype(np.float64) - (sides[1] == model).astype(np.float64)
        for model in models[1:]
    ]


def _effect(judge: str, name: str, number: int, fitted: LogitFit) -> JudgeEffect:
    found = fitted.coefficient(number)
    ends = (found.value, found.low, found.high)
    value, low, high = (1 / (1 + math.exp(-max(-700.0, end))) for end in ends)
    share = Score(name, value, low, high, fitted.clusters)
    return JudgeEffect(judge, name, share, found.value, found.p)
