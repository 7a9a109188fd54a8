"""PANDA: perturb demographic references, drawn by Algorithm 1; the label is kept.

Qian et al. (2022), *Perturbation Augmentation for Fairer NLP*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count, islice
from random import Random
from typing import NamedTuple

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.llm_requests import required_llm
from augkit.augmenters.panda import fairtuning
from augkit.augmenters.panda.config import EVERYBODY, PandaConfig
from augkit.augmenters.panda.perturbers.llm import LLMPerturber
from augkit.augmenters.panda.perturbers.protocol import Perturber, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.perturbers.seq2seq import Seq2SeqPerturber
from augkit.augmenters.panda.references import Reference, perturbability, references
from augkit.augmenters.panda.rules.everybody import OPPOSITE
from augkit.augmenters.persons import PERSON_CHECK
from augkit.core.protocols import Check
from augkit.core.types import EMPTY, FREE, Example, Variant, refused
from augkit.english.entities import count_entities
from augkit.lexicons.demographics.axes import read_axis
from augkit.models.language_models.seq2seq import load_seq2seq

_TRIES = 4
"""Choices tried for one variant, at most, before the example is rejected."""


class Panda(Augmenter[PandaConfig]):
    """Change a person's gender, race or age in a text, with correct grammar."""

    name = "panda"
    Config = PandaConfig
    traits = Traits(writing="edit", english="rows", in_kind=True, whole_chats=True)
    mix = "replace"

    @property
    def written_by_llm(self) -> bool:
        """Whether the perturber is a language model."""
        return self.config.perturber == "llm"

    @property
    def checks(self) -> Sequence[Check[Variant]]:
        """A person changes everywhere in a row, or not at all."""
        return (PERSON_CHECK,)

    @cached_property
    def _perturber(self) -> Perturber:
        config = self.config
        if config.perturber == "llm":
            return LLMPerturber(required_llm(self), config)
        if config.model:
            return Seq2SeqPerturber(load_seq2seq(config.model), config.other_words)
        return RulePerturber(self.parser, full_names=config.full_names == "change")

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Propose a variant for each copy, or each target, of every example with a reference."""
        least = self.config.min_perturbability
        scores = self._perturbabilities(batch) if least else {}
        make = self._permuted if self.config.target in EVERYBODY else self._drawn
        turns: list[tuple[Example, int, fairtuning.Turn]] = []
        for parent in batch:
            score = scores.get(parent.id, least)
            if score < least:
                yield refused(parent, "low perturbability", f"{score:.4f} is below {least:g}")
                continue
            turns += [(parent, number, turn) for number, turn in enumerate(make(parent))]
        results = fairtuning.take_turns((turn for *_, turn in turns), self._perturber)
        for (parent, number, _), result in zip(turns, results, strict=True):
            figures = {"perturbability": round(scores[parent.id], 4)} if scores else EMPTY
            # The row of a result may be changed already, on another axis.
            yield replace(result, parent=parent, copy=number, scores=figures)

    def _permuted(self, parent: Example) -> Iterator[fairtuning.Turn]:
        """One permutation of the attributes of a row, all versions of it, or the opposite."""
        if self.config.target == "opposite":
            yield fairtuning.permute(parent, {"gender": OPPOSITE}, self.random(parent, 0))
            return
        numbers = count()
        for copy in range(self.config.copies):
            rng = self.random(parent, -1 - copy)
            versions = fairtuning.versions(parent.fields, self.config.axes, rng)
            for maps in versions[:1] if self.config.target == "shuffled" else versions:
                yield fairtuning.permute(parent, maps, self.random(parent, next(numbers)))

    def _perturbabilities(self, batch: Sequence[Example]) -> dict[str, float]:
        """Eq. 2 for every row, by its id; its fields are read as one text, as for a perturber."""
        texts = ["\n\n".join(parent.fields.values()) for parent in batch]
        counts = count_entities(texts, self.parser)
        return {
            parent.id: perturbability(parent.fields, self.config.axes, entities)
            for parent, entities in zip(batch, counts, strict=True)
        }

    def _drawn(self, parent: Example) -> Iterator[fairtuning.Turn]:
        """Algorithm 1, for every variant; with target=all the choices of each target apart."""
        axes = self.config.axes
        target = self.config.target
        groups: dict[object, list[PersonChange]] = {}
        for option in choices(references(parent.fields, axes), target):
            key = (option.reference.axis, option.target) if target == "all" else target
            groups.setdefault(key, []).append(option)
        numbers = count()
        for group in groups.values() or [[]]:
            for number in islice(numbers, self.config.copies):
                rng = self.random(parent, number)
                yield _tries(parent, shuffled(group, rng, self.config.sampling), rng)


class PersonChange(NamedTuple):
    """A reference and the attribute it is to get."""

    reference: Reference
    target: str


def choices(drawable: Sequence[Reference], target: str = "random") -> list[PersonChange]:
    """Every (word, target attribute ≠ source); with a fixed target, those that lead to it."""
    return [
        PersonChange(reference, attribute)
        for reference in drawable
        for attribute in read_axis(reference.axis).attributes
        if attribute != reference.attribute and target in {"random", "all", attribute}
    ]


def shuffled(options: Sequence[PersonChange], rng: Random, sampling: str) -> list[PersonChange]:
    """The choices in random order: the first is the draw, the next replaces a rejected one.

    Sorting by keys u^(1/w) draws without replacement by the weights w. The pairs of a word and a
    target are a set (Algorithm 1): the occurrences of a word share the weight of one. It is the
    same for all pairs, ``uniform``, or for all axes, ``balanced`` (footnote 2).
    """
    occurrences = Counter((o.reference.axis, o.reference.word, o.target) for o in options)
    pairs = Counter(axis for axis, *_ in occurrences)

    def key(option: PersonChange) -> float:
        axis = option.reference.axis
        word = option.reference.word
        pairs_alike = 1 if sampling == "uniform" else pairs[axis]
        return -(rng.random() ** (occurrences[axis, word, option.target] * pairs_alike))

    return sorted(options, key=key)


def _tries(parent: Example, left: Sequence[PersonChange], rng: Random) -> fairtuning.Turn:
    """The first choice that is not refused, or the last refusal."""
    result = refused(parent, "no reference")
    cost = FREE
    for reference, target in left[:_TRIES]:
        result = yield PerturbTask(parent, *reference.span, reference.axis, target, rng)
        cost += result.cost
        if not result.reason:
            break
    return replace(result, cost=cost)
