"""An audit: are cases decided differently when nothing but the group of a person differs?

Each scenario is decided once for each group. Differences are taken within a scenario, so that what
scenarios differ in does not count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, zip_longest

from augkit.core.errors import DataError
from augkit.core.results import Score
from augkit.core.types import value
from augkit.evaluation.statistics.intervals import LEVEL, bootstrap_mean, exact_share
from augkit.evaluation.statistics.significance import paired_mean, sign_flip_p
from augkit.evaluation.verdict import certainty
from augkit.text.features.statistics import corrected

_LEAST = 1e-6
"""Probabilities are kept this far from 0 and 1, so that their logits are finite."""
_LARGEST_LOGIT = math.log((1 - _LEAST) / _LEAST)
_PLAIN = frozenset({0.0, 0.5, 1.0})
"""Values of plain answers; 0.5 where those to two orders contradict each other."""


@value
class Decision:
    """How a scenario was decided for a group: the probability of the favourable answer.

    It is 1 or 0 where only the answer is known, and 0.5 where answers contradict each other.
    """

    scenario: str
    axis: str
    group: str
    favourable: float
    text: str = ""

    @property
    def logit(self) -> float:
        """ln(p / (1 - p))."""
        p = min(max(self.favourable, _LEAST), 1 - _LEAST)
        return math.log(p / (1 - p))


@value
class GroupRates:
    """A group: the share of favourable decisions, and their mean probability and logit.

    There is no logit in an audit of plain answers.
    """

    axis: str
    group: str
    rate: Score
    probability: Score
    logit: float | None


@value
class GroupComparison:
    """Second group minus first, over the scenarios that both have.

    ``difference`` is that of probabilities, ``logit`` that of logits; their intervals hold
    together for all comparisons of the audit. ``flips`` is the share of scenarios that are decided
    differently. ``alarm``: the difference is clear by its interval and its corrected p.
    """

    axis: str
    first: str
    second: str
    difference: Score
    logit: Score | None
    flips: Score
    p: float
    p_corrected: float
    alarm: bool


@value
class Audit:
    """Groups, comparisons of any two groups of an axis, and the pairs that differ most.

    The pairs are taken from the comparisons in turn.
    """

    groups: tuple[GroupRates, ...]
    comparisons: tuple[GroupComparison, ...]
    pairs: tuple[tuple[Decision, Decision], ...]


def scenarios_needed(comparisons: int) -> int:
    """The fewest scenarios with which a difference can raise an alarm.

    The smallest two-sided p of a sign test of n scenarios is 2 · 2⁻ⁿ; Holm's method multiplies it
    by the number of comparisons.

    >>> scenarios_needed(1), scenarios_needed(3)
    (6, 7)
    """
    needed = 1
    while comparisons * 2.0 ** (1 - needed) >= 1 - LEVEL:
        needed += 1
    return needed


def audit(
    decisions: Sequence[Decision], most_pairs: int = 50, *, has_probabilities: bool = True
) -> Audit:
    """Rates of all groups, and all comparisons, corrected for their number (Holm, Bonferroni).

    Where the system gives no probabilities, or all decisions are plain answers, there are no
    logits: they would be those of a clipped 0 or 1.
    """
    import numpy as np

    cells = _cells(decisions)
    paired = _paired(cells)
    if not paired:
        raise DataError(
            "nothing to compare: no scenario was decided for two groups of an axis. Each line "
            "needs its scenario, axis and group"
        )
    p = [sign_flip_p(" ".join(key), _gaps(pairs)) for key, pairs in paired.items()]
    adjusted = corrected(np.array(p), "holm").tolist()
    level = 1 - (1 - LEVEL) / len(paired)
    logits = has_probabilities and any(decision.favourable not in _PLAIN for decision in decisions)
    comparisons = tuple(
        _comparison(key, pairs, level, tests, logits=logits)
        for (key, pairs), *tests in zip(paired.items(), p, adjusted, strict=True)
    )
    ranked = []  # of each comparison the pairs that differ, the most different first
    for pairs in paired.values():
        different = [pair for pair in pairs if pair[0].logit != pair[1].logit]
        ranked.append(sorted(different, key=lambda pair: -abs(pair[1].logit - pair[0].logit)))
    shown = [pair for rank in zip_longest(*ranked) for pair in rank if pair is not None]
    groups = tuple(
        _rates(*key, list(by_scenario.values()), logits=logits)
        for key, by_scenario in cells.items()
    )
    return Audit(groups, comparisons, tuple(shown[:most_pairs]))


Pairs = Sequence[tuple[Decision, Decision]]
"""The decisions of scenarios for two groups."""
Cells = dict[tuple[str, str], dict[str, Decision]]
"""(axis, group) → scenario → decision."""


def _cells(decisions: Sequence[Decision]) -> Cells:
    cells: Cells = {}
    for decision in decisions:
        axis = decision.axis
        group = decision.group
        scenario = decision.scenario
        by_scenario = cells.setdefault((axis, group), {})
        if scenario in by_scenario:
            raise DataError(
                f"scenario '{scenario}' has two decisions for {axis} '{group}': each group is "
                "decided once"
            )
        by_scenario[scenario] = decision
    return cells


def _paired(cells: Cells) -> dict[tuple[str, str, str], Pairs]:
    """(axis, first group, second group) → their decisions in the scenarios that they share."""
    paired: dict[tuple[str, str, str], Pairs] = {}
    for first, second in combinations(cells, 2):
        shared = [scenario for scenario in cells[first] if scenario in cells[second]]
        if first[0] == second[0] and shared:
            pairs = [(cells[first][scenario], cells[second][scenario]) for scenario in shared]
            paired[first[0], first[1], second[1]] = pairs
    return paired


def _gaps(pairs: Pairs) -> list[float]:
    return [second.favourable - first.favourable for first, second in pairs]


def _comparison(
    key: tuple[str, str, str],
    pairs: Pairs,
    level: float,
    tests: Sequence[float],
    *,
    logits: bool,
) -> GroupComparison:
    """A comparison; ``tests`` are its p-value, plain and corrected."""
    axis, first_group, second_group = key
    p, p_corrected = tests
    difference = paired_mean("difference", _gaps(pairs), level, 1.0)
    logit = None
    if logits:
        gaps = [second.logit - first.logit for first, second in pairs]
        logit = paired_mean("difference of logits", gaps, level, 2 * _LARGEST_LOGIT)
    flips = sum(_favours(first) != _favours(second) for first, second in pairs)
    return GroupComparison(
        axis,
        first_group,
        second_group,
        difference,
        logit,
        exact_share("flips", flips, len(pairs)),
        p,
        p_corrected,
        alarm=certainty(difference.low, difference.high, p_corrected) == "clear",
    )


def _favours(decision: Decision) -> bool:
    return decision.favourable > 0.5


def _rates(axis: str, group: str, decisions: Sequence[Decision], *, logits: bool) -> GroupRates:
    yes = sum(map(_favours, decisions))
    return GroupRates(
        axis,
        group,
        exact_share("rate", yes, len(decisions)),
        bootstrap_mean("probability", [decision.favourable for decision in decisions]),
        sum(decision.logit for decision in decisions) / len(decisions) if logits else None,
    )
