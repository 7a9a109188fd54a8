"""Variants by a language model: the steps of CoBA for single texts and for pairs.

All examples of a batch take each step together, so that calls run side by side; a variant costs an
edit, a reconstruction and a verdict, and its example one decomposition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from augkit.augmenters.coba import checks
from augkit.augmenters.coba.categories import categorise
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.gender import gendered_words, swapped
from augkit.augmenters.coba.steps import (
    Category,
    Decomposed,
    Draught,
    Edited,
    Failed,
    Job,
    Rebuilt,
    Steps,
    Words,
)
from augkit.augmenters.coba.talking.foreseeing import Foreseeing
from augkit.augmenters.coba.talking.order import arranged
from augkit.core.types import FREE, Cost, Draft, Example, Rejection
from augkit.language.triples import Triple

NOT_PRINCIPAL = "no principal triple"


@dataclass
class _Work:
    """A variant in the making, with what it has cost so far."""

    job: Job
    copy: int
    cost: Cost
    edited: Edited | None = None
    fields: Mapping[str, str] | None = None
    failed: Failed | None = None

    def fail(self, failed: Failed) -> None:
        self.cost += failed.cost
        self.failed = failed


@dataclass(frozen=True)
class TalkingProposer:
    """Decompose, identify, categorise, edit, rearrange, reconstruct, check.

    ``targets`` gives the labels that a row can be turned into: all of them for a pair, and one is
    drawn for a single text.
    """

    config: CobaConfig
    steps: Steps
    labels: Sequence[str]
    draw: Callable[[Example, int], Random]
    every_target: bool = False

    def prefetch(self, examples: Sequence[Example]) -> None:
        """Find the important words of rows that come soon, where they are computed here."""
        if isinstance(self.steps.identifier, Foreseeing):
            self.steps.identifier.prefetch(examples)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """A draft or a rejection for every variant asked for."""
        decomposed = self.steps.decomposer.decompose(batch)
        identified = self.steps.identifier.identify(batch)
        work: list[_Work] = []
        for parent, found, words in zip(batch, decomposed, identified, strict=True):
            cost = found.cost + words.cost
            if isinstance(found, Failed):
                yield Rejection(parent, found.reason, found.detail, cost=cost)
            elif isinstance(words, Failed):
                yield Rejection(parent, words.reason, words.detail, cost=cost)
            else:
                work += self._works(parent, found, words, cost)
        self._edit(work)
        self._reconstruct([each for each in work if each.failed is None])
        self._judge([each for each in work if each.failed is None])
        for each in work:
            yield _proposal(each)

    def _works(
        self, parent: Example, found: Decomposed, words: Words, cost: Cost
    ) -> Iterator[_Work]:
        """One for every copy and target; the first carries what was paid for the example."""
        if self.config.gender == "spurious":
            gendered = gendered_words(" ".join(parent.fields.values()))
            words = replace(words, spurious=words.spurious | gendered)
        others = [label for label in self.labels if label != parent.label]
        number = 0
        for copy in range(self.config.copies):
            for target in others if self.every_target else [None]:
                draw = self.draw(parent, number)
                wanted = target if target is not None else draw.choice(others)
                kinds = _categories(parent, found.triples, words, self.config)
                job = Job(parent, wanted, found.triples, words, kinds, draw)
                yield _Work(job, number, FREE if number else cost)
                number += 1
            _ = copy

    def _edit(self, work: Sequence[_Work]) -> None:
        open_ones = []
        for each in work:
            if each.job.words.principal and "principal" not in each.job.categories.values():
                each.fail(Failed(NOT_PRINCIPAL))
            else:
                open_ones.append(each)
        answers = self.steps.editor.edit([each.job for each in open_ones]) if open_ones else []
        for each, answer in zip(open_ones, answers, strict=True):
            if isinstance(answer, Failed):
                each.fail(answer)
            else:
                each.edited, each.cost = answer, each.cost + answer.cost

    def _reconstruct(self, work: Sequence[_Work]) -> None:
        draughts = [self._draught(each) for each in work]
        answers = self.steps.reconstructor.reconstruct(draughts) if draughts else []
        for each, answer in zip(work, answers, strict=True):
            if isinstance(answer, Failed):
                each.fail(answer)
                continue
            each.cost += answer.cost
            each.fields = self._swapped(each, answer)
            before, after = (" ".join(f.values()) for f in (each.job.parent.fields, each.fields))
            if reason := checks.refused(before, after, each.job.words, self.config):
                each.fail(Failed(reason, after[:500]))

    def _draught(self, each: _Work) -> Draught:
        edited = each.edited or Edited({})
        order = arranged(each.job, edited, self.config)
        return Draught(each.job, edited, order)

    def _swapped(self, each: _Work, rebuilt: Rebuilt) -> Mapping[str, str]:
        if self.config.gender == "keep":
            return rebuilt.fields
        return swapped(rebuilt.fields, self.config.gender_target, each.job.generator)

    def _judge(self, work: Sequence[_Work]) -> None:
        parents = [each.job.parent for each in work]
        variants = [Example(each.fields or {}, each.job.target) for each in work]
        verdicts = self.steps.judge.judge(parents, variants) if work else []
        for each, verdict in zip(work, verdicts, strict=True):
            each.cost += verdict.cost
            if verdict.probability < self.config.min_label:
                answered = verdict.about.get("judge", f"{verdict.probability:.2f}")
                text = " | ".join((each.fields or {}).values())
                each.failed = Failed(checks.LABEL, f"{answered}: {text}"[:500])


def _categories(
    parent: Example, triples: Sequence[Triple], words: Words, config: CobaConfig
) -> dict[int, Category]:
    """The categories; where no triple repeats a principal word, its sentence's triples hold it."""
    kinds = categorise(triples, words, config.precedence)
    if not words.principal or "principal" in kinds.values():
        return kinds
    for triple in triples:
        text = parent.fields[triple.field].casefold()
        if any(word in text for word in words.principal):
            kinds[triple.id] = "principal"
    return kinds


def _proposal(each: _Work) -> Draft | Rejection:
    job = each.job
    if each.failed is not None or each.fields is None or each.edited is None:
        failed = each.failed or Failed("nothing proposed")
        return Rejection(job.parent, failed.reason, failed.detail, each.copy, each.cost)
    before = {triple.id: triple for triple in job.triples}
    told = [f"{_text(before[n])} → {_text(t)}" for n, t in sorted(each.edited.triples.items())]
    about = {
        "unit": "pair" if len(job.parent.fields) > 1 else "text",
        "source": str(job.parent.label),
        "target": job.target,
        "principal": "; ".join(told[:5]),
    }
    return Draft(
        job.parent,
        dict(each.fields),
        job.target,
        "flipped",
        each.copy,
        cost=each.cost,
        about=about,
    )


def _text(triple: Triple) -> str:
    return " | ".join(element.text for element in triple.elements)
