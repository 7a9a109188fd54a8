"""What ``fix`` found, tried and measured, as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from augkit.commands.fix.cues import Cue
from augkit.commands.fix.methods import Unfit
from augkit.commands.split import Split
from augkit.core.results import Comparison, Score
from augkit.evaluation.verdict import certainty

FIX_FILE = "fix.json"
_ABOUT = 0.05
"""Accuracies that differ by less are about the same."""
Outcome = Literal[
    "nothing to fix", "not relied on", "fixed", "renamed", "deleting is better", "not fixed"
]


@dataclass(frozen=True)
class BothScores:
    """The accuracy of one classifier on the two sets."""

    test: Score
    challenge: Score

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return {
            name: {"value": score.value, "low": score.low, "high": score.high, "rows": score.n}
            for name, score in (("test", self.test), ("challenge", self.challenge))
        }


@dataclass(frozen=True)
class TriedMethod:
    """A method, what it scored, and how that compares with the rows as they were."""

    name: str
    run: Path
    scores: BothScores
    on_test: Comparison
    on_challenge: Comparison
    test_against_deleting: Comparison | None
    """On the test set: the reference, in which the cue is deleted, minus this method."""
    against_deleting: Comparison | None
    """The same on the challenge set."""
    caveats: tuple[str, ...]
    """New, reversed or remaining shortcuts of its result."""
    accepted: int

    @property
    def dataset(self) -> Path:
        """The file to train on."""
        return self.run / "dataset.jsonl"

    @property
    def is_renamed(self) -> bool:
        """Whether a new shortcut took the place of the cue, or the cue now points elsewhere."""
        return any(
            text.startswith(("has a new", "has a shortcut reversed")) for text in self.caveats
        )

    @property
    def is_better(self) -> bool:
        """Whether it is clearly better on the challenge set."""
        return _is_clear(self.on_challenge) and self.on_challenge.difference.value > 0

    @property
    def is_worse_on_test(self) -> bool:
        """Whether it is clearly worse on the test set, also than simply deleting the cue.

        What only the cue gave there is no loss.
        """
        against = self.test_against_deleting
        is_worse = _is_clear(self.on_test) and self.on_test.difference.value < 0
        return is_worse and (
            against is None or (_is_clear(against) and against.difference.value > 0)
        )

    @property
    def loses_to_deleting(self) -> bool:
        """Whether simply deleting the cue is clearly better on the challenge set."""
        against = self.against_deleting
        return against is not None and _is_clear(against) and against.difference.value > 0

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "method": self.name,
            "run": str(self.run),
            "dataset": str(self.dataset),
            **self.scores.record(),
            "improved": self.is_better,
            "worse_on_test": self.is_worse_on_test,
            "variants": self.accepted,
            "caveats": list(self.caveats),
        }


def _is_clear(comparison: Comparison) -> bool:
    p = comparison.p if comparison.p_corrected is None else comparison.p_corrected
    difference = comparison.difference
    return certainty(difference.low, difference.high, p) == "clear" and not comparison.weak_test


def _is_as_good(scores: BothScores) -> bool:
    """Whether a classifier is about as good where the cue points the wrong way."""
    return scores.challenge.value >= scores.test.value - _ABOUT


def best_method(tried: Sequence[TriedMethod]) -> TriedMethod | None:
    """The best on the challenge set of those that are not clearly worse on the test set.

    One that improves it and leaves no new shortcut comes before one that does.
    """
    sound = [method for method in tried if not method.is_worse_on_test and method.accepted]
    clean = [method for method in sound if method.is_better and not method.is_renamed]
    return max(clean or sound, key=lambda method: method.scores.challenge.value, default=None)


@dataclass(frozen=True)
class Fixed:
    """Everything that ``fix`` did; printed, it is the screen of the command."""

    data: str
    folder: Path | None
    rows: int
    fields: Sequence[str]
    label_column: str
    labels: Mapping[str, int]
    cues: Sequence[Cue] = ()
    """All cues that were found, the strongest first."""
    chosen: Sequence[Cue] = ()
    why_chosen: str = ""
    split: Split | None = None
    tests: Sequence[str] = ()
    """The test set and the challenge set."""
    before: BothScores | None = None
    deleting: BothScores | None = None
    deleted_file: Path | None = None
    tried: Sequence[TriedMethod] = ()
    unfit: Sequence[Unfit] = ()
    left: Sequence[str] = ()
    """What still gives the label away in the file to train on."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """The step → the command that repeats it."""
    seconds: float = 0.0

    @property
    def best(self) -> TriedMethod | None:
        """The method to take, if any helps."""
        return best_method(self.tried)

    @property
    def outcome(self) -> Outcome:
        """In two or three words."""
        best = self.best
        if not self.chosen:
            return "nothing to fix"
        if self.before is not None and _is_as_good(self.before):
            return "not relied on"
        if best is None or not best.is_better:
            return "deleting is better" if self._deleting_helps else "not fixed"
        if best.loses_to_deleting:
            return "deleting is better"
        return "renamed" if best.is_renamed else "fixed"

    @property
    def _deleting_helps(self) -> bool:
        """Whether the interval without the cue lies above that with it."""
        if self.deleting is None or self.before is None:
            return False
        return self.deleting.challenge.low > self.before.challenge.high

    @property
    def train_on(self) -> Path | None:
        """The file to train on."""
        if self.outcome == "deleting is better":
            return self.deleted_file
        best = self.best
        return best.dataset if best is not None and self.outcome in {"fixed", "renamed"} else None

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        best = self.best
        return {
            "data": self.data,
            "outcome": self.outcome,
            "rows": self.rows,
            "labels": dict(self.labels),
            "cues": [cue.record() for cue in self.cues],
            "chosen": [cue.first.name for cue in self.chosen],
            "why_chosen": self.why_chosen,
            "split": self.split.record() if self.split else None,
            "before": self.before.record() if self.before else None,
            "deleting_the_cue": self.deleting.record() if self.deleting else None,
            "methods": [method.record() for method in self.tried],
            "not_tried": {method.name: method.reason for method in self.unfit},
            "best": best.name if best and self.outcome in {"fixed", "renamed"} else None,
            "train_on": str(self.train_on) if self.train_on else None,
            "left": list(self.left),
            "commands": dict(self.commands),
            "folder": str(self.folder) if self.folder else None,
            "seconds": round(self.seconds, 1),
        }

    def __str__(self) -> str:
        """The screen of the command."""
        lines = import_module("augkit.commands.fix.text").fix_lines(self)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """For a notebook: the same."""
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"
