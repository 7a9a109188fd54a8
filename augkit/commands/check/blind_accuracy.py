"""How often a ranker that never sees the prompt finds the winner.

Two figures, for two questions. The accuracy comes from five crossed folds. Its p-value does not,
because what one fold is trained on is tested in another, and such a test gives too many alarms: it
comes from blocks, each predicted from those before it, as in ``predictions.field_alone``. Items of
one unit (a prompt, a group) are in one fold and in one block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from augkit.commands.check.choice_rows import CANDIDATES, CheckedChoices
from augkit.commands.check.contract import BlindSection
from augkit.commands.check.finding import CheckRun, Finding
from augkit.core.arrays import Floats
from augkit.core.types import digest
from augkit.evaluation.statistics.significance import fisher_p
from augkit.models.blind_ranker import blind_features
from augkit.text.features.item_features import ItemFeature
from augkit.text.features.within_items import RankedItems

_FOLDS = 5
_BLOCKS = 4
_LEAST_ITEMS = 40
"""With fewer items nothing is trained."""


@dataclass(frozen=True)
class BlindAccuracy:
    """The accuracy without the prompt."""

    ranked: RankedItems
    """Every item, ranked by a model that was trained on other units."""
    p: float
    scores: Floats
    """What that model gives each candidate: float[candidates]."""


def check_blind_accuracy(
    rows: CheckedChoices, section: BlindSection, alpha: float, ruler: ItemFeature | None
) -> CheckRun:
    """A conditional logit of words, word pairs and amounts; its gain over chance is limited."""
    name = "blind_accuracy"
    units = [digest("block", unit) for unit in rows.units]
    chosen = sorted(range(len(rows)), key=lambda number: units[number])[: section.max_rows]
    single = f"; by one feature at best {_percent(ruler)}" if ruler else ""
    if len(chosen) < _LEAST_ITEMS or len(set(units)) < _FOLDS:
        summary = f"{len(rows):,} items are too few to train on{single}"
        return CheckRun(name, summary, skipped=True)
    blind = blind_accuracy(rows, sorted(chosen))
    accuracy = blind.ranked.accuracy
    chance = blind.ranked.items.chance
    gain = accuracy - chance
    sample = ""
    if len(chosen) < rows.total:
        error = 1.96 * sqrt(accuracy * (1 - accuracy) / len(chosen))
        sample = f" on a sample of {len(chosen):,} items, ±{error:.1%}"
    summary = f"{accuracy:.1%} without the prompt{sample} (chance {chance:.1%}){single}"
    if gain <= section.limit or blind.p > alpha:
        return CheckRun(name, f"{summary}; limit: {section.limit:g} over guessing")
    message = (
        f"a ranker that never sees the prompt finds the winner in {accuracy:.1%} of "
        f"{len(chosen):,} items, {gain:.2f} over chance (limit {section.limit:g})"
    )
    finding = Finding(name, message, gain, section.limit, CANDIDATES, p=blind.p)
    return CheckRun(name, summary, [finding])


def blind_accuracy(rows: CheckedChoices, numbers: Sequence[int]) -> BlindAccuracy:
    """Rank these items by crossed folds, and test the ranking by blocks."""
    import numpy as np

    chosen = np.zeros(len(rows), dtype=bool)
    chosen[list(numbers)] = True
    items = rows.items.part(chosen)
    texts = [text for number in numbers for text in rows.choices[number].candidates]
    features = blind_features(texts)
    keys = [int(digest("block", rows.units[number]), 16) for number in numbers]
    folds = np.array([key // _BLOCKS % _FOLDS for key in keys])
    scores = features.crossed_scores(items, folds, np.ones(len(folds), dtype=bool))
    blocks = np.array([key % _BLOCKS for key in keys])
    ps = []
    for block in range(1, _BLOCKS):
        seen = blocks < block
        held = blocks == block
        if held.any() and seen.sum() >= _LEAST_ITEMS // _BLOCKS:
            predicted = features.scores(items, seen, held)
            ps.append(items.part(held).rank(predicted).p)
    return BlindAccuracy(items.rank(scores), fisher_p(ps), scores)


def _percent(ruler: ItemFeature) -> str:
    return f"{ruler.ranked.accuracy:.1%} ({ruler.phrase})"
