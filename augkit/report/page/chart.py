"""Charts as coordinates that the templates draw in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from typing_extensions import Self

from augkit.core.results import Score

_WIDTH = 420
_LEFT = 8
_RIGHT = 250
"""Narrow, so that it can be read on a phone; values are written right of the axis."""
_LINE = 22
_TOP = 28
_COLOURS = 6
_UNNUMBERED = 2
"""Series that are told apart by their colours alone."""
_LONGEST_NAME = 52


@dataclass(frozen=True)
class Bar:
    """One score: the test set, the training set, the value, 0 to 1, and its interval if any.

    A value of None is one that does not exist: there is no dot, and the figures say so.
    """

    test: str
    series: str
    value: float | None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, test: str, series: str, score: Score) -> Self:
        """A score with its interval."""
        return cls(test, series, score.value, score.low, score.high)

    @property
    def text(self) -> str:
        """The value and its interval, in percent."""
        if self.value is None:
            return "no rows"
        value = f"{100 * self.value:.1f}"
        if self.low is None or self.high is None:
            return value
        return f"{value} ({100 * self.low:.1f} to {100 * self.high:.1f})"


def chart(
    title: str, bars: Sequence[Bar], caption: str, *, together: bool = False
) -> dict[str, Any]:
    """Dots with whiskers: the name of each test set, and below it a line per score.

    ``together`` puts all scores of a test set on one line. More than two series are numbered.
    """
    series = list(dict.fromkeys(bar.series for bar in bars))
    tests = list(dict.fromkeys(bar.test for bar in bars))
    names = []
    lines = []
    y = _TOP
    for test in tests:
        fits = len(test) <= _LONGEST_NAME
        names.append((test if fits else f"{test[: _LONGEST_NAME - 1]}…", y + 12))
        y += _LINE - (6 if together else 0)
        scores = [bar for bar in bars if bar.test == test]
        for number, bar in enumerate(scores):
            text = " → ".join(score.text for score in scores) if together else bar.text
            place = series.index(bar.series)
            shown = text if not together or number == 0 else ""
            shown += f" [{place + 1}]" if len(series) > _UNNUMBERED else ""
            if bar.value is not None:
                lines.append(_line(bar, bar.value, y + 8, place, shown))
            y += 0 if together and number < len(scores) - 1 else _LINE
        y += 0 if together else 8
    return {
        "title": title,
        "caption": caption,
        "names": names,
        "lines": lines,
        "series": [
            (f"[{place}] {name}" if len(series) > _UNNUMBERED else name, (place - 1) % _COLOURS)
            for place, name in enumerate(series, 1)
        ],
        "width": _WIDTH,
        "height": y + 24,
        "ticks": [(tick, _x(tick / 100)) for tick in (0, 25, 50, 75, 100)],
        "floor": y,
        "figures": _RIGHT + 18,
    }


def curve(title: str, values: Sequence[tuple[int, float]]) -> dict[str, Any]:
    """A line through values; the first and the last are labelled."""
    width = _WIDTH
    height = 130
    left = 40
    right = _WIDTH - 60
    lowest, highest = (pick(value for _, value in values) for pick in (min, max))
    points = []
    for step, (_, value) in enumerate(values):
        x = left + (right - left) * step / max(1, len(values) - 1)
        y = 36 + 66 * (highest - value) / ((highest - lowest) or 1)
        points.append((round(x, 1), round(y, 1)))
    labels = [f"{name}: {value:.4g}" for name, value in values]
    ends = [(points[0][0], points[0][1] - 10, f"{values[0][1]:.4g}")]
    if len(values) > 1:
        ends.append((points[-1][0], points[-1][1] + 20, f"{values[-1][1]:.4g}"))
    return {
        "title": title,
        "width": width,
        "height": height,
        "points": " ".join(f"{x},{y}" for x, y in points),
        "marks": [(x, y, label) for (x, y), label in zip(points, labels, strict=True)],
        "ends": ends,
        "labels": labels,
    }


def _line(bar: Bar, value: float, y: int, number: int, text: str) -> dict[str, Any]:
    return {
        "series": bar.series,
        "number": number % _COLOURS,
        "y": y,
        "x": _x(value),
        "low": _x(value if bar.low is None else bar.low),
        "high": _x(value if bar.high is None else bar.high),
        "text": text,
    }


def _x(share: float) -> float:
    """The x coordinate of a share."""
    return round(_LEFT + (_RIGHT - _LEFT) * min(1.0, max(0.0, share)), 1)
