"""Labels with an order (1 to 5 stars; low, medium, high), and where a flip in it goes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from augkit.core.characters import other_spelling
from augkit.core.errors import DataError
from augkit.core.types import NoItems
from augkit.lexicons.load import data_yaml

NO_OTHER_SIDE = "no label on the other side of the middle"
"""The reason for a row whose label cannot be flipped in its order."""
_ROUNDING = 1e-9
"""Positions that differ by less are equal."""
_FEWEST = 3
_SENTIMENT = {"positive": "it is good", "negative": "it is bad"}
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_RATED = re.compile(
    r"(?P<of>[-+]?\d+(?:\.\d+)?)\s*(?:stars?|points?|/\s*\d+)"
    r"|(?:stars?|rating|score|grade|level|rank)\s*(?:[:=]\s*)?(?P<by>[-+]?\d+(?:\.\d+)?)"
)


@dataclass(frozen=True)
class LabelOrder:
    """Labels at their positions on a scale; neighbours are one apart."""

    positions: Mapping[str, float] = field(default_factory=NoItems, hash=False)
    middle: float = 0.0
    high_is_better: bool = False
    """Whether the names say that higher is better."""

    @property
    def ranked(self) -> list[str]:
        """The labels from lowest to highest."""
        return sorted(self.positions, key=lambda label: (self.positions[label], label))

    def meanings(self, polarity: Mapping[str, str]) -> dict[str, str]:
        """What the labels mean: their place in the order and, where it is known, a polarity.

        >>> named_order(["low", "medium", "high"]).meanings({"low": "negative"})["low"]
        'it is bad; number 1 of 3, from lowest to highest: low, medium, high'
        """
        ranked = self.ranked
        meanings = {}
        for number, label in enumerate(ranked, 1):
            place = f"number {number} of {len(ranked)}, from lowest to highest: {', '.join(ranked)}"
            side = _SENTIMENT.get(polarity.get(label, ""))
            meanings[label] = f"{side}; {place}" if side else place
        return meanings

    def side(self, label: str | None) -> int:
        """-1 below the middle, 1 above it, 0 in the middle."""
        distance = self.positions.get(str(label), self.middle) - self.middle
        return (distance > _ROUNDING) - (distance < -_ROUNDING)

    def strength(self, label: str) -> float | None:
        """0 next to the middle, 1 at the end; None where the labels of a side are one.

        >>> order = declared_order(("1", "2", "3", "4", "5"), ("1", "2", "3", "4", "5"))
        >>> [order.strength(label) for label in "12345"]
        [1.0, 0.0, None, 0.0, 1.0]
        """
        if self.side(label) == 0:
            return None
        distances = [abs(self.positions[name] - self.middle) for name in self.same_side(label)]
        nearest = min(distances)
        farthest = max(distances)
        if farthest - nearest < _ROUNDING:
            return None
        return (abs(self.positions[label] - self.middle) - nearest) / (farthest - nearest)

    def same_side(self, label: str | None) -> list[str]:
        """The labels on the side of a label, and itself."""
        return [
            candidate for candidate in self.positions if self.side(candidate) == self.side(label)
        ]

    def flipped(self, label: str | None) -> str | None:
        """The label nearest to the mirror image that is no neighbour, if there is one.

        >>> order = declared_order(("1", "2", "3", "4", "5"), ("1", "2", "3", "4", "5"))
        >>> [order.flipped(label) for label in ("5", "4", "3", "2", "1")]
        ['1', '2', None, '4', '5']
        >>> declared_order(("low", "high"), ("none", "low", "high", "most")).flipped("low")
        """
        here = self.positions.get(str(label))
        side = self.side(label)
        if here is None or side == 0:
            return None
        mirror = 2 * self.middle - here
        opposed = {
            candidate: at
            for candidate, at in self.positions.items()
            if self.side(candidate) == -side and abs(at - here) > 1 + _ROUNDING
        }
        return min(
            opposed,
            key=lambda candidate: (abs(opposed[candidate] - mirror), candidate),
            default=None,
        )


def declared_order(labels: Sequence[str], declared: Sequence[str]) -> LabelOrder:
    """The order that the user states; an error where it lacks a label of the dataset."""
    if len(set(declared)) < max(_FEWEST, len(declared)):
        raise DataError(
            f"label_order: {', '.join(declared)}: give at least three different labels, from "
            "lowest to highest"
        )
    if same := other_spelling(declared, labels):
        raise DataError(f"label_order: {same}")
    levels = {_key(label): float(number) for number, label in enumerate(declared)}
    if missing := [label for label in labels if _key(label) not in levels]:
        raise DataError(
            f"label_order: the dataset also has the label '{missing[0]}', and the order names only "
            f"{', '.join(declared)}: add it"
        )
    positions = {label: levels[_key(label)] for label in labels}
    return LabelOrder(positions, (len(declared) - 1) / 2)


def named_order(labels: Sequence[str]) -> LabelOrder | None:
    """The order that the names of labels state: words of a known scale, or "4 stars".

    >>> named_order(["high", "low", "Medium"]).flipped("low")
    'high'
    >>> named_order(["1", "2", "3"]), named_order(["sports", "politics", "high"])
    (None, None)
    """
    if len(labels) < _FEWEST:
        return None
    for better, levels in _scales():
        if all(_key(label) in levels for label in labels):
            positions = {label: levels[_key(label)] for label in labels}
            if len(set(positions.values())) >= _FEWEST:
                return LabelOrder(positions, max(levels.values()) / 2, better)
    rated = [_RATED.fullmatch(_key(label)) for label in labels]
    values = [float(match["of"] or match["by"]) for match in rated if match]
    return _by_value(labels, values) if len(values) == len(labels) else None


def numeric_order(labels: Sequence[str]) -> LabelOrder | None:
    """The order of labels that are plain numbers; they may be mere codes, so look at the texts.

    >>> numeric_order(["1.0", "2.0", "4.0", "5.0"]).flipped("4.0")
    '2.0'
    """
    if len(labels) < _FEWEST or not all(map(_NUMBER.fullmatch, labels)):
        return None
    return _by_value(labels, [float(label) for label in labels])


def _by_value(labels: Sequence[str], values: Sequence[float]) -> LabelOrder | None:
    """Positions by value; the smallest difference is one step."""
    ranked = sorted(set(values))
    if len(ranked) < _FEWEST:
        return None
    step = min(b - a for a, b in pairwise(ranked))
    low = ranked[0]
    high = ranked[-1]
    positions = {label: (v - low) / step for label, v in zip(labels, values, strict=True)}
    return LabelOrder(positions, (high - low) / step / 2)


def _key(label: str) -> str:
    """What two spellings of a label have in common; of "4.0" and "4" the number."""
    if _NUMBER.fullmatch(label.strip()):
        return repr(float(label))
    return " ".join(re.sub(r"[_\-\s]+", " ", label.casefold()).split())


@cache
def _scales() -> tuple[tuple[bool, dict[str, float]], ...]:
    """Each scale of the table: whether higher is better, and the position of each name."""
    positions = []
    for kind, scales in data_yaml("label_scales.yaml").items():
        for scale in scales:
            levels = [level.split("/") for level in scale.split(", ")]
            names = {name: float(n) for n, level in enumerate(levels) for name in level}
            positions.append((kind == "better", names))
    return tuple(positions)
