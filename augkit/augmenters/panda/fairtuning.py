"""Fairtuning: permute the attributes of all persons of a row, so that none predicts the label.

Algorithm 1 always gives a person another attribute than their own. Where a dataset says *man* with
one label and *woman* with the other, its result says *woman* with the one and *man* with the
other: the shortcut is inverted, not removed. Here a permutation π of the attributes of an axis is
drawn for a row, uniformly, the identity among them, and every person of attribute a becomes one of
π(a). Then

    P(π(a) = b | label) = 1 / |attributes|   for all a and b,

so the attribute says nothing about the label, on every axis; and since π is one to one, persons
who were alike or different, in one field or in two, are so afterwards. First names are drawn
anew, also those of persons who keep their gender: a name says as much as a pronoun.

One permutation a row leaves chance in small counts: "woman sitting" still comes with one label a
little more often than "man sitting", and a classifier learns that too. With all ``versions`` of a
row every person has every attribute once, so that nothing is left to chance: π_i = shift_i ∘ τ for
i = 0 … n-1, where τ is drawn and shift_i rotates the n attributes by i.

Reference: qian2022perturbation (Algorithm 1), from which this departs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from augkit.augmenters.panda.perturbers.protocol import Perturbed, Perturber, PerturbTask
from augkit.augmenters.panda.references import references
from augkit.augmenters.panda.rules.names import Renaming
from augkit.core.types import FREE, Cost, Edit, Example, Rejection
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.first_names import look_up
from augkit.text.diff import apply
from augkit.text.spans import FieldSpan, spans_overlap

_MOST_PERSONS = 50
"""Persons changed in one row, at most, so that a long text does not take for ever."""
_NOBODY = frozenset({"not a person", "fixed phrase", "no reference"})
"""Rejections after which nobody is left who should have changed."""

AttributeMaps = dict[str, dict[str, str]]
"""By axis, what every attribute becomes."""


@dataclass
class Permutation:
    """A row in the making: its fields so far, the axes that changed, and why others did not."""

    parent: Example
    copy: int
    rng: Random
    fields: dict[str, str]
    maps: AttributeMaps
    axes: list[str] = field(default_factory=list)
    rejection: Rejection | None = None
    cost: Cost = FREE

    @property
    def result(self) -> Perturbed | Rejection:
        """The changed fields; or, where no axis changed, the reason."""
        if not self.axes:
            return self.rejection or Rejection(self.parent, "no reference")
        return Perturbed(self.fields, None, {"axis": ", ".join(self.axes)})


def versions(fields: Mapping[str, str], axes: Sequence[str], rng: Random) -> list[AttributeMaps]:
    """Maps that give every person of a row every attribute, on each of the axes.

    There are as many as the largest axis that the row refers to has attributes. Those of a smaller
    axis come equally often, or once more, if their number does not divide that. Each map alone is
    a permutation drawn uniformly.

    >>> versions_of_row = versions({"text": "A man sang."}, ["gender", "race"], Random(1))
    >>> sorted(maps["gender"]["man"] for maps in versions_of_row)
    ['man', 'non-binary', 'woman']
    """
    present = {axis: read_axis(axis).attributes for axis in axes if references(fields, [axis])}
    count = max(map(len, present.values()), default=1)
    found: list[AttributeMaps] = [{} for _ in range(count)]
    for axis, attributes in present.items():
        permuted = rng.sample(attributes, len(attributes))
        shifts = [step % len(attributes) for step in range(count)]
        rng.shuffle(shifts)
        for maps, shift in zip(found, shifts, strict=True):
            rotated = permuted[shift:] + permuted[:shift]
            maps[axis] = dict(zip(attributes, rotated, strict=True))
    return found


def permute(rows: Sequence[Permutation], axes: Sequence[str], perturber: Perturber) -> None:
    """Permute the attributes of all rows, axis after axis, one person of every row at a time."""
    for axis in axes:
        passes = [_AxisPass(row, axis) for row in rows]
        for _ in range(_MOST_PERSONS):
            open_passes = [(one, task) for one in passes if (task := one.next_task()) is not None]
            if not open_passes:
                break
            results = perturber.perturb([task for _, task in open_passes])
            for (one, _), result in zip(open_passes, results, strict=True):
                one.take(result)
        for one in passes:
            one.finish()


class _AxisPass:
    """One axis of one row: what each attribute becomes, the references left, and the edits.

    ``attribute`` is what the person of the last task has in the end. "He or she" has all
    attributes, and none to be exchanged.
    """

    def __init__(self, row: Permutation, axis: str) -> None:
        found = references(row.fields, [axis])
        self.row = row
        self.axis = axis
        self.becomes = row.maps.get(axis, {}) if found else {}
        self.left = [reference for reference in found if reference.attribute in self.becomes]
        permutes = set(self.becomes) == set(self.becomes.values())
        self.redraws_names = permutes and read_axis(axis).axis == "gender"
        self.names = Renaming(row.fields.values(), row.rng)
        self.edits: list[Edit] = []
        self.rejection: Rejection | None = None
        self.attribute = ""

    def next_task(self) -> PerturbTask | None:
        """The change of the next person that no edit has reached.

        The last one first: the rule for the noun of "a young boy" changes its adjective too, the
        rule for the adjective leaves the noun.
        """
        while self.left:
            reference = self.left.pop()
            target = self.attribute = self.becomes[reference.attribute]
            if target == reference.attribute:
                if not (reference.is_name and self.redraws_names):
                    continue
                # Perturbed all the same, to find the names to redraw.
                target = next(other for other in self.becomes if other != target)
            if not _overlap(self.edits, [reference.span]):
                row, place = self.row, (*reference.span, self.axis, target)
                example = replace(row.parent, fields=row.fields)
                return PerturbTask(example, *place, row.rng, alone=False)
        return None

    def take(self, result: Perturbed | Rejection) -> None:
        """Add the edits of a result, where they do not meet those of another person."""
        self.row.cost += result.cost
        if isinstance(result, Rejection):
            if self.rejection is None or self.rejection.reason in _NOBODY:
                self.rejection = result
            return
        fresh = [edit for edit in self._with_names(result) if edit not in self.edits]
        if _overlap(self.edits, [(e.field, e.start, e.end) for e in fresh]):
            detail = "two persons share a word"
            self.rejection = Rejection(self.row.parent, "unusable answer", detail)
        else:
            self.edits += fresh

    def _with_names(self, result: Perturbed) -> list[Edit]:
        """The edits with names drawn anew; of a person who keeps the attribute, these alone."""
        stays = result.about.get("target") != self.attribute
        made = []
        for edit in result.edits or ():
            if self.redraws_names and look_up(edit.before) and look_up(edit.after):
                name = self.names.drawn(edit.before, self.attribute)
                made.append(replace(edit, after=name))
            elif not stays:
                made.append(edit)
        return made

    def finish(self) -> None:
        """Apply the edits, unless a person could not change and the fields no longer agree."""
        row = self.row
        incomplete = self.rejection is not None and self.rejection.reason not in _NOBODY
        if self.edits and incomplete and len(row.fields) > 1:
            detail = f"on {self.axis} not every person could change"
            row.rejection = Rejection(row.parent, "contrast lost", detail)
        elif self.edits:
            row.fields = apply(row.fields, self.edits)
            row.axes.append(read_axis(self.axis).axis)
        elif self.rejection is not None:
            row.rejection = self.rejection
        elif self.becomes:
            row.rejection = Rejection(row.parent, "identity permutation", "every attribute stays")


def _overlap(edits: Iterable[Edit], spans: Sequence[FieldSpan]) -> bool:
    changed = [(edit.field, edit.start, edit.end) for edit in edits]
    return any(spans_overlap(one, other) for one in changed for other in spans)
