"""Variants of single texts: the steps of CoBA, one after another, for a batch of examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from augkit.augmenters.coba import checks
from augkit.augmenters.coba.categories import categorise
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.contrary import Contrary, contrary, readings, sentence_variants, without
from augkit.augmenters.coba.gender import gendered_words, swapped
from augkit.augmenters.coba.normal import arrangement, moved_edits, normal_sentences
from augkit.augmenters.coba.pieces import main_clauses, smaller_pieces
from augkit.augmenters.coba.reading import Reader
from augkit.augmenters.coba.steps import (
    Decomposed,
    Draught,
    Edited,
    Failed,
    Job,
    Rebuilt,
    Steps,
    Words,
)
from augkit.augmenters.coba.units import Candidate, Work, sentence_candidates, text_candidate
from augkit.core.types import FREE, Cost, Draft, Example, Rejection
from augkit.language.triples import Span, Triple

Draw = Callable[[Example, int], Random]
"""The generator of an example and a copy."""


@dataclass(frozen=True)
class TextProposer:
    """Decompose, identify, categorise, edit, rearrange, rebuild, check."""

    config: CobaConfig
    steps: Steps
    labels: Sequence[str]
    reader: Reader
    draw: Draw

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Drafts and rejections for every example, all copies of a step in one batch."""
        jobs: list[Job] = []
        for parent, triples, words in self._understood(batch):
            failed = next((x for x in (triples, words) if isinstance(x, Failed)), None)
            if failed is not None:
                yield _refusal(parent, failed)
            elif isinstance(triples, Decomposed) and isinstance(words, Words):
                if not triples.triples:
                    yield Rejection(parent, checks.NO_TRIPLE)
                    continue
                jobs += [
                    self._job(parent, triples, words, copy) for copy in range(self.config.copies)
                ]
        yield from self._proposals(jobs)

    def _understood(
        self, batch: Sequence[Example]
    ) -> Iterator[tuple[Example, Decomposed | Failed, Words | Failed]]:
        decomposed = self.steps.decomposer.decompose(batch)
        identified = self.steps.identifier.identify(batch)
        return zip(batch, decomposed, identified, strict=True)

    def _job(self, parent: Example, found: Decomposed, words: Words, copy: int) -> Job:
        if self.config.gender == "spurious":
            gendered = gendered_words(" ".join(parent.fields.values()))
            words = replace(words, spurious=words.spurious | gendered)
        draw = self.draw(parent, copy)
        target = draw.choice([label for label in self.labels if label != parent.label])
        kinds = categorise(found.triples, words, self.config.precedence)
        return Job(parent, target, found.triples, words, kinds, draw)

    def _proposals(self, jobs: Sequence[Job]) -> Iterator[Draft | Rejection]:
        works: list[Work] = []
        for job, edited in zip(jobs, self.steps.editor.edit(jobs) if jobs else (), strict=True):
            if isinstance(edited, Failed):
                yield _refusal(job.parent, edited)
            elif not edited.triples and not edited.edits:
                yield Rejection(job.parent, checks.EMPTY)
            else:
                works.append(self._work(job, edited))
        candidates: list[Candidate] = []
        for found in self._candidates(works):
            if isinstance(found, Candidate):
                candidates.append(found)
            else:
                yield found
        yield from self._judged([*candidates, *self._further(works, candidates)])

    def _further(
        self, works: Sequence[Work], candidates: Sequence[Candidate]
    ) -> Iterator[Candidate]:
        """Sentences and texts once more, in other words; the twins are there already."""
        known = {(one.draft.parent.id, *one.draft.fields.values()) for one in candidates}
        several = [work for work in works if len(work.sentences) > 1]
        for _ in range(self.config.draws - 1 if several and self.config.unit != "text" else 0):
            again = self.steps.editor.edit([work.job for work in several])
            turned = [
                replace(work, edited=edited)
                for work, edited in zip(several, again, strict=True)
                if not isinstance(edited, Failed)
            ]
            for one in self._candidates(turned):
                if isinstance(one, Candidate):
                    key = (one.draft.parent.id, *one.draft.fields.values())
                    if key not in known:
                        known.add(key)
                        yield replace(one, twin=None)

    def _candidates(self, works: Sequence[Work]) -> Iterator[Candidate | Rejection]:
        whole = [work for work in works if self._is_wanted_whole(work)]
        found = dict(zip(map(id, whole), self._contrary(whole), strict=True))
        for work in works:
            if self.config.unit != "text" and len(work.sentences) > 1:
                yield from sentence_candidates(work, self.config)
            if id(work) in found:
                yield self._whole(work, found[id(work)])

    def _is_wanted_whole(self, work: Work) -> bool:
        wanted = {"text": 1.0, "sentence": 0.0, "both": self.config.text_share}[self.config.unit]
        return len(work.sentences) < 2 or work.job.generator.random() < wanted

    def _contrary(self, works: Sequence[Work]) -> Iterator[Contrary]:
        """The sentences to leave out of each text, those of the batch judged together."""
        asked = [work for work in works if self._may_be_shortened(work)]
        variants = [sentence_variants(work) for work in asked]
        parents = [w.job.parent for w, some in zip(asked, variants, strict=True) for _ in some]
        verdicts = iter(self.steps.judge.judge(parents, [v for some in variants for v in some]))
        for work in works:
            found = Contrary()
            if self._may_be_shortened(work):
                told = [next(verdicts).probability for _ in work.sentences]
                found = contrary(work, readings(work, told), self.config)
            yield found

    def _may_be_shortened(self, work: Work) -> bool:
        """Whether sentences can be left out: places are known, and more than one is there."""
        return self.config.drop > 0 and work.edited.edits is not None and len(work.sentences) > 1

    def _work(self, job: Job, edited: Edited) -> Work:
        (analysis,) = self.reader.read([next(iter(job.parent.fields.values()))])
        sentences = [Span(run[0].start, run[-1].end) for run in analysis.sentences]
        clauses = [main_clauses(analysis, run) for run in analysis.sentences]
        pieces = [smaller_pieces(analysis, run) for run in analysis.sentences]
        return Work(job, edited, sentences, clauses, pieces)

    def _whole(self, work: Work, found: Contrary) -> Candidate | Rejection:
        work = without(work, found)
        rebuilt = self.steps.reconstructor.reconstruct([self._draught(work, found.out)])[0]
        if isinstance(rebuilt, Failed):
            return _refusal(work.job.parent, rebuilt)
        if self.config.gender != "keep":
            fields = swapped(rebuilt.fields, self.config.gender_target, work.job.generator)
            rebuilt = Rebuilt(fields, None, rebuilt.cost)
        return text_candidate(work, dict(rebuilt.fields), rebuilt.edits, self.config)

    def _draught(self, work: Work, out: frozenset[int]) -> Draught:
        """The triples as edited, contrary ones left out, the normal ones permuted and thinned."""
        job, draw = work.job, work.job.generator
        free = [
            number
            for number in normal_sentences(work.sentences, job.triples, job.categories)
            if number not in out
            and not any(_inside(work.sentences[number], e.start) for e in work.edited.edits or ())
        ]
        total = len(work.sentences) - len(out)
        places = arrangement(
            free, total, self.config.delete, permute=self.config.permute, draw=draw
        ) | dict.fromkeys(sorted(out))
        moved = moved_edits(work.text, work.field, work.sentences, places)
        order = _ordered(work, places)
        return Draught(job, work.edited, order, moved)

    def _least(self, draft: Draft) -> float:
        whole = draft.about["unit"] == "text"
        return self.config.min_label if whole else self.config.min_sentence_label

    def _judged(self, candidates: Sequence[Candidate]) -> Iterator[Draft | Rejection]:
        parents = [one.draft.parent for one in candidates]
        variants = [one.variant for one in candidates]
        numbers: dict[str, int] = {}
        for one, verdict in zip(candidates, self.steps.judge.judge(parents, variants), strict=True):
            draft, parent = one.draft, one.draft.parent
            if verdict.probability < self._least(draft):
                detail = f"{verdict.probability:.2f}: {next(iter(draft.fields.values()))[:200]}"
                yield Rejection(parent, checks.LABEL, detail, cost=verdict.cost)
                continue
            scores = {"label": round(verdict.probability, 4)}
            for made in (draft, one.twin):
                if made is not None:
                    number = numbers[parent.id] = numbers.get(parent.id, -1) + 1
                    yield replace(made, copy=number, scores=scores if made is draft else {})


def _ordered(work: Work, places: dict[int, int | None]) -> tuple[Triple, ...]:
    order = []
    for number in range(len(work.sentences)):
        source = places.get(number, number)
        order += [t for t in work.job.triples if source is not None and t.sentence == source]
    return tuple(work.edited.triples.get(t.id, t) for t in order)


def _inside(span: Span, place: int) -> bool:
    return span.start <= place < span.end


def _refusal(parent: Example, failed: Failed, cost: Cost = FREE) -> Rejection:
    return Rejection(parent, failed.reason, failed.detail, cost=failed.cost + cost)
