"""A warning where a language model gives few usable variants, soon enough to stop the run."""

from __future__ import annotations

import sys

from augkit.runs.ledger import Counts
from augkit.runs.settings import RunSettings

_ROWS = 20
_REASONS = 3


class YieldWatch:
    """Looks once, after the first rows of a run with a language model."""

    def __init__(self, settings: RunSettings, done: int = 0, unseen_fault: str = "") -> None:
        """Rows that were ``done`` before a resume have been looked at.

        ``unseen_fault`` is what small models do wrong with the method and no check sees.
        """
        self._settings, self._unseen_fault = settings, unseen_fault
        self._looked = settings.llm == "offline" or done >= _ROWS

    def look(self, counts: Counts) -> None:
        """Print the warning on the standard error output, where it is due."""
        if self._looked or counts.selected < _ROWS:
            return
        self._looked = True
        message = low_yield(self._settings, counts)
        if not message and self._unseen_fault:
            message = (
                f"Warning: {self._unseen_fault}. Read some variants of {self._settings.method!r} "
                "before you go on, or take a larger model."
            )
        if message:
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
        f"asked and answers: augkit try -m {settings.method} --row 1 ... Try a larger model, your "
        "own prompts or examples (--prompts, --examples), or another method."
    )
