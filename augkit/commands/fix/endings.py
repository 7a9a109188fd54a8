"""How each kind of shortcut ends: what was done, what was measured, and what may be said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

KindName = Literal["mark", "people", "field alone", "opinions", "choices"]
Verdict = Literal[
    "repaired",
    "reduced",
    "not repaired",
    "not relied on",
    "reads better",
    "reads already",
    "leans less",
    "trade",
    "no help",
    "harm",
    "at chance",
    "rewrite or discard",
    "not testable",
    "stopped",
]
GOOD = frozenset({"repaired", "reduced", "reads better", "leans less", "at chance"})
"""Verdicts after which the file that was written is the one to train on."""


@dataclass(frozen=True)
class Ending:
    """What came of one kind of shortcut.

    Attributes:
        kind: The kind.
        verdict: In two or three words.
        headline: In a sentence or two.
        done: What was done, in a sentence.
        table: A header and its rows, as they are shown.
        details: More sentences.
        figures: What was measured, for JSON.
        files: What a file holds → the file.
        commands: A step → the command that repeats it.
    """

    kind: KindName
    verdict: Verdict
    headline: str
    done: str = ""
    table: Sequence[Sequence[str]] = ()
    details: Sequence[str] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    commands: Mapping[str, str] = field(default_factory=dict)
    exit_code: int = 0
    """That of the error which stopped it; 0: nothing did."""

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "kind": self.kind,
            "verdict": self.verdict,
            "headline": self.headline,
            "done": self.done,
            "details": list(self.details),
            "figures": dict(self.figures),
            "files": {name: str(path) for name, path in self.files.items()},
        }


def per_cent(share: float) -> str:
    """A share in per cent, without the sign.

    >>> per_cent(0.9166)
    '91.7'
    """
    return f"{100 * share:.1f}"


def shown_points(difference: float, error: float) -> str:
    """A difference in points, with its standard error in brackets.

    >>> shown_points(0.0213, 0.009)
    '+2.1 (0.9)'
    """
    return f"{100 * difference:+.1f} ({100 * error:.1f})"
