"""The steps of CoBA without a language model: parse, ensemble, lexicon and source spans."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from augkit.attribution.ensemble import vote_words
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.editing.judgements import judgements
from augkit.augmenters.coba.editing.negation import Change
from augkit.augmenters.coba.editing.ratings import ratings
from augkit.augmenters.coba.editing.residue import beside, denials, residue
from augkit.augmenters.coba.editing.turn import Turned, phrase_spans, turn
from augkit.augmenters.coba.learnt import TextsLearnt
from augkit.augmenters.coba.reading import Reader
from augkit.augmenters.coba.steps import (
    Decomposed,
    Draught,
    Edited,
    Failed,
    Job,
    Rebuilt,
    Words,
)
from augkit.augmenters.judge import Verdict
from augkit.core.analysis import Analysis
from augkit.core.types import Edit, Example
from augkit.language.decompose import decompose
from augkit.language.triples import Element, Span, Triple
from augkit.lexicons.evaluative import Side
from augkit.text.diff import apply
from augkit.text.tokens import words as words_of


@dataclass(frozen=True)
class ParseDecomposer:
    """Triples from the dependency parse of every field."""

    reader: Reader

    def decompose(self, parents: Sequence[Example]) -> list[Decomposed | Failed]:
        """The triples of each example; ids run on from field to field."""
        texts = [text for parent in parents for text in parent.fields.values()]
        analyses = iter(self.reader.read(texts))
        return [
            self._decomposed(parent, [next(analyses) for _ in parent.fields]) for parent in parents
        ]

    def _decomposed(self, parent: Example, analyses: Sequence[Analysis]) -> Decomposed:
        triples: tuple[Triple, ...] = ()
        for field, analysis in zip(parent.fields, analyses, strict=True):
            triples += decompose(analysis, field, len(triples) + 1)
        return Decomposed(triples)


@dataclass(frozen=True)
class EnsembleIdentifier:
    """W_p and W_s by the vote, and by the lexicon where there is one for the task."""

    reader: Reader
    learnt: TextsLearnt
    config: CobaConfig

    def identify(self, parents: Sequence[Example]) -> list[Words | Failed]:
        """The principal and spurious words of each example, for its gold label."""
        config = self.config
        votes = vote_words(
            self.learnt.ensemble, parents, config.top_k, config.vote, config.spurious_words
        )
        judging = self._judging(parents)
        answers: list[Words | Failed] = []
        for found, evaluative in zip(votes, judging, strict=True):
            principal, spurious = frozenset(found.principal), frozenset(found.spurious)
            if config.principal == "lexicon":
                given = {word.casefold() for word in config.spurious_words}
                spurious = (spurious | principal) - evaluative | given
                principal = evaluative - given
            answers.append(Words(principal, spurious))
        return answers

    def _judging(self, parents: Sequence[Example]) -> list[frozenset[str]]:
        """The words of each example that judge for its label."""
        if self.config.principal == "vote":
            return [frozenset()] * len(parents)
        analyses = self.reader.read([_text(parent) for parent in parents])
        return [
            frozenset(self._evaluative(analysis, self.learnt.sides.get(str(parent.label))))
            for parent, analysis in zip(parents, analyses, strict=True)
        ]

    def _evaluative(self, analysis: Analysis, side: Side | None) -> Iterable[str]:
        if side is None:
            return
        for judgement in judgements(analysis, self.learnt.lexicon):
            if judgement.side == side:
                for negator in judgement.context.negators:
                    yield negator.text.casefold()
                yield from _words(analysis.text[judgement.token.start : judgement.last.end])
        for span in phrase_spans(analysis.text, self.learnt.lexicon, side):
            yield from _words(analysis.text[span.start : span.end])


def _words(text: str) -> Iterable[str]:
    return (word.casefold() for word in words_of(text))


@dataclass(frozen=True)
class RuleEditor:
    """Turns the judgements that lie in principal triples to the other side."""

    reader: Reader
    learnt: TextsLearnt

    def edit(self, jobs: Sequence[Job]) -> list[Edited | Failed]:
        """The changed triples and the edits of the source text; an example has one field."""
        analyses = self.reader.read([_text(job.parent) for job in jobs])
        return [self._edit(job, analysis) for job, analysis in zip(jobs, analyses, strict=True)]

    def _edit(self, job: Job, analysis: Analysis) -> Edited | Failed:
        learnt = self.learnt
        side = learnt.sides.get(str(job.parent.label))
        if side is None or learnt.sides.get(job.target) in {None, side}:
            return Failed("no lexicon for this label", f"{job.parent.label} → {job.target}")
        turned = turn(analysis, side, learnt.lexicon, learnt.counts, job.generator)
        field = next(iter(job.parent.fields))
        rated = {rating.start for rating in ratings(analysis.text)}
        changes = [c for c in turned.changes if c.start in rated or _may_change(c, job)]
        edits = tuple(
            Edit(field, c.start, c.end, analysis.text[c.start : c.end], c.after) for c in changes
        )
        return Edited(
            {
                t.id: _rewritten(t, changes, analysis.text)
                for t in job.triples
                if _touches(t, changes)
            },
            edits,
            left=(*_left(turned, changes), *residue(analysis, side, changes)),
            mixed=(
                *(Span(j.token.start, j.last.end) for j in (*turned.kept, *turned.aside)),
                *beside(analysis, changes),
                *(denials(analysis, changes) if side == "negative" else ()),
            ),
        )


def _left(turned: Turned, changes: Sequence[Change]) -> tuple[Span, ...]:
    """What could not be turned, and what was not to be."""
    dropped = [Span(c.start, c.end) for c in turned.changes if c not in changes]
    return (*(Span(j.token.start, j.last.end) for j in turned.left), *dropped)


def _may_change(change: Change, job: Job) -> bool:
    """Whether a change lies in a principal triple, or in none."""
    touched = [t for t in job.triples if _touches(t, [change])]
    kinds = {job.categories[t.id] for t in touched}
    return "principal" in kinds or not touched


def _touches(triple: Triple, changes: Sequence[Change]) -> bool:
    return any(s.start < c.end and c.start < s.end for s in triple.spans for c in changes)


def _rewritten(triple: Triple, changes: Sequence[Change], text: str) -> Triple:
    """A triple as it reads after the changes; its places stay those of the source."""
    subject, predicate, thing = (_reworded(e, changes, text) for e in triple.elements)
    return Triple(triple.id, subject, predicate, thing, triple.field, triple.sentence)


def _reworded(element: Element, changes: Sequence[Change], text: str) -> Element:
    if not element.spans:
        return element
    written = []
    for span in element.spans:
        inside = [c for c in changes if span.start < c.end and c.start < span.end]
        start = min([span.start, *(c.start for c in inside)])
        end = max([span.end, *(c.end for c in inside)])
        edits = [Edit("", c.start - start, c.end - start, "", c.after) for c in inside]
        written.append(apply({"": text[start:end]}, edits)[""])
    return Element(" ".join(" ".join(written).split()), element.spans)


@dataclass(frozen=True)
class SpanReconstructor:
    """The source text with its edits: what was not touched stays letter for letter."""

    def reconstruct(self, draughts: Sequence[Draught]) -> list[Rebuilt | Failed]:
        """The fields of each variant."""
        return [self._rebuilt(draught) for draught in draughts]

    def _rebuilt(self, draught: Draught) -> Rebuilt | Failed:
        if draught.edited.edits is None:
            return Failed("no spans to rebuild from")
        edits = (*draught.edited.edits, *draught.moved)
        return Rebuilt(apply(draught.job.parent.fields, edits), edits)


@dataclass(frozen=True)
class TripleReconstructor:
    """A short sentence for every triple, in their order: the paper's freedom without its model."""

    def reconstruct(self, draughts: Sequence[Draught]) -> list[Rebuilt | Failed]:
        """The fields of each variant."""
        return [Rebuilt(_sentences(draught)) for draught in draughts]


def _sentences(draught: Draught) -> dict[str, str]:
    fields: dict[str, list[str]] = {field: [] for field in draught.job.parent.fields}
    for triple in draught.order:
        said = " ".join(element.text for element in triple.elements if element.text)
        fields[triple.field].append(f"{said[:1].upper()}{said[1:]}.")
    return {field: " ".join(some) for field, some in fields.items()}


@dataclass(frozen=True)
class EnsembleJudge:
    """Out-of-fold classifiers that saw variants too, so that they lean less on shortcuts."""

    learnt: TextsLearnt

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """The mean probability of each variant's own label."""
        if not variants:
            return []
        judge = self.learnt.judge
        number = {label: place for place, label in enumerate(judge.labels)}
        answers = judge.predict(variants, parents)
        return [
            Verdict(float(row[number[str(variant.label)]]))
            for row, variant in zip(answers, variants, strict=True)
        ]


def _text(parent: Example) -> str:
    return next(iter(parent.fields.values()))
