"""Attributes exchanged all over a row: what fairtuning needs.

Algorithm 1 gives a person another attribute than their own, always. Where a dataset says *man*
with one label and *woman* with the other, its result says *woman* with the one and *man* with the
other: the shortcut is turned round, not taken away. Here a permutation π of the attributes of an
axis is drawn for a row, uniformly, the identity among them, and every person of attribute a
becomes one of π(a). Then

    P(π(a) = b | label) = 1 / |attributes|   for all a and b,

so the attribute tells nothing of the label, on every axis; and since π is one to one, persons
who were alike or different, in one field or in two, are so afterwards. First names are drawn
anew, also those of persons who keep their gender: a name tells as much as a pronoun.

One draw a row leaves chance in small counts: "woman sitting" still comes with one label a little
more often than "man sitting", and a classifier learns that too. With all ``versions`` of a row
every person has every attribute once, so that nothing is left to chance: π_i = shift_i ∘ τ for
i = 0 … n-1, where τ is drawn and shift_i turns the n attributes on by i.

Reference: qian2022perturbation (Algorithm 1), from which this departs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from augkit.augmenters.panda.fresh_names import FreshNames
from augkit.augmenters.panda.jobs import Job, Perturbed, Perturber, Refused
from augkit.augmenters.panda.sampling import Reference, references
from augkit.core.types import FREE, Cost, Edit, Example
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.first_names import look_up
from augkit.text.diff import apply, diff

_MOST_PERSONS = 50
"""Persons changed in one row, at most: a novel takes no longer than a chapter."""
_NOBODY = frozenset({"not a person", "fixed phrase", "no reference"})
"""Rejections after which there is nobody who should have changed."""


Plan = Mapping[str, dict[str, str]]
"""By axis, what every attribute becomes; of an axis that is not in it this is drawn."""


@dataclass
class Exchange:
    """A row in the making: its fields so far, the axes that changed, and why others did not."""

    parent: Example
    copy: int
    generator: Random
    fields: dict[str, str]
    plan: Plan = field(default_factory=dict)
    axes: list[str] = field(default_factory=list)
    refused: Refused = field(default=Refused("no reference"))
    cost: Cost = FREE

    @property
    def answer(self) -> Perturbed | Refused:
        """The changed fields; or, where no axis changed, the reason."""
        if not self.axes:
            return self.refused
        return Perturbed(self.fields, None, {"axis": ", ".join(self.axes)})


def permutation(attributes: Sequence[str], generator: Random) -> dict[str, str]:
    """A permutation of the attributes, all alike likely.

    >>> sorted(permutation(("man", "woman"), Random(1)).values())
    ['man', 'woman']
    """
    return dict(zip(attributes, generator.sample(attributes, len(attributes)), strict=True))


def versions(fields: Mapping[str, str], axes: Sequence[str], generator: Random) -> list[Plan]:
    """Plans that give every person of a row every attribute equally often, on each of the axes.

    There are as many as the largest axis that the row refers to has attributes.

    >>> plans = versions({"text": "A man sang."}, ["gender", "race"], Random(1))
    >>> sorted(plan["gender"]["man"] for plan in plans)
    ['man', 'non-binary', 'woman']
    """
    told = [axis for axis in axes if references(fields, [axis])]
    count = max((len(read_axis(axis).attributes) for axis in told), default=1)
    plans: list[dict[str, dict[str, str]]] = [{} for _ in range(count)]
    for axis in told:
        attributes = read_axis(axis).attributes
        drawn = generator.sample(attributes, len(attributes))
        shifts = [step % len(attributes) for step in range(count)]
        generator.shuffle(shifts)
        for plan, shift in zip(plans, shifts, strict=True):
            turned = drawn[shift:] + drawn[:shift]
            plan[axis] = dict(zip(attributes, turned, strict=True))
    return list(plans)


def exchange(rows: Sequence[Exchange], axes: Sequence[str], perturber: Perturber) -> None:
    """Exchange attributes in all rows, axis after axis; what is asked is asked in batches."""
    for axis in axes:
        turns = [_Turn.of(row, axis) for row in rows]
        for _ in range(_MOST_PERSONS):
            asked = [(turn, job) for turn in turns if (job := turn.next_job()) is not None]
            if not asked:
                break
            answers = perturber.perturb([job for _, job in asked])
            for (turn, _), answer in zip(asked, answers, strict=True):
                turn.take(answer)
        for turn in turns:
            turn.finish()


@dataclass
class _Turn:
    """One axis of one row: who becomes what, whom there is still to ask for, and the edits."""

    row: Exchange
    axis: str
    becomes: dict[str, str]
    left: list[Reference]
    names: FreshNames
    edits: list[Edit] = field(default_factory=list)
    refused: Refused | None = None
    asked: str = ""
    """The attribute that the last person asked for has in the end."""

    @classmethod
    def of(cls, row: Exchange, axis: str) -> _Turn:
        found = references(row.fields, [axis])
        becomes = {}
        if found:
            drawn = row.plan.get(axis)
            becomes = drawn or permutation(read_axis(axis).attributes, row.generator)
        # "He or she" has all attributes, and none that could be exchanged.
        known = [r for r in found if r.attribute in becomes]
        names = FreshNames(list(row.fields.values()), row.generator)
        return cls(row, axis, becomes, known, names)

    def next_job(self) -> Job | None:
        """The change of the next person whom no edit has reached.

        The last one first: in "a young boy" the noun knows of its adjective, not the other way.
        """
        while self.left:
            reference = self.left.pop()
            self.asked = self.becomes[reference.attribute]
            stays = self.asked == reference.attribute
            if _overlap(self.edits, [_place(reference)]) or (
                stays and not self._renames(reference)
            ):
                continue
            # Whoever keeps a gender is asked for as if not, to learn where the name stands.
            target = _another(self.becomes, self.asked) if stays else self.asked
            place = (reference.field, reference.start, reference.end)
            job = (self.row.fields, *place, self.axis, target, self.row.generator)
            return Job(*job, alone=False)
        return None

    def _renames(self, reference: Reference) -> bool:
        return reference.is_name and read_axis(self.axis).axis == "gender"

    def take(self, answer: Perturbed | Refused) -> None:
        """Add the edits of an answer, where they do not meet those of another person."""
        self.row.cost += answer.cost
        if isinstance(answer, Refused):
            if self.refused is None or self.refused.reason in _NOBODY:
                self.refused = answer
            return
        edits = answer.edits if answer.edits is not None else diff(self.row.fields, answer.fields)
        fresh = [edit for edit in self._with_names(edits, answer) if edit not in self.edits]
        if _overlap(self.edits, [(e.field, e.start, e.end) for e in fresh]):
            self.refused = Refused("unusable answer", "two persons share a word")
        else:
            self.edits += fresh

    def _with_names(self, edits: Iterable[Edit], answer: Perturbed) -> list[Edit]:
        """The edits with names drawn anew; of a person who keeps the attribute, these alone."""
        if read_axis(self.axis).axis != "gender":
            return list(edits)
        stays = answer.about.get("target") != self.asked
        made = []
        for edit in edits:
            if look_up(edit.before) is not None and look_up(edit.after) is not None:
                made.append(replace(edit, after=self.names.instead_of(edit.before, self.asked)))
            elif not stays:
                made.append(edit)
        return made

    def finish(self) -> None:
        """Apply the edits, unless somebody was left behind and the fields no longer compare."""
        row = self.row
        left_behind = self.refused is not None and self.refused.reason not in _NOBODY
        if self.edits and left_behind and len(row.fields) > 1:
            row.refused = Refused("contrast lost", f"on {self.axis} not everybody could change")
        elif self.edits:
            row.fields = apply(row.fields, self.edits)
            row.axes.append(read_axis(self.axis).axis)
        elif self.refused is not None:
            row.refused = self.refused
        elif self.becomes:
            row.refused = Refused("own attribute drawn", "the row stays, as it may")


def _another(becomes: dict[str, str], attribute: str) -> str:
    return next(other for other in becomes if other != attribute)


def _place(reference: Reference) -> tuple[str, int, int]:
    return reference.field, reference.start, reference.end


def _overlap(edits: Iterable[Edit], places: Iterable[tuple[str, int, int]]) -> bool:
    return any(
        edit.field == name and edit.start < end and start < edit.end
        for name, start, end in places
        for edit in edits
    )
