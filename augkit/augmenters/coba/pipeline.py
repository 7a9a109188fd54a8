"""The pipeline of CoBA: decompose, identify, categorise, edit, shuffle, reconstruct, verify.

Single texts, pairs and style are configurations of it: the implementation of each step, the target
labels, and for single texts that rules edit the units (sentences beside whole texts). All examples
of a batch take each step together, so that model calls run side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from augkit.augmenters.coba.categorise import Categoriser
from augkit.augmenters.coba.config import VariantConfig
from augkit.augmenters.coba.decompose import Decomposed, Decomposer
from augkit.augmenters.coba.edit import Edited, Editor, Job, Targets
from augkit.augmenters.coba.gender import gendered_words, swap_gender
from augkit.augmenters.coba.identify import Identifier, PrefetchingIdentifier, Words
from augkit.augmenters.coba.reconstruct import Rebuilt, Reconstructor
from augkit.augmenters.coba.sentences.candidates import Candidate, EditedText, whole_candidate
from augkit.augmenters.coba.sentences.units import Dropped, SentenceUnits, without_dropped
from augkit.augmenters.coba.sentences.work import Work
from augkit.augmenters.coba.shuffle import Shuffler
from augkit.augmenters.coba.verify import (
    NOT_EDITABLE,
    LeftoverCheck,
    form_rejection,
)
from augkit.core.protocols import Parser
from augkit.core.types import DETAIL_CHARS, FREE, Draft, Example, Rejection
from augkit.english.rewriting.form import misplaced_rejection
from augkit.labels.judge import HiddenWords, Judge, Verdict, rejected_label
from augkit.lexicons.label_meanings import is_possibly_open


@dataclass(frozen=True, slots=True)
class Steps:
    """The implementation of each step; without an editor or a judge that step is skipped."""

    decomposer: Decomposer
    identifier: Identifier
    categoriser: Categoriser
    editor: Editor | None
    shuffler: Shuffler
    reconstructor: Reconstructor
    judge: Judge | None
    units: SentenceUnits | None = None
    leftover: LeftoverCheck | None = None


@dataclass(frozen=True)
class Pipeline:
    """The steps for a batch of examples."""

    config: VariantConfig
    steps: Steps
    targets: Targets
    random: Callable[[Example, int], Random]
    parser: Parser
    attempts: int = 1
    """How often a job is tried until one of its variants is accepted."""
    gate: Callable[[Example, Mapping[str, str], str | None], tuple[str, str] | None] | None = None
    """Reason and detail where a text of a language model is rejected, before it is judged."""

    def prefetch(self, examples: Sequence[Example]) -> None:
        """Identify the words of rows that threads propose for one by one soon."""
        identifier = self.steps.identifier
        if isinstance(identifier, PrefetchingIdentifier):
            identifier.prefetch(examples)

    def propose(self, batch: Sequence[Example], copies: int) -> Iterator[Draft | Rejection]:
        """Drafts and rejections for ``copies`` copies of every example."""
        works: list[Work] = []
        for found in self._categorised(batch):
            if isinstance(found, Rejection):
                yield found
            else:
                works += self._works(found, copies)
        for _ in range(self.attempts):
            self._attempt([work for work in works if not work.is_accepted])
        for work in works:
            yield from work.finished()

    def _attempt(self, works: Sequence[Work]) -> None:
        """Edit, reconstruct and verify; what an earlier attempt gave is forgotten, but its cost."""
        for work in works:
            work.restart()
        self._edit(works)
        edited = [work for work in works if work.text is not None]
        self._add_candidates(edited)
        self._redraw(edited)
        self._judge(works)

    def _categorised(self, batch: Sequence[Example]) -> Iterator[Work | Rejection]:
        """Decompose, identify, categorise; the target label is still open."""
        split: list[tuple[Example, Decomposed]] = []
        for parent, found in zip(batch, self.steps.decomposer.decompose(batch), strict=True):
            if isinstance(found, Rejection):
                yield found
            else:
                split.append((parent, found))
        named = self.steps.identifier.identify([parent for parent, _ in split])
        known: list[tuple[Example, Decomposed, Words]] = []
        for (parent, found), words in zip(split, named, strict=True):
            if isinstance(words, Rejection):
                yield replace(words, cost=found.cost + words.cost)
            else:
                known.append((parent, found, self._with_gender(parent, words)))
        categorised = self.steps.categoriser.categorise(
            [parent for parent, _, _ in known],
            [found for _, found, _ in known],
            [words for _, _, words in known],
        )
        for (parent, found, words), kinds in zip(known, categorised, strict=True):
            cost = found.cost + words.cost + kinds.cost
            if isinstance(kinds, Rejection):
                yield replace(kinds, cost=cost)
            else:
                parts = (found.triples, found.sentences, words, kinds.categories)
                yield Work(Job(parent, None, *parts, self.random(parent, 0)), cost)

    def _with_gender(self, parent: Example, words: Words) -> Words:
        if self.config.gender != "spurious":
            return words
        gendered = gendered_words(" ".join(parent.fields.values()))
        return replace(words, spurious=words.spurious | gendered)

    def _works(self, first: Work, copies: int) -> Iterator[Work]:
        """One for every copy and target; the first carries what the example cost."""
        parent = first.job.parent
        others, drawn = self.targets.others(parent.label), self.targets.choice == "draw"
        for number, target in enumerate(self.targets.of(parent.label) * copies):
            rng = self.random(parent, number)
            label = rng.choice(others) if drawn else target
            job = replace(first.job, target=label, rng=rng, number=number)
            yield Work(job, FREE if number else first.cost)

    def _edit(self, works: Sequence[Work]) -> None:
        jobs = [work.job for work in works]
        for work, edited in zip(works, self._edited(jobs), strict=True):
            if isinstance(edited, Rejection):
                work.reject(edited)
            elif self.steps.editor is not None and not edited.triples and not edited.edits:
                work.reject(Rejection(work.job.parent, NOT_EDITABLE, cost=edited.cost))
            else:
                work.cost += edited.cost
                make = EditedText if self.steps.units is None else self.steps.units.edited_text
                work.text = make(work.job, edited)

    def _edited(self, jobs: Sequence[Job]) -> Sequence[Edited | Rejection]:
        if self.steps.editor is None:
            return [Edited({}) for _ in jobs]
        return self.steps.editor.edit(jobs) if jobs else []

    def _add_candidates(self, works: Sequence[Work]) -> None:
        texts = [work.text for work in works if work.text is not None]
        for work, found in zip(works, self._candidates(texts), strict=True):
            for one in found:
                if isinstance(one, Candidate):
                    work.candidates.append(one)
                else:
                    work.reject(one)

    def _redraw(self, works: Sequence[Work]) -> None:
        """Sentences and texts once more, in other words; their twins are there already."""
        units = self.steps.units
        several = [w for w in works if w.text is not None and len(w.text.sentences) > 1]
        if units is None or not several:
            return
        known = {_content(one) for work in works for one in work.candidates}
        for _ in range(units.redraws):
            edits = self._edited([work.job for work in several])
            again = [
                (work, replace(work.text, edited=edited))
                for work, edited in zip(several, edits, strict=True)
                if work.text is not None and not isinstance(edited, Rejection)
            ]
            texts = [text for _, text in again]
            for (work, _text), found in zip(again, self._candidates(texts), strict=True):
                for one in found:
                    if isinstance(one, Candidate) and _content(one) not in known:
                        known.add(_content(one))
                        work.candidates.append(replace(one, twin=None))

    def _candidates(self, texts: Sequence[EditedText]) -> list[list[Candidate | Rejection]]:
        """The candidates of each edited example: its sentences, then the whole text."""
        units = self.steps.units
        wholes = [units is None or units.wants_text(text) for text in texts]
        whole = [text for text, wanted in zip(texts, wholes, strict=True) if wanted]
        dropped = [Dropped() for _ in whole] if units is None else list(units.dropped(whole))
        rebuilt = iter(self._whole_texts(whole, dropped))
        found: list[list[Candidate | Rejection]] = []
        for text, wanted in zip(texts, wholes, strict=True):
            own = [] if units is None else list(units.sentences(text))
            found.append([*own, next(rebuilt)] if wanted else own)
        return found

    def _whole_texts(
        self, texts: Sequence[EditedText], dropped: Sequence[Dropped]
    ) -> Iterator[Candidate | Rejection]:
        kept = [without_dropped(text, out) for text, out in zip(texts, dropped, strict=True)]
        plans = [
            self.steps.shuffler.shuffle(text.job, text.edited, out.sentences)
            for text, out in zip(kept, dropped, strict=True)
        ]
        rebuilt = self.steps.reconstructor.reconstruct(plans) if plans else []
        for text, found in zip(kept, rebuilt, strict=True):
            yield found if isinstance(found, Rejection) else self._whole_text(text, found)

    def _whole_text(self, text: EditedText, rebuilt: Rebuilt) -> Candidate | Rejection:
        job, words, source = text.job, text.job.words, text.job.parent.fields
        by_rules = rebuilt.edits is not None
        misplaced = misplaced_rejection(rebuilt.fields, source) if by_rules else None
        if self.config.gender != "keep":
            target = self.config.gender_target
            fields = swap_gender(rebuilt.fields, target, job.rng, self.parser)
            rebuilt = Rebuilt(fields, None, rebuilt.cost)
            words = words.without(gendered_words(" ".join(source.values())))
        units = self.steps.units
        reason = None if units is None else units.text_rejection(text, rebuilt.fields)
        reason = reason or misplaced
        if reason is None and self.steps.leftover is not None:
            reason = self.steps.leftover.rejection(job, rebuilt.fields)
        reason = reason or form_rejection(source, rebuilt.fields, words, self.config.limits)
        detail = " | ".join(rebuilt.fields.values())[:DETAIL_CHARS]
        if reason is None and self.gate is not None:
            reason, detail = self.gate(job.parent, rebuilt.fields, job.target) or (None, detail)
        if reason is not None:
            return Rejection(job.parent, reason, detail, cost=rebuilt.cost)
        return whole_candidate(text, rebuilt)

    def _judge(self, works: Sequence[Work]) -> None:
        """Turn candidates into outcomes, those of the batch judged together."""
        open_ones = [(work, one) for work in works for one in work.by_lost_shortcuts()]
        numbers: Counter[str] = Counter()
        for (work, one), verdict in zip(open_ones, self._verdicts(open_ones), strict=True):
            draft, parent = one.draft, one.draft.parent
            work.cost += draft.cost
            if verdict is not None:
                work.cost += verdict.cost
                may_be_open = is_possibly_open(draft.label, draft.fields, self.targets.labels)
                least = self.config.least_probability(draft.about["unit"], may_be_open=may_be_open)
                if verdict.probability < least:
                    work.reject(rejected_label(draft, verdict))
                    continue
                draft = replace(draft, scores={"label": round(verdict.probability, 4)})
            for made in (draft,) if one.twin is None else (draft, one.twin):
                copy = made.copy if self.steps.units is None else numbers[parent.id]
                numbers[parent.id] += 1
                work.outcomes.append(replace(made, copy=copy, cost=FREE))

    def _verdicts(self, open_ones: Sequence[tuple[Work, Candidate]]) -> Sequence[Verdict | None]:
        if self.steps.judge is None or not open_ones:
            return [None] * len(open_ones)
        variants = [Example(one.draft.fields, one.draft.label) for _, one in open_ones]
        if self.steps.units is not None:
            words = (work.job.words.shortcuts for work, _ in open_ones)
            variants = [
                HiddenWords(tuple(hidden)).remove_from(variant)
                for variant, hidden in zip(variants, words, strict=True)
            ]
        return self.steps.judge.judge([one.draft.parent for _, one in open_ones], variants)


def _content(candidate: Candidate) -> tuple[str, ...]:
    return candidate.draft.parent.id, *candidate.draft.fields.values()
