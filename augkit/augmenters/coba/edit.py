"""Step 4, edit: principal triples change so that the example gets the target label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from random import Random
from typing import Any, Literal, Protocol

from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.coba.categorise import Category
from augkit.augmenters.coba.decompose import NO_TRIPLE
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.requests import (
    after_rejection,
    build_request,
    elements_record,
    reworded,
    triple_record,
    triples_answer,
    unusable_answer,
    wrong_ids,
)
from augkit.augmenters.llm_requests import SamplingParams
from augkit.core.analysis import Analysis
from augkit.core.edits import HasSpan, Replacement, Span, apply, overlap
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Parser
from augkit.core.types import FREE, Cost, Edit, Example, NoItems, Rejection
from augkit.english.polarity.flip_polarity import flip_polarity
from augkit.english.polarity.leftover_polarity import (
    coordinated_words,
    leftover_comparatives,
    leftover_negations,
    leftover_words,
)
from augkit.english.polarity.ratings import ratings
from augkit.english.triples import Element, Triple
from augkit.lexicons.label_meanings import relation_of, task_family
from augkit.lexicons.label_order import LabelOrder

NO_LEXICON = "no lexicon for this label"
NO_PRINCIPAL = "no principal triple"
UNCHANGED = "principal triples unchanged"


@dataclass(frozen=True, slots=True)
class Job:
    """Change the principal triples of ``parent`` so that it gets the label ``target``.

    ``number`` counts the jobs of an example; ``rng`` is keyed by the example and the number.
    """

    parent: Example
    target: str | None
    triples: tuple[Triple, ...]
    sentences: Mapping[str, Sequence[Span]] = dataclass_field(hash=False)
    words: Words
    categories: Mapping[int, Category] = dataclass_field(hash=False)
    rng: Random = dataclass_field(compare=False, hash=False)
    number: int = 0
    rejected: Rejection | None = None
    """What the attempt before gave, where a language model tries again."""


@dataclass(frozen=True, slots=True)
class Edited:
    """The changed triples by id, and the edits of the source text.

    ``edits`` is None where only the triples were rewritten: the text is then made from them.
    """

    triples: Mapping[int, Triple] = dataclass_field(hash=False)
    edits: tuple[Edit, ...] | None = None
    cost: Cost = FREE
    left: tuple[Span, ...] = ()
    """Spans that still have the old polarity, as far as the editor can tell."""
    mixed: tuple[Span, ...] = ()
    """Spans that had the new polarity before, or an unclear one."""
    about: Mapping[str, str] = dataclass_field(default_factory=NoItems, hash=False)
    sources: Mapping[int, Triple] = dataclass_field(default_factory=dict, hash=False)
    """What the changed triples were, where the editor decomposed the text itself."""
    fields: Mapping[str, str] = dataclass_field(default_factory=NoItems, hash=False)
    """The fields of the variant, where the editor wrote them too."""


@dataclass(frozen=True, slots=True)
class Targets:
    """Which labels the variants of an example get.

    "draw": one of the other labels at random; "others": each of them; "others and own": each of
    them, and its own; "own": the label is kept. In an ``order`` only one other label is a target.
    """

    labels: Sequence[str] = ()
    choice: Literal["draw", "others", "others and own", "own"] = "draw"
    order: LabelOrder | None = None

    def others(self, label: str | None) -> list[str]:
        """The labels that mean something else."""
        if self.order is not None:
            flipped = self.order.flipped(label)
            return [] if flipped is None else [flipped]
        relation = relation_of(label)
        different = [other for other in self.labels if other != label]
        return [one for one in different if relation is None or relation_of(one) != relation]

    def of(self, label: str | None) -> list[str | None]:
        """The targets of one copy; with "draw" the one target is still to be drawn."""
        if self.choice == "draw":
            return [None]
        others: list[str | None] = [] if self.choice == "own" else [*self.others(label)]
        return others if self.choice == "others" else [*others, label]


class Editor(Protocol):
    """Principal triples → triples with the target label."""

    def edit(self, jobs: Sequence[Job]) -> list[Edited | Rejection]:
        """The changed triples of each job; an untouched one is not listed."""
        ...


@dataclass(frozen=True)
class PolarityEditor:
    """Flips the polarity of evaluative words in principal triples, for single texts."""

    parser: Parser
    fitted: TextsArtifact

    def edit(self, jobs: Sequence[Job]) -> list[Edited | Rejection]:
        """The changed triples and the edits of the source text."""
        analyses = self.parser.parse([next(iter(job.parent.fields.values())) for job in jobs])
        return [self._edit(job, analysis) for job, analysis in zip(jobs, analyses, strict=True)]

    def _edit(self, job: Job, analysis: Analysis) -> Edited | Rejection:
        if not job.triples:
            return Rejection(job.parent, NO_TRIPLE)
        fitted, text = self.fitted, analysis.text
        side = fitted.polarity.get(str(job.parent.label))
        if side is None or fitted.polarity.get(str(job.target)) in {None, side}:
            return Rejection(job.parent, NO_LEXICON, f"{job.parent.label} → {job.target}")
        flip = flip_polarity(analysis, side, fitted.lexicon, fitted.counts, job.rng)
        rated = {rating.start for rating in ratings(text)}
        changes = [c for c in flip.changes if c.start in rated or _may_change(c, job)]
        field = next(iter(job.parent.fields))
        edits = tuple(change.in_field(field, text) for change in changes)
        return Edited(
            edited_triples(job.triples, edits, job.parent.fields),
            edits,
            left=(
                *(one.span for one in flip.left),
                *(Span(c.start, c.end) for c in flip.changes if c not in changes),
                *leftover_words(analysis, side, changes),
            ),
            mixed=(
                *(one.span for one in (*flip.kept, *flip.of_persons)),
                *coordinated_words(analysis, changes),
                *leftover_comparatives(analysis, changes),
                *(leftover_negations(analysis, changes) if side == "negative" else ()),
            ),
        )


def _may_change(change: Replacement, job: Job) -> bool:
    """Whether a change lies in a principal triple, or in none."""
    touched = [t for t in job.triples if _touches(t, change)]
    return not touched or any(job.categories[t.id] == "principal" for t in touched)


def _touches(triple: Triple, change: HasSpan) -> bool:
    return any(overlap(span, change) for span in triple.spans)


def edited_triples(
    triples: Sequence[Triple], edits: Sequence[Edit], fields: Mapping[str, str]
) -> dict[int, Triple]:
    """The triples that edits touch, with their new words and the spans of the source."""
    found = {}
    for triple in triples:
        own, text = [e for e in edits if e.field == triple.field], fields[triple.field]
        if any(_touches(triple, edit) for edit in own):
            subject, predicate, object_ = (_edited_element(e, own, text) for e in triple.elements)
            new = replace(triple, subject=subject, predicate=predicate, object=object_)
            found[triple.id] = new
    return found


def _edited_element(element: Element, edits: Sequence[Edit], text: str) -> Element:
    if not element.spans:
        return element
    written = []
    for span in element.spans:
        inside = [e for e in edits if overlap(e, span)]
        start = min([span.start, *(e.start for e in inside)])
        end = max([span.end, *(e.end for e in inside)])
        written.append(edited_span(text, Span(start, end), inside))
    return Element(" ".join(" ".join(written).split()), element.spans)


def edited_span(text: str, span: Span, edits: Sequence[Edit]) -> str:
    """A span of a text with the edits inside it."""
    start = span.start
    moved = [Edit("", e.start - start, e.end - start, "", e.after) for e in edits]
    return apply({"": text[start : span.end]}, moved)[""]


@dataclass(frozen=True)
class LLMEditor:
    """A language model rewrites the principal triples towards the target label."""

    llm: LLM
    params: SamplingParams

    def edit(self, jobs: Sequence[Job]) -> list[Edited | Rejection]:
        """The changed triples of each job; one without a principal triple is rejected."""
        open_ones = [job for job in jobs if principal_triples(job)]
        requests = [edit_request(job, self.params) for job in open_ones]
        replies = iter(self.llm.generate(requests) if requests else [])
        return [
            read_edited(job, next(replies))
            if principal_triples(job)
            else Rejection(job.parent, NO_PRINCIPAL)
            for job in jobs
        ]


def principal_triples(job: Job) -> list[Triple]:
    """The triples that may change."""
    return [triple for triple in job.triples if job.categories[triple.id] == "principal"]


def edit_request(job: Job, params: SamplingParams) -> Request:
    """Ask for the principal triples of a job with the target label.

    All of them must come back, unless nobody named principal words: then the model chooses.
    """
    principal = principal_triples(job)
    ids = tuple(triple.id for triple in principal)
    request = build_request(
        "coba/edit",
        triples_answer("id", ids),
        params,
        job.rng,
        task_family([job.parent.label, job.target], job.parent.fields),
        triples=[triple_record(triple) for triple in principal],
        fixed=[triple_record(triple) for triple in job.triples if triple.id not in ids],
        every=bool(job.words.principal),
        label=str(job.parent.label),
        target=job.target,
        keep=sorted(job.words.spurious),
    )
    return after_rejection(request, job.rejected)


def read_edited(job: Job, reply: Reply) -> Edited | Rejection:
    """The changed triples of an answer, whose ids must be those of the request."""
    if reply.fault or reply.answer is None:
        return unusable_answer(job.parent, "edit", reply)
    expected = {triple.id: triple for triple in principal_triples(job)}
    answers: list[Any] = list(getattr(reply.answer, "triples", ()))
    given = [one.id for one in answers]
    complete = set(given) == set(expected) if job.words.principal else bool(given)
    if not complete or len(set(given)) < len(given) or not set(given) <= set(expected):
        return wrong_ids(job.parent, "edit", given, list(expected), reply.cost)
    edited = [reworded(expected[one.id], one) for one in answers if one.subject.strip()]
    changed = {
        new.id: new for new in edited if elements_record(new) != elements_record(expected[new.id])
    }
    if not changed:
        return Rejection(job.parent, UNCHANGED, f"towards {job.target}", cost=reply.cost)
    return Edited(changed, None, reply.cost)
