"""A warning where a language model gives few usable variants, soon enough to stop the run."""

from __future__ import annotations

import sys

from augkit.runs.ledger import Counts
from augkit.runs.settings import RunSettings

_ROWS = 20
_REASONS = 3


class YieldWatch:
    """Looks once, after the first rows of a run with a language model."""

    def __init__(self, settings: RunSettings, done: int = 0) -> None:
        """Rows that were ``done`` before a resume have been looked at."""
        self._settings = settings
        self._looked = settings.llm == "offline" or done >= _ROWS

    def look(self, counts: Counts) -> None:
        """Print the warning on the standard error output, where it is due."""
        if self._looked or counts.selected < _ROWS:
            return
        self._looked = True
        if message := low_yield(self._settings, counts):
            print(message, file=sys.stderr, flush=True)  # noqa: T201


def low_yield(settings: RunSettings, counts: Counts) -> str:
    """What to say of a run whose variants are mostly rejected; "" where enough are accepted."""
    proposed = counts.accepted + counts.rejected
    if not proposed or counts.accepted >= settings.min_yield * proposed:
        return ""
    reasons = ", ".join(f"{reason} ({n})" for reason, n in counts.reasons.most_common(_REASONS))
    return (
        f"Warning: of the first {proposed} variants {counts.accepted} were accepted. Most frequent "
        f"reasons: {reasons}. This model may be too weak for '{settings.method}'. See what it is "
        f"asked and answers: augkit try -m {settings.method} --row 0 ... Try a larger model, your "
        "own prompts or examples (--prompts, --examples), or another method."
    )
