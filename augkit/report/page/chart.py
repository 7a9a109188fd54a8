"""Dots with whiskers: test sets before and after, drawn as SVG that follows the page's colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_WIDTH, _LEFT, _RIGHT = 420, 8, 250
"""Narrow, so that its letters can be read on a phone; values stand right of the axis."""
_LINE, _TOP = 22, 28


@dataclass(frozen=True)
class Bar:
    """One score: the test set, what was trained on, the value and its interval, 0 to 1."""

    test: str
    arm: str
    value: float
    low: float
    high: float


def chart(title: str, bars: Sequence[Bar]) -> dict[str, Any]:
    """Numbers that the template draws: the name of each test set, and below it a line a score."""
    arms = list(dict.fromkeys(bar.arm for bar in bars))
    names, lines, y = [], [], _TOP
    for test in dict.fromkeys(bar.test for bar in bars):
        names.append((test, y + 12))
        y += _LINE
        for bar in (bar for bar in bars if bar.test == test):
            lines.append(_line(bar, y + 8, arms.index(bar.arm)))
            y += _LINE
        y += 8
    return {
        "title": title,
        "names": names,
        "lines": lines,
        "arms": arms,
        "width": _WIDTH,
        "height": y + 24,
        "ticks": [(tick, _x(tick / 100)) for tick in (0, 25, 50, 75, 100)],
        "floor": y,
        "figures": _RIGHT + 18,
    }


def _line(bar: Bar, y: int, number: int) -> dict[str, Any]:
    return {
        "arm": bar.arm,
        "number": number,
        "y": y,
        "x": _x(bar.value),
        "low": _x(bar.low),
        "high": _x(bar.high),
        "told": f"{100 * bar.value:.1f} ({100 * bar.low:.1f} to {100 * bar.high:.1f})",
    }


def _x(share: float) -> float:
    """Where a share stands on the paper."""
    return round(_LEFT + (_RIGHT - _LEFT) * min(1.0, max(0.0, share)), 1)
