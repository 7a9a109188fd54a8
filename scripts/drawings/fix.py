"""``augkit fix`` in a terminal, from the first key to the file to train on."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from drawings.terminal import MovingTerminal, record

DATA = "reviews-demo"
COMMAND = f"augkit fix {DATA}"
_QUESTION, _RESULT = "Which of them are shortcuts?", "Repeat each step:"
_ANSWER = "1 2"
_SHOWN_COMMANDS = 2
_SECONDS_OF_PROGRESS = 7.0
"""A run takes longer: its progress is shown faster than it is."""
_LEAST_SECONDS = 0.15


def collect() -> dict[str, Any]:
    """Run the command in a terminal, answer its question, and keep what it shows."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = COMMAND.split()[1:]
        command = [sys.executable, "-m", "augkit", *arguments]
        recording = record(command, [f"{_ANSWER}\n".encode()], Path(folder))
    if recording.code:
        sys.exit(recording.screen.text)
    lines = recording.screen.text.splitlines()
    asked = next(number for number, line in enumerate(lines) if line.startswith(_QUESTION))
    end = lines.index(_RESULT)
    return {
        "command": COMMAND,
        "reading": recording.progress[: recording.asked_at],
        "found": lines[:asked],
        "question": lines[asked].removesuffix(_ANSWER),
        "answer": _ANSWER,
        "working": recording.progress[recording.asked_at :],
        "result": lines[asked + 1 : end + 1 + _SHOWN_COMMANDS],
    }


def draw(data: dict[str, Any]) -> str:
    """The terminal: the command, the cues, the question, the work, the result."""
    picture = MovingTerminal(
        "augkit fix in a terminal",
        f"{data['command']} lists the likely shortcuts, asks which of them are shortcuts, takes "
        f"them out and says: {_verdict(data['result'])}",
    )
    whole = sum(seconds for _, seconds in (*data["reading"], *data["working"]))
    picture.wait(0.6)
    picture.typed("$ ", data["command"])
    picture.wait(0.5)
    for text, seconds in data["reading"]:
        _pass(picture, text, seconds / whole)
    picture.lines(data["found"], seconds_a_line=0.05)
    picture.typed(data["question"], data["answer"], seconds_before=3.0)
    picture.wait(0.5)
    for text, seconds in data["working"]:
        _pass(picture, text, seconds / whole)
    picture.lines(data["result"], strong=_verdict(data["result"]).partition(":")[0])
    picture.lines(["  …"])
    picture.wait(9.0)
    return picture.svg()


def _pass(picture: MovingTerminal, text: str, share: float) -> None:
    """Show a line of progress for its share of the time, if anybody could see it."""
    seconds = share * _SECONDS_OF_PROGRESS
    if seconds >= _LEAST_SECONDS:
        picture.passing(text, seconds)


def _verdict(lines: list[str]) -> str:
    """The first ending: from its first word to the end of its sentence."""
    start = next(
        number for number, line in enumerate(lines) if line.startswith(("Repaired", "Reduced"))
    )
    end = next(n for n in range(start, len(lines)) if lines[n].endswith("."))
    return " ".join(line.strip() for line in lines[start : end + 1])
