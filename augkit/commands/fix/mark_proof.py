"""The proof for marks: held-out rows, with the mark on every row of each label.

A classifier is trained on the rows as they are, and one on the rows without the marks. Both are
tested on held-out rows with the marks taken out (ordinary rows), and on the same rows with a mark
put the right way (on the rows of its label alone) and the wrong way (on all others alone). A model
that does not go by the mark has one accuracy on both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from augkit.commands.fix.endings import Ending, Verdict, per_cent, shown_points
from augkit.commands.fix.marks import Mark, TakenOut, keyed
from augkit.commands.fix.places import inner_phrase
from augkit.commands.fix.reader import (
    Fields,
    Reader,
    balanced_accuracy,
    balanced_difference,
    is_right,
)
from augkit.core.arrays import Flags
from augkit.core.types import Example, digest
from augkit.models.folds import assign_folds
from augkit.shortcuts.cues import Cue
from augkit.text.features.kinds import FIRST_WORD, LAST_WORD

FOLDS = 4
TESTED = 2_000
"""Rows that are tested, at most: of more, some folds, and some rows of each."""
LIMIT = 0.05
COST = 0.01
"""How far the two accuracies may be apart at the end, and what ordinary rows may lose."""
_SHOWN = 3
"""Digits of an accuracy that are shown: tenths of a point."""
_OVER_GUESSING = 0.02
"""What a classifier must read of ordinary rows to say anything."""
_LEAST_TESTED = 20
"""Rows of each side without which nothing is said."""


@dataclass(frozen=True)
class Pull:
    """What one mark does to a classifier: accuracies on rows of its label, and on the others."""

    own_with: float
    own_without: float
    others_with: float
    others_without: float
    labels: int

    @property
    def right_way(self) -> float:
        """Balanced accuracy with the mark on every row of its label, and on no other."""
        return (self.own_with + (self.labels - 1) * self.others_without) / self.labels

    @property
    def wrong_way(self) -> float:
        """Balanced accuracy with the mark on every row of the other labels."""
        return (self.own_without + (self.labels - 1) * self.others_with) / self.labels

    @property
    def gap(self) -> float:
        """How far these two are apart; below 0 where the mark points to other labels now."""
        return self.right_way - self.wrong_way

    @property
    def is_even(self) -> bool:
        """Whether the two are as near as they must be, as they are shown."""
        return round(abs(self.gap), _SHOWN) <= LIMIT

    def is_half_of(self, before: Pull) -> bool:
        """Whether the two are at most half as far apart as they were."""
        return 2 * abs(self.gap) <= abs(before.gap)


@dataclass(frozen=True)
class MarkProof:
    """Accuracies before and after."""

    rows: int
    before: float
    after: float
    change: tuple[float, float]
    """On ordinary rows, with its standard error."""
    pulls: Sequence[tuple[Mark, Pull, Pull]]
    """Each mark, with its pull before and after."""

    @property
    def verdict(self) -> Verdict:
        """Whether the marks are repaired."""
        if not self.pulls or self.after <= 1 / self.pulls[0][2].labels + _OVER_GUESSING:
            return "not testable"
        if self.loses:
            return "not repaired"
        relied = any(not before.is_even for _, before, _ in self.pulls)
        if not self.uneven:
            return "repaired" if relied else "not relied on"
        is_less = all(after.is_even or after.is_half_of(before) for _, before, after in self.pulls)
        return "reduced" if is_less else "not repaired"

    @property
    def uneven(self) -> list[Mark]:
        """The marks that still matter."""
        return [mark for mark, _, after in self.pulls if not after.is_even]

    @property
    def loses(self) -> bool:
        """Whether ordinary rows lose more than they may, as it is shown."""
        return round(self.change[0], _SHOWN) < -COST


def prove_marks(
    examples: Sequence[Example], taken: TakenOut, seed: int, group_column: str | None = None
) -> MarkProof:
    """Train before and after, on all folds but one, and test on that one.

    Args:
        examples: The rows as they are.
        taken: The same without the marks.
        seed: Of the folds and of the draws.
        group_column: Rows with one value in it are in one fold.
    """
    marks = taken.marks
    folds = assign_folds(examples, FOLDS, seed, group_column, taken.alike)
    stays = set(taken.staying)
    numbers: list[int] = []
    before: dict[str, list[str]] = {}
    after: dict[str, list[str]] = {}
    for fold in range(min(FOLDS, ceil(TESTED * FOLDS / len(examples)))):
        train = [n for n in range(len(examples)) if folds[n] != fold]
        held = _sample([n for n in range(len(examples)) if folds[n] == fold], examples, seed)
        if not held or len({examples[n].label for n in train if n in stays}) < 2:
            continue
        numbers += held
        labels = [str(examples[n].label) for n in train]
        kept = [n for n in train if n in stays]
        reader = Reader([examples[n].fields for n in train], labels)
        repaired = Reader([taken.fields[n] for n in kept], [str(examples[n].label) for n in kept])
        for name, rows in _tests(examples, taken.clean, held, marks, seed).items():
            before.setdefault(name, []).extend(reader.predict(rows))
            after.setdefault(name, []).extend(repaired.predict(rows))
    held_rows = [examples[n] for n in numbers]
    rights = [
        {name: is_right(labels, held_rows) for name, labels in predicted.items()}
        for predicted in (before, after)
    ]
    return _proof(held_rows, marks, rights[0], rights[1])


def _sample(numbers: Sequence[int], examples: Sequence[Example], seed: int) -> list[int]:
    """So many of the rows of a fold as are tested."""
    order = sorted(numbers, key=lambda n: digest(str(seed), "tested", examples[n].id))
    return sorted(order[:TESTED])


def _tests(
    examples: Sequence[Example],
    clean: Sequence[Fields],
    held: Sequence[int],
    marks: Sequence[Mark],
    seed: int,
) -> dict[str, list[Fields]]:
    """The held-out rows without the marks, and with each of them."""
    tests: dict[str, list[Fields]] = {"": [clean[n] for n in held]}
    for number, mark in enumerate(marks):
        tests[str(number)] = [
            mark.with_it(clean[n], keyed(seed, f"put {number}", examples[n])) for n in held
        ]
    return tests


def _proof(
    rows: Sequence[Example],
    marks: Sequence[Mark],
    before: Mapping[str, Flags],
    after: Mapping[str, Flags],
) -> MarkProof:
    import numpy as np

    labels = [str(row.label) for row in rows]
    names = np.array(labels)
    if len(rows) < _LEAST_TESTED:
        return MarkProof(len(rows), 0.0, 0.0, (0.0, 0.0), ())
    pulls = []
    for number, mark in enumerate(marks):
        own = names == mark.cue.label
        if min(own.sum(), (~own).sum()) >= _LEAST_TESTED:
            pair = [
                _pull(rights[str(number)], rights[""], own, names) for rights in (before, after)
            ]
            pulls.append((mark, pair[0], pair[1]))
    return MarkProof(
        len(rows),
        balanced_accuracy(before[""], labels),
        balanced_accuracy(after[""], labels),
        balanced_difference(before[""], after[""], labels),
        pulls,
    )


def _pull(with_it: Flags, without: Flags, own: Flags, names: Any) -> Pull:
    others = ~own
    labels = list(names[others])
    return Pull(
        float(with_it[own].mean()),
        float(without[own].mean()),
        balanced_accuracy(with_it[others], labels),
        balanced_accuracy(without[others], labels),
        len(set(names)),
    )


def mark_ending(proof: MarkProof, marks: Sequence[Mark], done: str) -> Ending:
    """What may be said of the marks."""
    worst = max((abs(after.gap) for _, _, after in proof.pulls), default=0.0)
    was = max((abs(before.gap) for _, before, _ in proof.pulls), default=0.0)
    ordinary = f"ordinary rows {per_cent(proof.before)} → {per_cent(proof.after)} %"
    cue = "the cue" if len(marks) == 1 else "a cue"
    change = f"{cue} put the right way and put the wrong way were up to {100 * was:.0f} points "
    change += f"apart, and now {100 * worst:.0f} at most (limit {100 * LIMIT:.0f})"
    loss = f", more than {100 * COST:.0f} point less" if proof.loses else ""
    headlines = {
        "repaired": f"Repaired: {change}; {ordinary}.",
        "not relied on": f"Taken out, though a linear classifier hardly follows it: {change}; "
        f"{ordinary}.",
        "reduced": f"Reduced, not repaired: {change}; {ordinary}. The rows without it "
        "are the better ones to train on.",
        "not repaired": f"Not repaired: {change}; {ordinary}{loss}.",
        "not testable": "Taken out. Not testable: too few rows of a label to hold some out, or the "
        "classifier reads no more than guessing gives.",
    }
    verdict = proof.verdict
    return Ending(
        "mark",
        verdict,
        headlines[verdict],
        done,
        () if verdict == "not testable" else _table(proof),
        figures=_figures(proof),
    )


def _table(proof: MarkProof) -> list[tuple[str, ...]]:
    """Each cue put on the rows of its label alone, and on the others alone; ordinary rows."""
    rows: list[tuple[str, ...]] = [("accuracy, %", "as it is", "at the end")]
    for mark, before, after in proof.pulls:
        name = shown_cue(mark.cue)
        rights = [per_cent(pull.right_way) for pull in (before, after)]
        wrongs = [per_cent(pull.wrong_way) for pull in (before, after)]
        rows.append((f"{name} put on '{mark.cue.label}' rows", *rights))
        rows.append((f"{name} put on all others", *wrongs))
    ordinary = f"{per_cent(proof.after)}  {shown_points(*proof.change)}"
    rows.append(("ordinary rows, without the cues", per_cent(proof.before), ordinary))
    return rows


def _figures(proof: MarkProof) -> dict[str, object]:
    pulls = [
        {
            "cue": mark.cue.feature.name,
            "before": {**vars(before), "gap": before.gap},
            "after": {**vars(after), "gap": after.gap},
        }
        for mark, before, after in proof.pulls
    ]
    return {
        "rows": proof.rows,
        "ordinary_before": proof.before,
        "ordinary_after": proof.after,
        "ordinary_error": proof.change[1],
        "cues": pulls,
    }


def shown_cue(cue: Cue) -> str:
    """The words of a cue with their neighbours, or its name, in quotation marks.

    A word that is a cue at one end of the texts alone is called so.
    """
    if not cue.feature.words:
        return cue.feature.name
    phrase = " ".join(inner_phrase(cue.phrase)) or cue.feature.name
    place = f"{cue.feature.kind} " if cue.feature.kind in {FIRST_WORD, LAST_WORD} else ""
    return f"{place}{phrase}" if "'" in phrase else f"{place}'{phrase}'"
