"""What the kinds of shortcuts work on: rows that pass from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from augkit.commands.fix.rows import RowsToFix
from augkit.commands.fix.settings import FixSettings
from augkit.core.types import Example
from augkit.shortcuts.cues import Cue, Findings

WEIGHT = "augkit_weight"
"""The column with what a row counts, where weights are offered."""


@dataclass(frozen=True)
class Work:
    """The rows so far, what was found in them at first, and where files go.

    Attributes:
        rows: How rows are read and written; its examples are those of the input.
        examples: The rows as the kinds before have left them.
        findings: What was found in the input.
        chosen: The cues to be fixed.
        is_named: Whether the user typed them.
        is_asked: Whether the user typed them, or chose them from the list.
        settings: Those of the command.
        folder: Where files go.
    """

    rows: RowsToFix
    examples: Sequence[Example]
    findings: Findings
    chosen: Sequence[Cue]
    is_named: bool
    is_asked: bool
    settings: FixSettings
    folder: Path

    @property
    def is_pair(self) -> bool:
        """Whether the rows have several texts."""
        return len(self.rows.fields) > 1

    @property
    def train_file(self) -> Path:
        """The rows without the marks."""
        return self.folder / "train.jsonl"
