"""PANDA: perturb demographic references; the label is kept.

Qian et al. (2022), *Perturbation Augmentation for Fairer NLP*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from augkit.augmenters.base import Augmenter
from augkit.augmenters.llm_requests import required_llm
from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.fairtuning import AttributeMaps, Permutation, permute, versions
from augkit.augmenters.panda.perturbability import perturbability
from augkit.augmenters.panda.perturbers.llm import LLMPerturber
from augkit.augmenters.panda.perturbers.protocol import Perturbed, Perturber, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.perturbers.seq2seq import Seq2SeqPerturber
from augkit.augmenters.panda.perturbers.tagger import TaggerPerturber
from augkit.augmenters.panda.references import references
from augkit.augmenters.panda.sampling import Choice, choices, shuffled
from augkit.core.types import FREE, Cost, Draft, Example, Rejection
from augkit.language.parser import BUNDLED, SpacyParser
from augkit.lexicons.demographics.axes import read_axis

_TRIES = 4
"""Choices tried for one variant, at most, before the example is rejected."""


@dataclass
class _Attempt:
    """A variant in the making: the choices left, and the result of the last one."""

    parent: Example
    copy: int
    left: list[Choice]
    rng: Random
    result: Perturbed | Rejection
    cost: Cost = FREE


class Panda(Augmenter[PandaConfig]):
    """Rewrite a text about somebody of another gender, race or age, in grammar that agrees."""

    name = "panda"
    Config = PandaConfig
    english_only = True
    replaces_in_kind = True
    writing = "edit"
    mix = "replace"

    @property
    def written_by_llm(self) -> bool:
        """Whether the perturber is a language model."""
        return self.config.perturber == "llm"

    @cached_property
    def _perturber(self) -> Perturber:
        config = self.config
        if config.perturber == "seq2seq":
            return Seq2SeqPerturber(config)
        if config.perturber == "llm":
            return LLMPerturber(required_llm(self), config)
        own = config.pipeline == BUNDLED
        parser = self.parser if own else SpacyParser(config.pipeline)
        rules = RulePerturber(parser, config.names)
        return TaggerPerturber(config, rules) if config.perturber == "tagger" else rules

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """One draft per copy, or per target, of every example that has a reference."""
        if self.config.target in {"shuffled", "complete"}:
            yield from self._permuted(batch)
            return
        attempts = [each for parent in batch for each in self._attempts(parent)]
        for _ in range(_TRIES):
            self._try_next([a for a in attempts if isinstance(a.result, Rejection) and a.left])
        for attempt in attempts:
            if self.config.every:
                self._perturb_others(attempt)
            yield _proposal(attempt)

    def _permuted(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        rows = [
            Permutation(parent, number, self.random(parent, number), dict(parent.fields), maps)
            for parent in batch
            for number, maps in enumerate(self._maps(parent))
        ]
        perturbable = [row for row in rows if self._is_perturbable(row.parent)]
        permute(perturbable, self.config.axes, self._perturber)
        yield from map(_proposal, rows)

    def _maps(self, parent: Example) -> Iterator[AttributeMaps]:
        for copy in range(self.config.copies):
            if self.config.target == "shuffled":
                yield {}
            else:
                rng = self.random(parent, -1 - copy)
                yield from versions(parent.fields, self.config.axes, rng)

    def _is_perturbable(self, parent: Example) -> bool:
        least = self.config.min_perturbability
        return not least or perturbability(parent.fields, self.config.axes) >= least

    def _attempts(self, parent: Example) -> Iterator[_Attempt]:
        axes, target = self.config.axes, self.config.target
        options = choices(references(parent.fields, axes), target)
        if not self._is_perturbable(parent):
            options = []
        groups = _by_target(options) if target == "all" else [options]
        none = Rejection(parent, "no reference")
        for index, group in enumerate(groups):
            for copy in range(self.config.copies):
                number = index * self.config.copies + copy
                rng = self.random(parent, number)
                left = shuffled(group, rng, self.config.sampling)
                yield _Attempt(parent, number, left, rng, none)

    def _try_next(self, attempts: Sequence[_Attempt]) -> None:
        """Perturb by the next choice of each attempt, all in one batch."""
        tasks = [_task(each, each.left.pop(0), each.parent.fields) for each in attempts]
        results = self._perturber.perturb(tasks) if tasks else []
        for attempt, result in zip(attempts, results, strict=True):
            attempt.result = result
            attempt.cost += result.cost

    def _perturb_others(self, attempt: _Attempt) -> None:
        """Change the other persons of the text too, towards the same target."""
        if isinstance(attempt.result, Rejection):
            return
        about, fields = attempt.result.about, dict(attempt.result.fields)
        axis = next(name for name in self.config.axes if read_axis(name).axis == about["axis"])
        becomes = dict.fromkeys(read_axis(axis).attributes, about["target"])
        row = Permutation(attempt.parent, attempt.copy, attempt.rng, fields, {axis: becomes})
        permute([row], [axis], self._perturber)
        attempt.cost += row.cost
        attempt.result = Perturbed(row.fields, None, about)


def _by_target(options: Sequence[Choice]) -> list[list[Choice]]:
    """The choices apart by axis and target, so that each target gets its variant."""
    groups: dict[tuple[str, str], list[Choice]] = {}
    for option in options:
        groups.setdefault((option.reference.axis, option.target), []).append(option)
    return list(groups.values()) or [[]]


def _task(attempt: _Attempt, choice: Choice, fields: Mapping[str, str]) -> PerturbTask:
    reference = choice.reference
    example = replace(attempt.parent, fields=fields)
    return PerturbTask(example, *reference.span, reference.axis, choice.target, attempt.rng)


def _proposal(made: _Attempt | Permutation) -> Draft | Rejection:
    result = made.result
    if isinstance(result, Rejection):
        stays = result.reason == "identity permutation"
        return replace(result, parent=made.parent, copy=made.copy, cost=made.cost, stays=stays)
    return Draft(
        made.parent,
        result.fields,
        made.parent.label,
        copy=made.copy,
        edits=result.edits,
        cost=made.cost,
        about=result.about,
    )
