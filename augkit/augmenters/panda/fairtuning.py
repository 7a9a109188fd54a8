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

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from augkit.augmenters.panda.perturbers.protocol import Perturbed, Perturber, PerturbTask
from augkit.augmenters.panda.references import references
from augkit.augmenters.panda.rules.names import Renaming
from augkit.core.types import FREE, Cost, Edit, Example, Rejection
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.first_names import look_up
from augkit.text.diff import apply
from augkit.text.spans import FieldSpan, spans_overlap

_MOST_REFERENCES = 200
"""References of one row that are changed, at most, so that a long text does not take for ever."""
NOBODY = frozenset({"not a person", "fixed phrase", "no reference"})
"""Rejections after which nobody is left who should have changed."""

Turn = Generator[PerturbTask, Any, None]
"""Yields the tasks of a row one by one, each after the result of the one before."""
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
        take_turns([_permuted(row, axis) for row in rows], perturber)


def take_turns(turns: Iterable[Turn], perturber: Perturber) -> None:
    """Send each generator the results of the tasks that it yields; those of all are one batch."""
    answers: list[tuple[Turn, Perturbed | Rejection | None]] = [(turn, None) for turn in turns]
    while answers:
        asked = []
        for turn, answer in answers:
            with suppress(StopIteration):
                asked.append((turn, turn.send(answer)))
        results = perturber.perturb([task for _, task in asked]) if asked else []
        answers = [(turn, result) for (turn, _), result in zip(asked, results, strict=True)]


def _permuted(row: Permutation, axis: str) -> Turn:
    """Change one axis of a row, person after person; "he or she" is nobody to be exchanged.

    The last person first: the rule for the noun of "a young boy" changes its adjective too, the
    rule for the adjective leaves the noun.
    """
    found = references(row.fields, [axis])
    becomes = row.maps.get(axis, {}) if found else {}
    permutes = set(becomes) == set(becomes.values()) and read_axis(axis).axis == "gender"
    names = Renaming(row.fields.values(), row.rng) if permutes else None
    edits: list[Edit] = []
    rejection: Rejection | None = None
    for reference in found[: -1 - _MOST_REFERENCES : -1]:
        attribute = target = becomes.get(reference.attribute, reference.attribute)
        if target == reference.attribute and reference.is_name and names and becomes:
            # Perturbed all the same, to find the names to redraw.
            target = next(other for other in becomes if other != target)
        if target == reference.attribute or _overlap(edits, [reference.span]):
            continue
        example = replace(row.parent, fields=row.fields)
        task = PerturbTask(example, *reference.span, axis, target, row.rng, alone=False)
        result: Perturbed | Rejection = yield task
        row.cost += result.cost
        if isinstance(result, Perturbed):
            fresh = [e for e in _redrawn(result, attribute, names) if e not in edits]
            if not _overlap(edits, [(e.field, e.start, e.end) for e in fresh]):
                edits += fresh
                continue
            result = Rejection(row.parent, "unusable answer", "two persons share a word")
        if rejection is None or rejection.reason in NOBODY:
            rejection = result
    if edits or becomes:
        _finish(row, axis, edits, rejection)


def _redrawn(result: Perturbed, attribute: str, names: Renaming | None) -> list[Edit]:
    """The edits with names drawn anew; of a person who keeps the attribute, these alone."""
    made = []
    for edit in result.edits or ():
        if names is not None and look_up(edit.before) and look_up(edit.after):
            made.append(replace(edit, after=names.drawn(edit.before, attribute)))
        elif result.about.get("target") == attribute:
            made.append(edit)
    return made


def _finish(
    row: Permutation, axis: str, edits: Sequence[Edit], rejection: Rejection | None
) -> None:
    """Apply the edits, unless a person could not change and the fields no longer agree."""
    incomplete = rejection is not None and rejection.reason not in NOBODY
    if edits and incomplete and len(row.fields) > 1:
        detail = f"on {axis} not every person could change"
        row.rejection = Rejection(row.parent, "contrast lost", detail)
    elif edits:
        row.fields = apply(row.fields, edits)
        row.axes.append(read_axis(axis).axis)
    else:
        stays = Rejection(row.parent, "identity permutation", "every attribute stays")
        row.rejection = rejection or stays


def _overlap(edits: Iterable[Edit], spans: Sequence[FieldSpan]) -> bool:
    changed = [(edit.field, edit.start, edit.end) for edit in edits]
    return any(spans_overlap(one, other) for one in changed for other in spans)
