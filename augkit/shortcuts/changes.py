"""One rule for what became of a cue: it is left, reversed or gone; and which are new.

A cue is *there* in a dataset where its feature goes with its label beyond chance, or with a gain
that would make it a cue. Of a cue that was found before:

- it is *left* where it is there after; so is what is left of it, other words of its phrase;
- it is *reversed* where its feature passes the test with another label after;
- else it is *gone*.

A shortcut that is found after is *new* where it was not there before, with this label or another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from augkit.core.types import Example
from augkit.shortcuts.association import ALPHA
from augkit.shortcuts.counted_rows import CountedRows, Figures, feature_key
from augkit.shortcuts.cues import Cue, Feature

Fate = Literal["left", "reversed", "gone", "new"]


@dataclass(frozen=True)
class Change:
    """A cue in two datasets."""

    cue: Cue
    """As it was found before; one that is new, as it is found after."""
    feature: Feature
    """Of the cue: the one that leads it, or what is left of it."""
    fate: Fate
    before: Figures
    after: Figures
    now: str = ""
    """Of one that is reversed: the label that it goes with after."""


@dataclass(frozen=True)
class ComparedRows:
    """Two datasets, and what became of each cue, the strongest first; then what is new."""

    before: CountedRows
    after: CountedRows
    changes: tuple[Change, ...]


def compare_rows(
    before: Sequence[Example], after: Sequence[Example], *, seed: int = 0, alpha: float = ALPHA
) -> ComparedRows:
    """Find the cues of labelled rows before and after a change, and what became of them."""
    first = CountedRows.read(before, alpha)
    second = CountedRows.read(after, alpha)
    changes = [_followed(cue, first, second) for cue in first.judge(seed)]
    changes += _new(second.judge(seed), first, second)
    return ComparedRows(first, second, tuple(changes))


def _followed(cue: Cue, before: CountedRows, after: CountedRows) -> Change:
    """What became of a cue that was found before."""
    parts = [feature for feature in cue.also if _is_part(feature, cue)]
    for feature in (cue.feature, *parts):
        now = after.figures(feature, cue.label)
        if now.is_there(after.alpha):
            return Change(cue, feature, "left", before.figures(feature, cue.label), now)
    figures = before.figures(cue.feature, cue.label)
    others = after.found.get(feature_key(cue.feature), ())
    now = after.figures(cue.feature, cue.label)
    if others:
        return Change(cue, cue.feature, "reversed", figures, now, others[0])
    return Change(cue, cue.feature, "gone", figures, now)


def _is_part(feature: Feature, cue: Cue) -> bool:
    """Tell whether a feature of a cue is words of its phrase; others only stand in its rows."""
    return bool(feature.words) and set(feature.words) <= set(cue.phrase)


def _new(cues: Sequence[Cue], before: CountedRows, after: CountedRows) -> Iterator[Change]:
    """The cues that were not there before."""
    for cue in cues:
        if feature_key(cue.feature) in before.found:
            continue
        was = before.figures(cue.feature, cue.label)
        if not was.is_there(before.alpha):
            now = after.figures(cue.feature, cue.label)
            yield Change(cue, cue.feature, "new", was, now)
