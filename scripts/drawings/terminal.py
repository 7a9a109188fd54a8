"""A command in a real terminal: what it shows, and when; and the terminal as a moving picture."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

COLUMNS, ROWS = 80, 60
_MOST_SECONDS = 600
_LOOK_SECONDS, _TIMES_ASLEEP = 0.05, 6
_ESCAPE = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])")
_BAR, _QUESTION = "━", "]: "


@dataclass
class Screen:
    """The lines of a terminal, as far as progress bars and plain text need it."""

    lines: list[str] = field(default_factory=lambda: [""])
    row: int = 0
    column: int = 0

    def write(self, text: str) -> None:
        """Show a text with its control characters."""
        place = 0
        while place < len(text):
            code = _ESCAPE.match(text, place)
            if code:
                self._control(code[1], code[2])
                place = code.end()
                continue
            self._character(text[place])
            place += 1

    def _control(self, value: str, kind: str) -> None:
        if kind == "K" and value == "2":
            self.lines[self.row] = ""
        elif kind == "A":
            self.row = max(0, self.row - int(value or 1))

    def _character(self, character: str) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row += 1
            if self.row == len(self.lines):
                self.lines.append("")
        elif character >= " ":
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[: self.column] + character + line[self.column + 1 :]
            self.column += 1

    @property
    def text(self) -> str:
        """Everything that can be read, without spaces at the ends of lines."""
        return "\n".join(line.rstrip() for line in self.lines).rstrip("\n")

    @property
    def progress(self) -> str:
        """What the bar at the end says, without the bar; "" where there is none."""
        line = self.lines[self.row]
        return line.partition(_BAR)[0].strip() if _BAR in line else ""


@dataclass(frozen=True)
class Recording:
    """What a command in a terminal has shown."""

    screen: Screen
    progress: Sequence[tuple[str, float]]
    """What the bar said, in order, and for how many seconds."""
    asked_at: int
    """How many of the lines of progress came before the first answer."""
    code: int


def record(
    command: Sequence[str], answers: Sequence[bytes], folder: Path, columns: int = COLUMNS
) -> Recording:
    """Run a command in a terminal; each answer is typed at the next question."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(COLUMNS=str(columns), TERM="xterm")
        os.execvp(command[0], list(command))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
    screen, left, asked_at = Screen(), list(answers), 0
    progress: list[tuple[str, float]] = []
    while select.select([terminal], [], [], _MOST_SECONDS)[0]:
        try:
            written = os.read(terminal, 1 << 16)
        except OSError:  # the command has ended
            break
        screen.write(written.decode("utf-8", errors="replace"))
        shown = screen.progress
        if shown and (not progress or progress[-1][0] != shown):
            progress.append((shown, time.monotonic()))
        if left and screen.lines[screen.row].endswith(_QUESTION):
            asked_at = asked_at or len(progress)
            _wait_until_asleep(child)
            os.write(terminal, left.pop(0))
    ended = time.monotonic()
    os.close(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    starts = [*(start for _, start in progress), ended]
    lasted = [
        (text, round(after - before, 2))
        for (text, _), before, after in zip(progress, starts, starts[1:], strict=False)
    ]
    return Recording(screen, lasted, asked_at, code)


def _wait_until_asleep(process: int) -> None:
    """Wait until a command that has asked also reads: Python misses a Ctrl-C between the two.

    People never type that fast. A process that is about to run, however busy the machine is, does
    not count as asleep.
    """
    state, asleep = Path(f"/proc/{process}/stat"), 0
    while asleep < _TIMES_ASLEEP:
        time.sleep(_LOOK_SECONDS)
        if not state.exists():  # no Linux
            asleep += 1
        else:
            sleeps = state.read_text("utf-8").rpartition(") ")[2].startswith("S")
            asleep = asleep + 1 if sleeps else 0


_SECONDS_A_KEY = 0.07
_ADVANCE, _LEADING, _MARGIN, _TOP = 7.8, 18, 18, 40
_STYLE = """
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
text { fill: #1f2328; }
.card { fill: #ffffff; stroke: #d0d7de; }
.dot { fill: #d0d7de; }
.prompt { fill: #116329; font-weight: 600; }
.typed { font-weight: 600; }
.faint { fill: #59636e; }
.strong { fill: #116329; font-weight: 600; }
.passing { opacity: 0; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.card { fill: #0d1117; stroke: #3d444d; }
.dot { fill: #3d444d; }
.prompt { fill: #6fdd8b; }
.faint { fill: #a3adb8; }
.strong { fill: #6fdd8b; }
}
"""


class MovingTerminal:
    """Lines that appear one after another, drawn as an SVG that loops.

    It has no script. Where motion is not wanted, the last picture stands still.
    """

    def __init__(self, title: str, description: str) -> None:
        """Begin with an empty terminal at time 0."""
        self.title, self.description = title, description
        self.now = 0.0
        self._line = 0
        self._parts: list[str] = []
        self._times: list[tuple[float, float | None]] = []

    def typed(self, prompt: str, text: str, seconds_before: float = 0.0) -> None:
        """A line that is typed key by key after its prompt, when that was read."""
        spans = self._span(prompt, "prompt", self.now)
        self.now += seconds_before
        for character in text:
            spans += self._span(character, "typed", self.now)
            self.now += _SECONDS_A_KEY
        self._parts.append(self._text(spans, len(prompt) + len(text)))
        self._line += 1

    def lines(self, lines: Sequence[str], strong: str = "\0", seconds_a_line: float = 0.0) -> None:
        """Lines that stay; those from one that begins with ``strong`` to its end are in green."""
        is_strong = False
        for line in lines:
            is_strong = line.startswith(strong) or (is_strong and line.startswith("  "))
            if line:
                spans = self._span(line, "strong" if is_strong else "", self.now)
                self._parts.append(self._text(spans, len(line)))
                is_strong = is_strong and not line.endswith(".")
            self._line += 1
            self.now += seconds_a_line

    def passing(self, text: str, seconds: float) -> None:
        """A line of progress, which the next one overwrites."""
        shown = f"{text} {_BAR * 20}"[:COLUMNS]
        number = self._name(self.now, self.now + seconds)
        element = self._text(escape(shown), len(shown), f"faint passing {number}")
        self._parts.append(element)
        self.now += seconds

    def wait(self, seconds: float) -> None:
        """Let the reader read."""
        self.now += seconds

    def _span(self, text: str, kind: str, start: float) -> str:
        classes = f"{kind} {self._name(start, None)}".strip()
        return f'<tspan class="{classes}">{escape(text)}</tspan>'

    def _name(self, start: float, end: float | None) -> str:
        if (start, end) not in self._times:
            self._times.append((start, end))
        return f"t{self._times.index((start, end))}"

    def _text(self, spans: str, characters: int, kind: str = "") -> str:
        y = _TOP + _LEADING * (self._line + 1)
        width = f'textLength="{characters * _ADVANCE:.0f}" lengthAdjust="spacingAndGlyphs"'
        classes = f' class="{kind}"' if kind else ""
        return f'<text x="{_MARGIN}" y="{y}" {width}{classes}>{spans}</text>'

    def svg(self) -> str:
        """The whole picture; it begins anew after the last wait."""
        width = round(COLUMNS * _ADVANCE + 2 * _MARGIN)
        height = _TOP + _LEADING * (self._line + 1) + 8
        dots = [
            f'<circle cx="{x}" cy="22" r="5" class="dot"/>'
            for x in (_MARGIN + 4, _MARGIN + 22, _MARGIN + 40)
        ]
        card = f'width="{width - 1}" height="{height - 1}" rx="8" class="card"'
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        named = 'role="img" aria-labelledby="t d"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} {named}>',
                f'<title id="t">{escape(self.title)}</title>',
                f'<desc id="d">{escape(self.description)}</desc>',
                f"<style>{_STYLE}{self._animations()}</style>",
                f'<rect x="0.5" y="0.5" {card}/>',
                *dots,
                *self._parts,
                "</svg>\n",
            ]
        )

    def _animations(self) -> str:
        rules = []
        for number, (start, end) in enumerate(self._times):
            shown = f"{100 * start / self.now:.2f}%{{opacity:1;fill-opacity:1}}"
            hidden = "0%{opacity:0;fill-opacity:0}" if start else ""
            gone = "" if end is None else f"{100 * end / self.now:.2f}%{{opacity:0}}"
            last = "" if end is None else "100%{opacity:0}"
            rules.append(f"@keyframes t{number}{{{hidden}{shown}{gone}{last}}}")
            rules.append(f".t{number}{{animation:t{number} {self.now:.1f}s step-end infinite}}")
        return "@media (prefers-reduced-motion: no-preference) {\n" + "\n".join(rules) + "\n}\n"
