"""PANDA: perturb demographic references; the label and the size of the dataset are kept.

Qian et al. (2022), *Perturbation Augmentation for Fairer NLP*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Literal

from augkit.augmenters.base import Augmenter
from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.exchange import Exchange, Plan, exchange, versions
from augkit.augmenters.panda.jobs import Job, Perturbed, Perturber, Refused
from augkit.augmenters.panda.perturbers import perturber_for
from augkit.augmenters.panda.sampling import Choice, choices, perturbability, references, shuffled
from augkit.core.types import FREE, Cost, Draft, Example, Rejection

_TRIES = 4
"""Choices asked for one variant, at most, before the example is given up."""
_MOST_PERSONS = 50
"""Persons changed in one text with ``every``, at most."""


@dataclass
class _Wanted:
    """A variant in the making: the choices left, and what the last answer was."""

    parent: Example
    copy: int
    left: list[Choice]
    generator: Random
    cost: Cost = FREE
    answer: Perturbed | Refused = field(default=Refused("no reference"))


class Panda(Augmenter[PandaConfig]):
    """Rewrite a text about somebody of another gender, race or age, in grammar that agrees."""

    name = "panda"
    Config = PandaConfig
    mix = "replace"

    @classmethod
    def resolve_config(
        cls, config: PandaConfig, mix: Literal["append", "replace", "balance"]
    ) -> PandaConfig:
        """Fairtuning: where variants replace their rows, all versions of a row take its place.

        The paper draws another attribute than a person's own, which turns a shortcut round where
        there was one. ``target: random``, said aloud, does as the paper does; ``target: shuffled``
        keeps the size of the dataset.
        """
        if mix != "replace" or "target" in config.model_fields_set or config.perturber != "rules":
            return config
        return config.model_copy(update={"target": "complete"})

    @cached_property
    def _perturber(self) -> Perturber:
        return perturber_for(self.config, self.tools)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """One draft per copy, or per target, of every example that has a reference."""
        if self.config.target in {"shuffled", "complete"}:
            yield from self._exchanged(batch)
            return
        wanted = [each for parent in batch for each in self._wanted(parent)]
        for _ in range(_TRIES):
            self._ask([each for each in wanted if isinstance(each.answer, Refused) and each.left])
        for each in wanted:
            if self.config.every:
                self._go_on(each)
            yield _proposal(each)

    def _exchanged(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        rows = [
            Exchange(parent, number, self.random(parent, number), dict(parent.fields), plan)
            for parent in batch
            for number, plan in enumerate(self._plans(parent))
        ]
        asked = [row for row in rows if self._is_perturbable(row.parent)]
        exchange(asked, self.config.axes, self._perturber)
        yield from map(_proposal, rows)

    def _plans(self, parent: Example) -> Iterator[Plan]:
        for copy in range(self.config.copies):
            if self.config.target == "shuffled":
                yield {}
            else:
                generator = self.random(parent, -1 - copy)
                yield from versions(parent.fields, self.config.axes, generator)

    def _is_perturbable(self, parent: Example) -> bool:
        least = self.config.min_perturbability
        return not least or perturbability(parent.fields, self.config.axes) >= least

    def _wanted(self, parent: Example) -> Iterator[_Wanted]:
        axes, target = self.config.axes, self.config.target
        options = choices(references(parent.fields, axes), target)
        if not self._is_perturbable(parent):
            options = []
        groups = _by_target(options) if target == "all" else [options]
        for place, group in enumerate(groups):
            for copy in range(self.config.copies):
                number = place * self.config.copies + copy
                generator = self.random(parent, number)
                left = shuffled(group, generator, self.config.sampling)
                yield _Wanted(parent, number, left, generator)

    def _ask(self, wanted: Sequence[_Wanted]) -> None:
        """Ask the perturber for the next choice of each, all in one batch."""
        jobs = [_job(each, each.left.pop(0)) for each in wanted]
        for each, answer in zip(wanted, self._perturber.perturb(jobs) if jobs else (), strict=True):
            each.answer = answer
            each.cost += answer.cost

    def _go_on(self, each: _Wanted) -> None:
        """Change the other persons of the text too, towards the same target."""
        if not isinstance(each.answer, Perturbed):
            return
        about, fields = each.answer.about, dict(each.answer.fields)
        tried: set[tuple[str, str]] = set()
        for _ in range(_MOST_PERSONS):
            options = choices(references(fields, [self._axis(about["axis"])]), about["target"])
            options = [o for o in options if _key(o, fields) not in tried]
            if not options:
                break
            tried.add(_key(options[0], fields))
            reference = options[0].reference
            place = (reference.field, reference.start, reference.end)
            job = Job(fields, *place, reference.axis, about["target"], each.generator)
            answer = self._perturber.perturb([job])[0]
            each.cost += answer.cost
            if isinstance(answer, Perturbed):
                fields = dict(answer.fields)
        each.answer = Perturbed(fields, None, about)

    def _axis(self, name: str) -> str:
        """The axis as configured, a name or a path, by the name it has."""
        from augkit.lexicons.demographics.axes import read_axis

        return next(axis for axis in self.config.axes if read_axis(axis).axis == name)


def _key(option: Choice, fields: dict[str, str]) -> tuple[str, str]:
    reference = option.reference
    before = fields[reference.field][: reference.start]
    return (
        reference.field,
        f"{len(before.split())}:{fields[reference.field][reference.start : reference.end]}",
    )


def _by_target(options: Sequence[Choice]) -> list[list[Choice]]:
    """The choices apart by axis and target, so that each target gets its variant."""
    groups: dict[tuple[str, str], list[Choice]] = {}
    for option in options:
        groups.setdefault((option.reference.axis, option.target), []).append(option)
    return list(groups.values()) or [[]]


def _job(each: _Wanted, choice: Choice) -> Job:
    reference = choice.reference
    place = (reference.field, reference.start, reference.end)
    return Job(each.parent.fields, *place, reference.axis, choice.target, each.generator)


def _proposal(each: _Wanted | Exchange) -> Draft | Rejection:
    answer = each.answer
    if isinstance(answer, Refused):
        said = (answer.reason, answer.detail, each.copy, each.cost)
        return Rejection(each.parent, *said, stays=answer.reason == "own attribute drawn")
    return Draft(
        each.parent,
        answer.fields,
        each.parent.label,
        copy=each.copy,
        edits=answer.edits,
        cost=each.cost,
        about=answer.about,
    )
