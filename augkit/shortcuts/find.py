"""The one definition of a shortcut: count features, test them, group them, judge the groups."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.core.types import Example
from augkit.shortcuts.cues import Cue, Findings


def find_shortcuts(examples: Sequence[Example], *, seed: int = 0) -> Findings:
    """Find what gives the labels away, and say which of it is no reason for them."""
    raise NotImplementedError


def rows_with(cue: Cue, examples: Sequence[Example]) -> list[int]:
    """Number the rows that have a cue."""
    raise NotImplementedError
