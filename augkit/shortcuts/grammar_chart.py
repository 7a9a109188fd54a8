"""``features.svg``: the labels of the held-out rows that hold each group of structures, as bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from augkit.text.printable import printable

_COLOURS = ("#3b6ea8", "#c8553d", "#6a9955", "#8e6bb0", "#c49a3a", "#5b8c8c")
_PATTERNS = 3
_LONGEST_NAME = 44
_NAMES = 330
_BARS = 480
_COUNTS = 60
"""Widths of the three columns, in pixels."""
_LINE = 24
_BAR = 16
_LEGEND = 170
"""Width of a label in the legend."""
_PER_ROW = (_NAMES + _BARS) // _LEGEND


def groups_chart(records: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Draw one bar a group: shares of the labels among its held-out rows.

    A mark on the bar is the share of the group's own label on the picking rows, so that what did
    not hold up is seen at once. Beside the bar is the number of held-out rows.

    Args:
        records: The groups, as in ``features.jsonl``.
        names: The labels; each has the same colour in all bars.
    """
    shown = [record for record in records if record["held_out_count"]]
    top = _LINE * (1 + -(-len(names) // _PER_ROW))
    width = _NAMES + _BARS + _COUNTS
    height = top + _LINE * (len(shown) + 1)
    title = "share of the labels among held-out rows that hold the feature"
    size = f'width="{width}" height="{height}"'
    box = f'viewBox="0 0 {width} {height}"'
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} font-size="12" role="img">',
        f"<title>{title}</title>",
        f'<rect {size} fill="white"/>',
        *_legend(names),
    ]
    for number, record in enumerate(shown):
        lines += _bar(record, names, top + _LINE * number)
    lines.append(_text(_NAMES, height - 8, f"0 to 100 %: {title}"))
    return "\n".join([*lines, "</svg>", ""])


def _legend(names: Sequence[str]) -> Iterator[str]:
    """A square and a name for each label."""
    for number, name in enumerate(names):
        row, column = divmod(number, _PER_ROW)
        x = 10 + _LEGEND * column
        y = 8 + _LINE * row
        yield f'<rect x="{x}" y="{y}" width="12" height="12" fill="{_colour(names, name)}"/>'
        yield _text(x + 18, y + 11, _shortened(name, _LONGEST_NAME // 2))


def _bar(record: Mapping[str, Any], names: Sequence[str], y: int) -> Iterator[str]:
    """The group's own label first, so that bars can be compared."""
    yield _text(_NAMES - 8, y + 12, _name(record), anchor="end")
    x = float(_NAMES)
    label = record["label"]
    for name in [label, *(name for name in names if name != label)]:
        width = _BARS * record["held_out_counts"][name] / record["held_out_count"]
        colour = _colour(names, name)
        yield f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}" fill="{colour}"/>'
        x += width
    mark = _NAMES + _BARS * record["share"]
    yield f'<path d="M{mark:.1f} {y - 2}v{_BAR + 4}" stroke="black" stroke-width="1.5"/>'
    yield _text(_NAMES + _BARS + 6, y + 12, f"{record['held_out_count']:,}")


def _name(record: Mapping[str, Any]) -> str:
    words = ", ".join(pattern["pattern"] for pattern in record["patterns"][:_PATTERNS])
    return f"{record['root']}: {_shortened(words, _LONGEST_NAME)}"


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _colour(names: Sequence[str], name: str) -> str:
    return _COLOURS[list(names).index(name) % len(_COLOURS)]


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    """A text as what it says, whatever signs it has."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(printable(text))}</text>'
