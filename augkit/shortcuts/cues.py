"""What a shortcut is made of: features, cues and findings.

``find.find_shortcuts`` makes them; check, fix, the report of a run and Python read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Task = Literal["opinion", "harm", "content", "relation"]
"""What the labels say: what a text thinks, whom it harms, what it is about, how two relate."""
BOTH = "both"
"""In place of a field: a feature of the two fields together."""


@dataclass(frozen=True)
class Feature:
    """What a text has or lacks."""

    field: str
    """A text field, or ``BOTH``."""
    kind: str
    """A kind of ``text.features.kinds``, a length, "form" or "overlap"."""
    name: str

    @property
    def words(self) -> tuple[str, ...]:
        """Its words; none where it is a format, a form, a length or an overlap.

        >>> Feature("text", "2-gram", "on time").words, Feature("text", "format", "sign !").words
        (('on', 'time'), ())
        """
        has_words = self.kind in {"token", "first word", "last word"}
        if has_words or self.kind.endswith("-gram"):
            return tuple(self.name.split(" "))
        return ()


@dataclass(frozen=True)
class Cue:
    """Features that stand in the same rows and go with a label.

    Attributes:
        feature: The strongest of them, which stands for all: n, c and the rest are its figures.
        also: The others, the strongest first.
        phrase: Its words with their neighbours, signs included, that nearly all of its rows share.
        label: What it goes with.
        rows: n, the texts that have it. In one of two fields, different texts are counted.
        of_label: c, those of them that have the label.
        base: b, the share of the label among all texts.
        share: c / n.
        gain: (share - b) / (1 - b): 0 says nothing of the label, 1 says all.
        phi: The correlation of having it and having the label.
        p: Of the exact test, corrected for all tests that could fail.
        reads_on: T, how well the texts read on without it: 0 as if it had not been there. None
            where it has no words.
        independence: D, how well the rest of the text tells that it is there: .5 not at all, 1
            always. None where something else decided.
        is_shortcut: Whether it only goes with the label; else it is a word of the task.
        reason: Why, in words.
    """

    feature: Feature
    also: tuple[Feature, ...]
    phrase: tuple[str, ...]
    label: str
    rows: int
    of_label: int
    base: float
    share: float
    gain: float
    phi: float
    p: float
    reads_on: float | None = None
    independence: float | None = None
    is_shortcut: bool = False
    reason: str = ""

    @property
    def features(self) -> tuple[Feature, ...]:
        """All of its features, the strongest first."""
        return (self.feature, *self.also)


@dataclass(frozen=True)
class TellingWord:
    """A word by which one field alone gives a label away."""

    word: str
    label: str
    gain: float
    """The sum over its rows of what it adds to the chance of the true label."""


@dataclass(frozen=True)
class FieldAlone:
    """How well one of two fields tells the label without the other."""

    field: str
    rows: int
    """Rows that were predicted."""
    accuracy: float
    balanced: float
    """The mean over labels of the share of their rows that was right."""
    guessing: float
    """The share of the most frequent label; of balanced accuracy it is 1 / labels."""
    p: float
    """The chance of so many right labels if they did not depend on the field."""
    words: tuple[TellingWord, ...] = ()

    @property
    def gain(self) -> float:
        """The accuracy over that of always giving the most frequent label."""
        return self.accuracy - self.guessing


@dataclass(frozen=True)
class Findings:
    """What gives the labels of a dataset away.

    Attributes:
        rows: The rows that were counted.
        labels: Label → its rows.
        task: What the labels say.
        shortcuts: Cues that only go with a label, the strongest first.
        task_words: Cues that may be a reason for it.
        fields: Of two fields, each alone.
        tested: Features that were counted.
        least_rows: A cue in so many rows, all of one label, would be seen; None where no cue could
            be told from chance.
        needed: Where it is None, the rows of one label that would be needed.
    """

    rows: int
    labels: Mapping[str, int]
    task: Task
    shortcuts: tuple[Cue, ...]
    task_words: tuple[Cue, ...]
    fields: tuple[FieldAlone, ...]
    tested: int
    least_rows: int | None
    needed: int = 0

    @property
    def cues(self) -> tuple[Cue, ...]:
        """Shortcuts, then words of the task."""
        return (*self.shortcuts, *self.task_words)
