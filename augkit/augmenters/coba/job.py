"""A row on its way through the steps: its triples, their categories, and the label to reach."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from itertools import pairwise
from random import Random
from threading import Lock
from typing import Any, Literal

from augkit.augmenters.coba.categorise import Category
from augkit.augmenters.coba.identify import Identifier, Words
from augkit.augmenters.loop import each
from augkit.core.analysis import Analysis
from augkit.core.edits import Edit, HasSpan, Span, apply, overlap
from augkit.core.protocols import Parser
from augkit.core.types import FREE, Contract, Example, NoItems, Variant
from augkit.english.decompose import Element, Triple, decompose
from augkit.lexicons.label_meanings import relation_of
from augkit.lexicons.label_order import LabelOrder

NO_TRIPLE = "no triple"
NOT_EDITABLE = "no principal triple could be edited"
_MAX_CACHED = 512
"""Parses kept; a batch has fewer texts."""
_MAX_LISTED = 6
"""Triples and words listed for one variant."""
_NO_WORDS = Words()
_OPENS = re.compile(r"(?<=\S)\s+[\"\u201c(\[]$")
_CLOSES = re.compile(r"[\"\u201d)\]]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Job:
    """Change ``parent`` so that it gets the label ``target``; each step adds what it finds.

    ``triple.sentence`` is an index into the sentences of its field. ``number`` counts the jobs of
    an example; ``rng`` is keyed by the example and the number.
    """

    parent: Example
    triples: tuple[Triple, ...] = ()
    sentences: Mapping[str, Sequence[Span]] = dataclass_field(default_factory=NoItems, hash=False)
    words: Words = _NO_WORDS
    categories: Mapping[int, Category] = dataclass_field(default_factory=dict, hash=False)
    target: str | None = None
    rng: Random = dataclass_field(default_factory=Random, compare=False, hash=False)
    number: int = 0
    changed: Mapping[int, Triple] = dataclass_field(default_factory=dict, hash=False)
    """The triples that a language model changed, by their ids."""
    order: tuple[Triple, ...] = ()
    """The triples that a variant is written from: edited, shuffled, and not deleted."""
    answer: Any = None
    """What a language model wrote in one call."""
    row: Any = None
    """What the checks of a written variant look at (``verify.WholeRow``)."""


class CachedParser:
    """A parser that keeps its latest parses, so that all steps share them; safe for threads."""

    def __init__(self, parser: Parser) -> None:
        """Parse with ``parser``."""
        self._parser = parser
        self._cached: dict[str, Analysis] = {}
        self._lock = Lock()

    def parse(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis per text, in order."""
        with self._lock:
            new = list(dict.fromkeys(text for text in texts if text not in self._cached))
            if len(self._cached) + len(new) > _MAX_CACHED:
                self._cached = {text: self._cached[text] for text in texts if text in self._cached}
            if new:
                self._cached.update(zip(new, self._parser.parse(new), strict=True))
            return [self._cached[text] for text in texts]


def decompose_parsed(parents: Sequence[Example], parser: Parser) -> list[Job]:
    """Step 1, decompose: the triples of the dependency parse; ids run on from field to field."""
    texts = [text for parent in parents for text in parent.fields.values()]
    analyses = iter(parser.parse(texts))
    jobs = []
    for parent in parents:
        triples: tuple[Triple, ...] = ()
        sentences = {}
        for field in parent.fields:
            analysis = next(analyses)
            triples += decompose(analysis, field, len(triples) + 1)
            spans = [Span(tokens[0].start, tokens[-1].end) for tokens in analysis.sentences]
            sentences[field] = quoted_sentences(analysis.text, spans)
        jobs.append(Job(parent, triples, sentences))
    return jobs


def quoted_sentences(text: str, sentences: Sequence[Span]) -> list[Span]:
    """Sentences whose quotation marks and brackets are with the words that they stand at.

    A parser takes an opening mark for the end of the sentence before, and a closing one for the
    start of the next.

    >>> quoted_sentences('Ann came. "It is late."', [Span(0, 11), Span(11, 23)])
    [Span(start=0, end=9), Span(start=10, end=23)]
    """
    spans = list(sentences)
    for number, (before, after) in enumerate(pairwise(sentences)):
        if before.end != after.start:
            continue
        start = spans[number].start
        opening = _OPENS.search(text, start, before.end)
        closing = _CLOSES.match(text, after.start, after.end)
        if opening:
            end = len(text[: opening.start()].rstrip())
            spans[number : number + 2] = [Span(start, end), Span(opening.end() - 1, after.end)]
        elif closing:
            end = closing.start() + 1
            spans[number : number + 2] = [Span(start, end), Span(closing.end(), after.end)]
    return spans


def identify_words(jobs: Sequence[Job], identifier: Identifier) -> Iterator[Job | Variant]:
    """Step 2, identify: the jobs with the principal and spurious words of their rows."""
    named = identifier.identify([job.parent for job in jobs])
    for job, words in zip(jobs, named, strict=True):
        yield words if isinstance(words, Variant) else replace(job, words=words)


def name_words(rows: Sequence[Variant], identifier: Identifier) -> list[Variant]:
    """Step 2, identify, for rows that a language model will write anew."""
    alive = [row for row in rows if not row.reason]
    named = iter(identifier.identify([row.parent for row in alive]))

    def with_words(row: Variant) -> Variant:
        words = next(named)
        row = row.paid(words.cost)
        if isinstance(words, Variant):
            return row.refuse(words.reason, words.detail)
        return at_work(row, words=words)

    return each(rows, with_words)


def at_work(variant: Variant, **done: Any) -> Variant:
    """The variant, with what a step of its job has done."""
    return replace(variant, work=replace(variant.work, **done))


@dataclass(frozen=True, slots=True)
class Targets:
    """Which labels the variants of an example get.

    "draw": one of the other labels at random; "others": each of them; "others and own": each of
    them, and its own; "own": the label is kept. In an ``order`` only one other label is a target.
    """

    labels: Sequence[str] = ()
    choice: Literal["draw", "others", "others and own", "own"] = "draw"
    order: LabelOrder | None = None

    def jobs(
        self, row: Job, copies: int, random: Callable[[Example, int], Random]
    ) -> Iterator[Job]:
        """A job for every copy and target."""
        label = row.parent.label
        different = [] if self.choice == "own" else self._different(label)
        targets: list[str | None] = [*different]
        if self.choice == "draw":
            targets = [None]  # drawn below, by the generator of the job
        elif self.choice != "others":
            targets.append(label)
        for number, target in enumerate(targets * copies):
            rng = random(row.parent, number)
            aim = rng.choice(different) if self.choice == "draw" else target
            yield replace(row, target=aim, rng=rng, number=number)

    def blanks(
        self, row: Variant, copies: int, random: Callable[[Example, int], Random]
    ) -> Iterator[Variant]:
        """A blank variant for every copy and target; the first carries what the row has cost."""
        if row.reason:
            yield replace(row, work=None)  # no further attempt: its words would be no others
            return
        for job in self.jobs(row.work, copies, random):
            cost = FREE if job.number else row.cost
            contract: Contract = "kept" if job.target == job.parent.label else "flipped"
            yield replace(
                row, label=job.target, contract=contract, copy=job.number, cost=cost, work=job
            )

    def _different(self, label: str | None) -> list[str]:
        """The labels that mean something else."""
        if self.order is not None:
            flipped = self.order.flipped(label)
            return [] if flipped is None else [flipped]
        relation = relation_of(label)
        return [
            target
            for target in self.labels
            if target != label and (relation is None or relation_of(target) != relation)
        ]


def edited_triples(
    triples: Sequence[Triple], edits: Sequence[Edit], fields: Mapping[str, str]
) -> dict[int, Triple]:
    """The triples that edits touch, with their new words and the spans of the source."""
    changed = {}
    for triple in triples:
        inside = [edit for edit in edits if edit.field == triple.field]
        if any(touches(triple, edit) for edit in inside):
            text = fields[triple.field]
            subject, predicate, object_ = (
                _edited_element(element, inside, text) for element in triple.elements
            )
            changed[triple.id] = replace(
                triple, subject=subject, predicate=predicate, object=object_
            )
    return changed


def touches(triple: Triple, change: HasSpan) -> bool:
    """Whether a triple has words where something changes."""
    return any(overlap(span, change) for element in triple.elements for span in element.spans)


def _edited_element(element: Element, edits: Sequence[Edit], text: str) -> Element:
    if not element.spans:
        return element
    written = []
    for span in element.spans:
        inside = [edit for edit in edits if overlap(edit, span)]
        start = min([span.start, *(edit.start for edit in inside)])
        end = max([span.end, *(edit.end for edit in inside)])
        written.append(edited_span(text, Span(start, end), inside))
    return replace(element, text=" ".join(" ".join([element.implied, *written]).split()))


def edited_span(text: str, span: Span, edits: Sequence[Edit]) -> str:
    """A span of a text with the edits inside it."""
    if not edits:
        return text[slice(*span)]
    start = span.start
    moved = [Edit("", edit.start - start, edit.end - start, "", edit.after) for edit in edits]
    return apply({"": text[start : span.end]}, moved)[""]


def triple_sentences(job: Job, order: Sequence[Triple]) -> dict[str, str]:
    """Step 6 with ``reconstruct_by=triples``: a short sentence for every triple, in this order."""
    fields: dict[str, list[str]] = {field: [] for field in job.parent.fields}
    for triple in order:
        sentence = " ".join(element.text for element in triple.elements if element.text)
        fields[triple.field].append(f"{sentence[:1].upper()}{sentence[1:]}.")
    return {field: " ".join(sentences) for field, sentences in fields.items()}


def whole_draft(
    job: Job,
    fields: Mapping[str, str],
    edits: tuple[Edit, ...] | None,
    changed: Iterable[tuple[Triple, Triple]],
) -> Variant:
    """The variant of a whole row by rules."""
    target = job.target
    contract: Contract = "kept" if target == job.parent.label else "flipped"
    about = about_row(job, changed)
    return Variant(job.parent, dict(fields), target, contract, job.number, edits, about=about)


def about_row(job: Job, changed: Iterable[tuple[Triple, Triple]]) -> dict[str, str]:
    """The words and the changed triples of a variant, for people to read."""
    is_pair = len(job.parent.fields) > 1
    labels = {"source": str(job.parent.label), "target": str(job.target)} if is_pair else {}
    statements = [
        [" | ".join(element.text for element in triple.elements) for triple in old_and_new]
        for old_and_new in list(changed)[:_MAX_LISTED]
    ]
    return {
        "unit": "pair" if is_pair else "text",
        **labels,
        "principal": ", ".join(sorted(job.words.principal)[:_MAX_LISTED]),
        "spurious": ", ".join(sorted(job.words.spurious)[:_MAX_LISTED]),
        "triples": "; ".join(" → ".join(statement) for statement in statements),
    }
