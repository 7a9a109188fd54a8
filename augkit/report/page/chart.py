"""Charts as numbers that the templates draw in SVG, in the page's own colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from typing_extensions import Self

_WIDTH, _LEFT, _RIGHT = 420, 8, 250
"""Narrow, so that its letters can be read on a phone; values stand right of the axis."""
_LINE, _TOP = 22, 28
_COLOURS = 6
_LONGEST_NAME = 52


@dataclass(frozen=True)
class Bar:
    """One score: the test set, what was trained on, the value, 0 to 1, and its interval if any."""

    test: str
    arm: str
    value: float
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, test: str, arm: str, score: Mapping[str, Any]) -> Self:
        """From a score as ``scores.json`` holds it."""
        return cls(test, arm, score["value"], score["low"], score["high"])

    @property
    def told(self) -> str:
        """In words."""
        value = f"{100 * self.value:.1f}"
        if self.low is None or self.high is None:
            return value
        return f"{value} ({100 * self.low:.1f} to {100 * self.high:.1f})"


def chart(
    title: str, bars: Sequence[Bar], caption: str, *, together: bool = False
) -> dict[str, Any]:
    """Dots with whiskers: the name of each test set, and below it a line a score, or one for all.

    ``together`` puts the scores of a test set on one line, for many short lists.
    """
    arms = list(dict.fromkeys(bar.arm for bar in bars))
    names, lines, y = [], [], _TOP
    for test, own in groupby(sorted(bars, key=_order(bars)), key=lambda bar: bar.test):
        names.append((_short(test), y + 12))
        y += _LINE - (6 if together else 0)
        scores = list(own)
        for number, bar in enumerate(scores):
            told = " → ".join(one.told for one in scores) if together else bar.told
            shown = told if not together or number == 0 else ""
            lines.append(_line(bar, y + 8, arms.index(bar.arm), shown))
            y += 0 if together and number < len(scores) - 1 else _LINE
        y += 0 if together else 8
    return {
        "title": title,
        "caption": caption,
        "names": names,
        "lines": lines,
        "arms": arms,
        "width": _WIDTH,
        "height": y + 24,
        "ticks": [(tick, _x(tick / 100)) for tick in (0, 25, 50, 75, 100)],
        "floor": y,
        "figures": _RIGHT + 18,
    }


def curve(title: str, values: Sequence[tuple[int, float]]) -> dict[str, Any]:
    """A line through values, its first and last told in figures."""
    width, height, left, right = _WIDTH, 130, 40, _WIDTH - 60
    lowest, highest = (pick(value for _, value in values) for pick in (min, max))
    places = []
    for step, (_, value) in enumerate(values):
        x = left + (right - left) * step / max(1, len(values) - 1)
        y = 36 + 66 * (highest - value) / ((highest - lowest) or 1)
        places.append((round(x, 1), round(y, 1)))
    told = [f"{name}: {value:.4g}" for name, value in values]
    ends = [(places[0][0], places[0][1] - 10, f"{values[0][1]:.4g}")]
    if len(values) > 1:
        ends.append((places[-1][0], places[-1][1] + 20, f"{values[-1][1]:.4g}"))
    return {
        "title": title,
        "width": width,
        "height": height,
        "points": " ".join(f"{x},{y}" for x, y in places),
        "marks": [(x, y, words) for (x, y), words in zip(places, told, strict=True)],
        "ends": ends,
        "told": told,
    }


def _short(name: str) -> str:
    """A name that fits the paper."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _order(bars: Sequence[Bar]) -> Any:
    """Test sets as they came first, and within one the scores as they came."""
    first = {test: place for place, test in enumerate(dict.fromkeys(bar.test for bar in bars))}
    return lambda bar: first[bar.test]


def _line(bar: Bar, y: int, arm: int, told: str) -> dict[str, Any]:
    return {
        "arm": bar.arm,
        "number": arm % _COLOURS,
        "y": y,
        "x": _x(bar.value),
        "low": _x(bar.value if bar.low is None else bar.low),
        "high": _x(bar.value if bar.high is None else bar.high),
        "told": told,
    }


def _x(share: float) -> float:
    """Where a share stands on the paper."""
    return round(_LEFT + (_RIGHT - _LEFT) * min(1.0, max(0.0, share)), 1)
