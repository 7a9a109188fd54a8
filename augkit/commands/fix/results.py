"""What ``fix`` found, did and measured, as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from augkit.commands.fix.endings import Ending
from augkit.shortcuts.cues import Cue

FIX_FILE = "fix.json"


@dataclass(frozen=True, repr=False)
class Fixed:
    """Everything that ``fix`` did; printed, it is the screen of the command.

    Attributes:
        data: The dataset, as the user named it.
        unit: What its rows are called: row or item.
        rows: How many.
        fields: The columns of the texts.
        label_column: The column of the label; "" for choices.
        labels: Label → its rows; of choices the number of candidates → its items.
        found: What gives the label away, as lines of the screen.
        cues: The same for JSON.
        chosen: What is fixed, as it is shown.
        fixed: The same by the names that ``--cue`` takes.
        why_chosen: Why these.
        note: What limits the search, or what could not be chosen.
        endings: What came of each kind.
        folder: Where the files are; None where nothing was written.
        train_on: The file to train on; None where it is the input.
        trained_rows: How many rows that file has.
        own_tests: Accuracy before and after on the user's test sets, as a table.
        left: What still gives the label away in that file.
        commands: A step → the command that repeats it.
        seconds: How long it took.
    """

    data: str
    unit: str
    rows: int
    fields: Sequence[str]
    label_column: str
    labels: Mapping[str, int]
    found: Sequence[str] = ()
    cues: Sequence[Mapping[str, Any]] = ()
    chosen: Sequence[str] = ()
    fixed: Sequence[str] = ()
    why_chosen: str = ""
    note: str = ""
    endings: Sequence[Ending] = ()
    folder: Path | None = None
    train_on: Path | None = None
    trained_rows: int = 0
    own_tests: Sequence[Sequence[str]] = ()
    left: Sequence[str] = ()
    commands: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def outcome(self) -> str:
        """The verdict of the first kind that was fixed, or that there was nothing to fix."""
        return self.endings[0].verdict if self.endings else "nothing to fix"

    @property
    def exit_code(self) -> int:
        """That of an error which stopped a method."""
        return max((ending.exit_code for ending in self.endings), default=0)

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "data": self.data,
            "outcome": self.outcome,
            "rows": self.rows,
            "labels": dict(self.labels),
            "cues": list(self.cues),
            "chosen": list(self.chosen),
            "fixed": list(self.fixed),
            "why_chosen": self.why_chosen,
            "note": self.note,
            "endings": [ending.record() for ending in self.endings],
            "own_tests": [list(row) for row in self.own_tests],
            "train_on": str(self.train_on) if self.train_on else None,
            "left": list(self.left),
            "commands": dict(self.commands),
            "folder": str(self.folder) if self.folder else None,
            "seconds": round(self.seconds, 1),
        }

    def __repr__(self) -> str:
        """The result in a line."""
        return f"Fixed({self.data!r}, outcome={self.outcome!r}, train_on={self.train_on})"

    def __str__(self) -> str:
        """The screen of the command."""
        lines = import_module("augkit.commands.fix.text").fix_lines(self)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """For a notebook: the same."""
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def cue_record(cue: Cue) -> dict[str, Any]:
    """A cue for JSON."""
    return {
        "cue": cue.feature.name,
        "kind": cue.feature.kind,
        "also": [feature.name for feature in cue.also],
        "phrase": " ".join(cue.phrase),
        "field": cue.feature.field,
        "label": cue.label,
        "rows": cue.rows,
        "with_label": cue.of_label,
        "base": cue.base,
        "association": cue.phi,
        "likely_shortcut": cue.is_shortcut,
        "reason": cue.reason,
    }
