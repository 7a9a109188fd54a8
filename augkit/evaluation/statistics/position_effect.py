"""The position effect: how far a model's answer depends on the order in which options are shown."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.core.results import Score
from augkit.evaluation.statistics.intervals import bootstrap_mean, exact_share
from augkit.prompts.choice_question import ChoiceAnswer, likeliest

FLIPS = "answer depends on the order"
FIRST, LAST = "first option", "last option"


def position_effect(answers: Sequence[ChoiceAnswer]) -> list[Score]:
    """The share of questions answered differently in different orders, and who gains by position.

        E_i = (1/|O|) · Σ_{o∈O} [ p(o_i | o) - p̄(o_i) ]

    O are the orders in which a question was asked, o_i the option at position i of order o, and p̄
    its probability averaged over O. E_first and E_last are means over questions: 0 without an
    effect; a model that always takes the first of k options has E_first = 1 - 1/k where each option
    comes first equally often. Questions answered in one order only are left out.
    """
    several = [one for one in answers if len(one.by_order) > 1]
    if not several:
        return []
    flips = sum(_depends_on_order(one) for one in several)
    # p̄ holds a share of 1/|O| of each p itself, so no gain is larger than 1 - 1/|O|.
    largest = max(1 - 1 / len(one.by_order) for one in several)
    return [
        exact_share(FLIPS, flips, len(several)),
        bootstrap_mean(FIRST, [_gain(one, 0) for one in several], (-largest, largest)),
        bootstrap_mean(LAST, [_gain(one, -1) for one in several], (-largest, largest)),
    ]


def _depends_on_order(answer: ChoiceAnswer) -> bool:
    return len({likeliest(one.probabilities) for one in answer.by_order}) > 1


def _gain(answer: ChoiceAnswer, index: int) -> float:
    mean = answer.probabilities
    gains = [
        one.probabilities[one.order[index]] - mean[one.order[index]] for one in answer.by_order
    ]
    return sum(gains) / len(gains)
