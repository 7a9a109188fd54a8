"""PANDA: perturb demographic references; the label is kept.

Qian et al. (2022), *Perturbation Augmentation for Fairer NLP*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, islice
from random import Random

from augkit.augmenters.base import Augmenter
from augkit.augmenters.llm_requests import required_llm
from augkit.augmenters.panda import fairtuning
from augkit.augmenters.panda.config import PandaConfig
from augkit.augmenters.panda.perturbers.llm import LLMPerturber
from augkit.augmenters.panda.perturbers.protocol import Perturbed, Perturber, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.perturbers.seq2seq import Seq2SeqPerturber
from augkit.augmenters.panda.perturbers.tagger import TaggerPerturber
from augkit.augmenters.panda.references import (
    Choice,
    choices,
    perturbability,
    references,
    shuffled,
)
from augkit.core.types import FREE, Cost, Draft, Example, Rejection
from augkit.language.parser import BUNDLED, SpacyParser
from augkit.lexicons.demographics.axes import read_axis
from augkit.models.language_models.edit_tagger import load_tagger
from augkit.models.language_models.seq2seq import load_seq2seq

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
        if config.perturber == "llm":
            return LLMPerturber(required_llm(self), config)
        if config.perturber.startswith("seq2seq"):
            return Seq2SeqPerturber(load_seq2seq(config.model), config.other_words)
        own = config.pipeline == BUNDLED
        parser = self.parser if own else SpacyParser(config.pipeline)
        rules = RulePerturber(parser, config.names)
        return TaggerPerturber(load_tagger(config.model), rules) if config.model else rules

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """One draft per copy, or per target, of every example that has a reference."""
        permutes = self.config.target in {"shuffled", "complete"}
        yield from map(_proposal, self._permuted(batch) if permutes else self._drawn(batch))

    def _permuted(self, batch: Sequence[Example]) -> list[fairtuning.Permutation]:
        """Fairtuning: one permutation of the attributes of a row, or all versions of it."""
        rows = [
            fairtuning.Permutation(
                parent, number, self.random(parent, number), dict(parent.fields), maps
            )
            for parent in batch
            for number, maps in enumerate(self._maps(parent))
        ]
        fairtuning.permute(rows, self.config.axes, self._perturber)
        return rows

    def _maps(self, parent: Example) -> Iterator[fairtuning.AttributeMaps]:
        for copy in range(self.config.copies):
            axes = self.config.axes if self._is_perturbable(parent) else ()
            made = fairtuning.versions(parent.fields, axes, self.random(parent, -1 - copy))
            yield from made[:1] if self.config.target == "shuffled" else made

    def _is_perturbable(self, parent: Example) -> bool:
        least = self.config.min_perturbability
        return not least or perturbability(parent.fields, self.config.axes) >= least

    def _drawn(self, batch: Sequence[Example]) -> list[_Attempt]:
        """Algorithm 1; a choice that is rejected is followed by another one."""
        attempts = [each for parent in batch for each in self._attempts(parent)]
        fairtuning.take_turns(map(_tries, attempts), self._perturber)
        for attempt in attempts if self.config.every else ():
            self._perturb_others(attempt)
        return attempts

    def _attempts(self, parent: Example) -> Iterator[_Attempt]:
        """The choices of every variant, with target=all those of each target apart."""
        axes, target = self.config.axes, self.config.target
        groups: dict[object, list[Choice]] = {}
        if self._is_perturbable(parent):
            for option in choices(references(parent.fields, axes), target):
                key = (option.reference.axis, option.target) if target == "all" else target
                groups.setdefault(key, []).append(option)
        numbers = count()
        for group in groups.values() or [[]]:
            for number in islice(numbers, self.config.copies):
                rng = self.random(parent, number)
                left = shuffled(group, rng, self.config.sampling)
                yield _Attempt(parent, number, left, rng, Rejection(parent, "no reference"))

    def _perturb_others(self, attempt: _Attempt) -> None:
        """Change the other persons of the text too, towards the same target."""
        if isinstance(attempt.result, Rejection):
            return
        about, fields = attempt.result.about, dict(attempt.result.fields)
        axis = next(name for name in self.config.axes if read_axis(name).axis == about["axis"])
        becomes = dict.fromkeys(read_axis(axis).attributes, about["target"])
        row = fairtuning.Permutation(
            attempt.parent, attempt.copy, attempt.rng, fields, {axis: becomes}
        )
        fairtuning.permute([row], [axis], self._perturber)
        attempt.cost += row.cost
        attempt.result = Perturbed(row.fields, None, about)


def _tries(attempt: _Attempt) -> fairtuning.Turn:
    for reference, target in attempt.left[:_TRIES]:
        place = (*reference.span, reference.axis, target)
        attempt.result = yield PerturbTask(attempt.parent, *place, attempt.rng)
        attempt.cost += attempt.result.cost
        if isinstance(attempt.result, Perturbed):
            return


def _proposal(made: _Attempt | fairtuning.Permutation) -> Draft | Rejection:
    result, parent, number, cost = made.result, made.parent, made.copy, made.cost
    if isinstance(result, Rejection):
        stays = result.reason == "identity permutation"
        return replace(result, parent=parent, copy=number, cost=cost, stays=stays)
    about, edits = result.about, result.edits
    return Draft(
        parent, result.fields, parent.label, copy=number, edits=edits, cost=cost, about=about
    )
