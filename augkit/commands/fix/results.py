"""What ``fix`` found, tried and measured, as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from augkit.commands.fix.methods import Unfit
from augkit.commands.fix.parts import AnyCue, FixWording, Split
from augkit.core.results import Comparison, Score
from augkit.evaluation.verdict import certainty
from augkit.runs.ledger import DATASET

FIX_FILE = "fix.json"
_DIGITS = 9
"""Means that agree in so many digits are the same."""
_STRONG = 0.5
"""From this association on, a cue that may belong to the label is asked about."""
STILL_STRONG = "still has a strong part of the cue:"
CHOSEN = "you chose it"
"""Why a cue is fixed, where somebody was asked."""
_ABOUT = 0.05
"""Accuracies that differ by less are about the same."""
HELPED = frozenset({"fixed", "at a cost", "renamed"})
"""Outcomes with a method to take."""
Outcome = Literal[
    "nothing to fix",
    "undecided",
    "not relied on",
    "fixed",
    "at a cost",
    "renamed",
    "deleting is better",
    "not fixed",
]


@dataclass(frozen=True)
class BothScores:
    """The accuracy of one classifier on the two sets."""

    test: Score
    challenge: Score

    @property
    def mean(self) -> float:
        """The mean of the two."""
        return (self.test.value + self.challenge.value) / 2

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return {
            name: {"value": score.value, "low": score.low, "high": score.high, "rows": score.n}
            for name, score in (("test", self.test), ("challenge", self.challenge))
        }


def _record(scores: BothScores | None) -> dict[str, Any] | None:
    return None if scores is None else scores.record()


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
    left_out: int = 0
    """Rows of the originals that its result does not have."""

    @property
    def dataset(self) -> Path:
        """The file to train on."""
        return self.run / DATASET

    @property
    def is_change(self) -> bool:
        """Whether it wrote a variant, or left a row out."""
        return self.accepted > 0 or self.left_out > 0

    @property
    def renaming(self) -> str:
        """The caveat of a new shortcut, or of a strong part of the cue; "" for none."""
        starts = ("has a new", "has a shortcut reversed", STILL_STRONG)
        return next((text for text in self.caveats if text.startswith(starts)), "")

    @property
    def is_renamed(self) -> bool:
        """Whether a new shortcut took the place of the cue, or a part of it still predicts."""
        return bool(self.renaming)

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
            "left_out": self.left_out,
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
    sound = [method for method in tried if not method.is_worse_on_test and method.is_change]
    clean = [method for method in sound if method.is_better and not method.is_renamed]
    return max(
        clean or sound,
        key=lambda method: (method.scores.challenge.value, method.scores.test.value),
        default=None,
    )


@dataclass(frozen=True, repr=False)
class Fixed:
    """Everything that ``fix`` did; printed, it is the screen of the command."""

    data: str
    wording: FixWording
    folder: Path | None
    rows: int
    fields: Sequence[str]
    label_column: str
    labels: Mapping[str, int]
    """Label → its rows; of choices the number of candidates → its items."""
    cues: Sequence[AnyCue] = ()
    """All cues that were found, the strongest first."""
    chosen: Sequence[AnyCue] = ()
    why_chosen: str = ""
    split: Split | None = None
    tests: Sequence[str] = ()
    """The test set and the challenge set."""
    before: BothScores | None = None
    deleting: BothScores | None = None
    deleting_caveats: Sequence[str] = ()
    """New shortcuts in the rows without the cue."""
    tried: Sequence[TriedMethod] = ()
    unfit: Sequence[Unfit] = ()
    left: Sequence[str] = ()
    """What still gives the label away in the file to train on."""
    note: str = ""
    """What limits the search for cues."""
    nothing: str = ""
    """Why no cue was found, where that says nothing about the data."""
    chance: float = 0.0
    """The accuracy of one who has not read the texts."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """The step → the command that repeats it."""
    seconds: float = 0.0

    @property
    def best(self) -> TriedMethod | None:
        """The method to take, if any helps."""
        return best_method(self.tried)

    @property
    def undecided(self) -> Sequence[AnyCue]:
        """Cues that give the label away and may belong to it: only the user can say.

        None where somebody was asked, and those alone that are stronger than what was chosen.
        """
        if self.why_chosen == CHOSEN or self.note:
            return ()
        least = max((cue.strength for cue in self.chosen), default=_STRONG)
        return [
            cue
            for cue in self.cues
            if cue.is_usable
            and not cue.is_likely
            and cue not in self.chosen
            and cue.strength > max(least, _STRONG)
        ]

    @property
    def is_blind(self) -> bool:
        """Whether the cues are signs alone, which the classifier does not read."""
        return bool(self.label_column) and all(getattr(cue, "sign", "") for cue in self.chosen)

    @property
    def scored(self) -> list[tuple[str, BothScores | None]]:
        """What is trained on → its scores: the rows as they are, without the cue, each method's."""
        methods = [(method.name, method.scores) for method in self.tried]
        return [("as it is", self.before), (self.wording.simplest, self.deleting), *methods]

    @property
    def outcome(self) -> Outcome:
        """In two or three words."""
        best = self.best
        if not self.chosen:
            return "undecided" if self.undecided else "nothing to fix"
        if self.before is not None and _is_as_good(self.before):
            return "not relied on"
        if best is None or not best.is_better:
            return "deleting is better" if self._deleting_helps else "not fixed"
        makes_new = bool(self.deleting_caveats) and not best.is_renamed
        if (best.loses_to_deleting or self._deleting_is_as_good(best)) and not makes_new:
            return "deleting is better"
        if best.is_renamed:
            return "renamed"
        return "at a cost" if self._has_a_cost(best) else "fixed"

    def _has_a_cost(self, method: TriedMethod) -> bool:
        """Whether a method is no longer clearly above chance on the test set, or pays with rows.

        What only the cue gave there is no loss, unless most rows went with it.
        """
        split = self.split
        others = [scores for scores in (self.before, self.deleting) if scores is not None]
        was_above = all(scores.test.low > self.chance for scores in others)
        is_worse = _is_clear(method.on_test) and method.on_test.difference.value < 0
        drops_most = split is not None and 2 * method.left_out > split.train
        return (was_above and method.scores.test.low <= self.chance) or (is_worse and drops_most)

    def _deleting_is_as_good(self, method: TriedMethod) -> bool:
        """Whether deleting the cue gives more on the two sets together.

        Where both give the same, rewriting wins, which keeps sentences whole. A method that has
        made a new shortcut does not win where deleting helps and makes none: its accuracy may
        come from that shortcut.
        """
        if self.deleting is None:
            return False
        if method.is_renamed and not self.deleting_caveats and self._deleting_helps:
            return True
        more = round(self.deleting.mean - method.scores.mean, _DIGITS)
        return more > 0 or (more == 0 and method.is_renamed)

    @property
    def _deleting_helps(self) -> bool:
        """Whether the interval without the cue lies above that with it."""
        if self.deleting is None or self.before is None:
            return False
        return self.deleting.challenge.low > self.before.challenge.high

    @property
    def reference_file(self) -> Path | None:
        """The rows to train on with the cue broken in the simplest way."""
        return None if self.split is None else self.split.files.get(self.wording.reference)

    @property
    def train_on(self) -> Path | None:
        """The file to train on."""
        if self.outcome == "deleting is better":
            return self.reference_file
        best = self.best
        return best.dataset if best is not None and self.outcome in HELPED else None

    @property
    def repeatable(self) -> TriedMethod | None:
        """The method whose steps can be repeated; none where no model relies on the cue."""
        return None if self.outcome == "not relied on" else self.best

    @property
    def checked_again(self) -> Path | None:
        """The file in which is looked for cues that are left: even one that did not help."""
        method = self.repeatable
        return self.train_on or (method.dataset if method else None)

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        best = self.best
        return {
            "data": self.data,
            "outcome": self.outcome,
            "rows": self.rows,
            "labels": dict(self.labels),
            "cues": [cue.record() for cue in self.cues],
            "chosen": [cue.record()["cue"] for cue in self.chosen],
            "why_chosen": self.why_chosen,
            "note": self.note or self.nothing,
            "split": self.split.record() if self.split else None,
            "before": _record(self.before),
            self.wording.simplest.replace(" ", "_"): _record(self.deleting),
            "deleting_caveats": list(self.deleting_caveats),
            "methods": [method.record() for method in self.tried],
            "not_tried": {method.name: method.reason for method in self.unfit},
            "best": best.name if best and self.outcome in HELPED else None,
            "train_on": str(self.train_on) if self.train_on else None,
            "left": list(self.left),
            "commands": dict(self.commands),
            "folder": str(self.folder) if self.folder else None,
            "seconds": round(self.seconds, 1),
        }

    def __repr__(self) -> str:
        """The result in a line."""
        best = f", best={self.best.name!r}" if self.best is not None else ""
        return f"Fixed({self.data!r}, outcome={self.outcome!r}{best}, train_on={self.train_on})"

    def __str__(self) -> str:
        """The screen of the command."""
        lines = import_module("augkit.commands.fix.text").fix_lines(self)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """For a notebook: the same."""
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"
