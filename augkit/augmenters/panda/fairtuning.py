"""Fairtuning: permute the attributes of all persons of a row, so that none predicts the label.

Algorithm 1 always gives a person another attribute than their own. Where *man* comes with one label
and *woman* with the other, that inverts the shortcut. Here a permutation π of the attributes of an
axis is drawn uniformly, and every person of attribute a becomes one of π(a), so that

    P(π(a) = b | label) = 1 / |attributes|   for all a and b.

Persons who were alike or different are so afterwards, and first names are drawn anew. All
``versions`` of a row leave nothing to chance: π_i rotates the n attributes of one draw by i.
``opposite`` exchanges man and woman.

Reference: qian2022perturbation (Algorithm 1), from which this departs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

from augkit.augmenters.panda.perturbers.protocol import NOBODY, Perturber, PerturbTask
from augkit.augmenters.panda.references import Reference, references
from augkit.core.edits import Edit, apply, overlap_in_row
from augkit.core.types import FREE, Cost, Example, Variant, refused
from augkit.lexicons.demographics.axes import read_axis

_MOST_REFERENCES = 200
"""References of one row that are changed, at most, so that a long text does not take for ever."""

Turn = Generator[PerturbTask, Any, Variant]
"""Yields tasks one by one, each after the result of the one before; returns what came of them."""
AttributeMaps = dict[str, dict[str, str]]
"""By axis, what every attribute becomes."""


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
    maps_of_versions: list[AttributeMaps] = [{} for _ in range(count)]
    for axis, attributes in present.items():
        permuted = rng.sample(attributes, len(attributes))
        shifts = [step % len(attributes) for step in range(count)]
        rng.shuffle(shifts)
        for maps, shift in zip(maps_of_versions, shifts, strict=True):
            rotated = permuted[shift:] + permuted[:shift]
            maps[axis] = dict(zip(attributes, rotated, strict=True))
    return maps_of_versions


def take_turns(turns: Iterable[Turn], perturber: Perturber) -> list[Variant]:
    """What each generator returns; the tasks that all yield at a time are one batch."""
    results: dict[int, Variant] = {}

    def collect(number: int, turn: Turn) -> Generator[PerturbTask, Any, None]:
        results[number] = yield from turn

    waiting: list[Any] = [(collect(number, turn), None) for number, turn in enumerate(turns)]
    while waiting:
        asked = []
        for turn, answer in waiting:
            with suppress(StopIteration):
                asked.append((turn, turn.send(answer)))
        done = perturber.perturb([task for _, task in asked])
        waiting = [(turn, answer) for (turn, _), answer in zip(asked, done, strict=True)]
    return [results[number] for number in sorted(results)]


def permute(parent: Example, maps: AttributeMaps, rng: Random) -> Turn:
    """The row with the attributes of its persons as the maps say, axis after axis."""
    row = parent
    cost = FREE
    changed: list[str] = []
    edits_of_row: tuple[Edit, ...] | None = None
    refusal = refused(parent, "no reference")
    for axis, becomes in maps.items():
        edits, left, spent = yield from _changed(row, axis, becomes, rng)
        cost += spent
        if edits and len(row.fields) > 1 and left is not None and left.reason not in NOBODY:
            detail = f"on {axis} not every person could change"
            refusal = refused(parent, "contrast lost", detail)
        elif edits:
            row = replace(row, fields=apply(row.fields, edits))
            # Edits of several axes do not add up: each has its places in another text.
            edits_of_row = None if changed else tuple(edits)
            changed.append(read_axis(axis).axis)
        else:
            detail = "every attribute stays"
            refusal = left or refused(parent, "identity permutation", detail, stays=True)
    if changed:
        about = {"axis": ", ".join(changed)}
        return Variant(parent, row.fields, parent.label, edits=edits_of_row, cost=cost, about=about)
    return replace(refusal, cost=cost)


def _changed(
    row: Example, axis: str, becomes: Mapping[str, str], rng: Random
) -> Generator[PerturbTask, Any, tuple[list[Edit], Variant | None, Cost]]:
    """The edits of one axis, why somebody could not change, and the cost."""
    stated = references(row.fields, [axis])
    if read_axis(axis).axis == "gender":
        return (yield from _by_map(row, axis, stated, becomes, rng))
    if read_axis(axis).bands and (differing := _differing_ages(stated)):
        return [], refused(row, "contrast lost", differing), FREE
    return (yield from _one_by_one(row, axis, stated, becomes, rng))


def _differing_ages(stated: Sequence[Reference]) -> str:
    """Where two fields say different ages, of which nobody knows whether they are one person's.

    The "boy" of one may be the "young male" of the other, and would become somebody else.
    """
    ages: dict[str, set[str]] = {}
    for reference in stated:
        ages.setdefault(reference.field, set()).add(reference.attribute)
    fields = list(ages)
    for name in fields[1:]:
        if ages[name] != ages[fields[0]]:
            return f"{fields[0]} and {name} say different ages, which may be of one person"
    return ""


def _by_map(
    row: Example,
    axis: str,
    stated: Sequence[Reference],
    becomes: Mapping[str, str],
    rng: Random,
) -> Generator[PerturbTask, Any, tuple[list[Edit], Variant | None, Cost]]:
    """All persons at once: who is who need not be known."""
    # Names are drawn anew, also those of persons who stay as they are.
    targets = [becomes.get(reference.attribute, reference.attribute) for reference in stated]
    may_change = [
        (reference, target)
        for reference, target in zip(stated, targets, strict=True)
        if reference.is_name or target != reference.attribute
    ]
    if not may_change:
        return [], None, FREE
    first, target = may_change[0]
    result = yield PerturbTask(row, *first.span, axis, target, rng, alone=False, becomes=becomes)
    if not result.reason:
        return list(result.edits or ()), None, result.cost
    return [], result, result.cost


def _one_by_one(
    row: Example,
    axis: str,
    stated: Sequence[Reference],
    becomes: Mapping[str, str],
    rng: Random,
) -> Generator[PerturbTask, Any, tuple[list[Edit], Variant | None, Cost]]:
    """Person after person, the last one first.

    The rule for the noun of "a young boy" changes its adjective too, the rule for the adjective
    leaves the noun.
    """
    edits: list[Edit] = []
    refusal: Variant | None = None
    cost = FREE
    for reference in stated[: -1 - _MOST_REFERENCES : -1]:
        target = becomes.get(reference.attribute, reference.attribute)
        if target == reference.attribute or any(overlap_in_row(edit, reference) for edit in edits):
            continue
        result = yield PerturbTask(row, *reference.span, axis, target, rng, alone=False)
        cost += result.cost
        if not result.reason:
            fresh = [edit for edit in result.edits or () if edit not in edits]
            if not any(overlap_in_row(*two) for two in product(edits, fresh)):
                edits += fresh
                continue
            result = refused(row, "unusable answer", "two persons share a word")
        if refusal is None or refusal.reason in NOBODY:
            refusal = result
    return edits, refusal, cost
