"""A small SVG canvas: text with coloured runs, lines, boxes and bars, for light and dark screens.

Every picture is ``WIDTH`` units wide, which a phone shows at nearly full size. Its height follows
from what is drawn. Widths of text are estimated, generously, because an SVG has no line breaking.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

WIDTH = 440
MARGIN = 16
SIZE = 14
LEADING = 20

Run = tuple[str, str]
"""A piece of text and its class: "", or one of the classes of ``STYLE``."""

STYLE = """
text { font: 14px system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #1f2328; }
.card { fill: #ffffff; stroke: #d0d7de; }
.faint { fill: #59636e; font-size: 12px; }
.heading { font-weight: 600; }
.principal { fill: #b3261e; font-weight: 600; text-decoration: underline; }
.spurious { fill: #0b57d0; text-decoration: underline dotted; }
.edited { fill: #116329; font-weight: 600; text-decoration: underline; }
.line { stroke: #59636e; stroke-width: 1.2; fill: none; }
.strong { stroke: #b3261e; stroke-width: 2.2; fill: none; }
.box { fill: none; stroke: #8c959f; }
.first { fill: #c4584f; }
.second { fill: #3d78d8; }
.inside { fill: #ffffff; font-size: 12px; }
.paper { fill: #eaeef2; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.card { fill: #161b22; stroke: #3d444d; }
.faint { fill: #a3adb8; }
.principal { fill: #ff8f86; }
.spurious { fill: #8ab8ff; }
.edited { fill: #6fdd8b; }
.line { stroke: #a3adb8; }
.strong { stroke: #ff8f86; }
.box { stroke: #6e7681; }
.inside { fill: #ffffff; font-size: 12px; }
.paper { fill: #2a313a; }
}
"""


class Picture:
    """A drawing with a position ``y`` that moves down as parts are added."""

    def __init__(self, title: str, description: str) -> None:
        """Begin a picture; ``title`` and ``description`` are for screen readers."""
        self.title = title
        self.description = description
        self.y = MARGIN
        self.parts: list[str] = []

    def space(self, height: int = 10) -> None:
        """Leave room."""
        self.y += height

    def heading(self, text: str) -> None:
        """A line in bold."""
        self.paragraph([(text, "heading")])

    def note(self, text: str) -> None:
        """A paragraph in small, faint letters."""
        self.paragraph([(text, "faint")])

    def paragraph(self, runs: Iterable[Run], indent: int = 0) -> None:
        """Coloured pieces of text, broken into lines."""
        for line in wrapped(list(runs), WIDTH - 2 * MARGIN - indent):
            self.y += LEADING
            self.text(MARGIN + indent, self.y - 5, line)

    def text(self, x: float, y: float, runs: Sequence[Run], anchor: str = "start") -> None:
        """One line of text at a point; ``anchor`` is start, middle or end."""
        spans = "".join(_span(text, kind) for text, kind in runs)
        anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.parts.append(f'<text x="{_number(x)}" y="{_number(y)}"{anchored}>{spans}</text>')

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str = "line") -> None:
        """A straight line."""
        ends = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
        self.parts.append(f'<line {ends} class="{kind}"/>')

    def box(self, x: float, y: float, width: float, height: float, kind: str = "box") -> None:
        """A rectangle with round corners; an outline, or filled by a class."""
        size = f'width="{_number(width)}" height="{_number(height)}"'
        self.parts.append(f'<rect x="{_number(x)}" y="{_number(y)}" {size} rx="3" class="{kind}"/>')

    def arrow(self, text: str = "") -> None:
        """An arrow down to the next part, with a word beside it."""
        x, top = MARGIN + 8, self.y + 6
        self.line(x, top, x, top + 18)
        self.parts.append(
            f'<path d="M{x - 4} {top + 13} l4 6 l4 -6" class="line"/>',
        )
        self.text(x + 14, top + 13, [(text, "faint")])
        self.y += 30

    def shares(self, name: str, parts: Sequence[tuple[str, float]]) -> None:
        """A bar of two parts that sum to 1; a part names its share where it has room."""
        left, full = MARGIN + 52, WIDTH - 2 * MARGIN - 52
        self.text(MARGIN, self.y + 15, [(name, "faint")])
        x = float(left)
        for (label, share), kind in zip(parts, ("first", "second"), strict=True):
            text = f"{share:.0%} {label}"
            self.box(x, self.y + 2, max(full * share - 2, 0), 18, kind)
            if text_width(text, "faint") + 10 < full * share:
                self.text(x + 6, self.y + 15, [(text, "inside")])
            x += full * share
        self.y += 24

    def counts(self, name: str, parts: Sequence[tuple[str, int]], most: int) -> None:
        """A bar of two counts, drawn to the scale of ``most``, with its numbers behind it."""
        left, full = MARGIN + 52, WIDTH - 2 * MARGIN - 52 - 150
        self.text(MARGIN, self.y + 15, [(name, "faint")])
        x = float(left)
        for (_, count), kind in zip(parts, ("first", "second"), strict=True):
            self.box(x, self.y + 2, full * count / most, 18, kind)
            x += full * count / most
        numbers = ", ".join(f"{count} {label}" for label, count in parts)
        self.text(x + 6, self.y + 15, [(numbers, "faint")])
        self.y += 24

    def svg(self) -> str:
        """The whole file."""
        height = self.y + MARGIN
        size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        card = f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="t d">',
            f'<title id="t">{escape(self.title)}</title>',
            f'<desc id="d">{escape(self.description)}</desc>',
            f"<style>{STYLE}</style>",
            f'{card} class="card"/>',
            *self.parts,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"


def wrapped(runs: Sequence[Run], width: float) -> list[list[Run]]:
    """The runs, broken at spaces into lines of at most this width."""
    lines: list[list[Run]] = [[]]
    used = 0.0
    for text, kind in runs:
        for piece in _pieces(text):
            size = text_width(piece.rstrip(), kind)
            if used + size > width and lines[-1]:
                lines.append([])
                used = 0.0
            lines[-1].append((piece, kind))
            used += text_width(piece, kind)
    return [_joined(line) for line in lines]


def text_width(text: str, kind: str = "") -> float:
    """About how wide the text is, in a wide font."""
    size = 12 if kind == "faint" else SIZE
    return size * sum(_WIDTHS.get(letter, 0.72 if letter.isupper() else 0.59) for letter in text)


_WIDTHS = {**dict.fromkeys("iljtf.,;:'|!()[] ", 0.36), **dict.fromkeys("mwMW", 0.92)}


def _pieces(text: str) -> list[str]:
    """Words, each with the spaces behind it."""
    words = text.split(" ")
    return [f"{word} " for word in words[:-1]] + ([words[-1]] if words[-1] else [])


def _joined(line: list[Run]) -> list[Run]:
    """Neighbouring pieces of one class as one run, without spaces at the end of the line."""
    runs: list[Run] = []
    for text, kind in line:
        if runs and runs[-1][1] == kind:
            runs[-1] = (runs[-1][0] + text, kind)
        else:
            runs.append((text, kind))
    if runs:
        runs[-1] = (runs[-1][0].rstrip(), runs[-1][1])
    return runs


def _span(text: str, kind: str) -> str:
    """One run; spaces at its ends are kept outside of an underlined part."""
    if not kind:
        return escape(text)
    inner = text.strip()
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f'{before}<tspan class="{kind}">{escape(inner)}</tspan>{after}' if inner else text


def _number(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")
