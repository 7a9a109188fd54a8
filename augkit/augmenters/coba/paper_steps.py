"""CoBA as in the paper's Figure 1: each step is a call of a language model.

Decompose, identify (``identify.py``), categorise, edit, shuffle, reconstruct, verify
(``attempts.py``). All rows of a batch take each step together, so that calls run side by side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, Field, create_model

from augkit.augmenters.coba.attempts import (
    EMPTY_VARIANT,
    UNCHANGED,
    Attempts,
    after_rejection,
    build_request,
    label_meaning,
)
from augkit.augmenters.coba.categorise import categorise
from augkit.augmenters.coba.config import CobaStyleConfig, StepsSettings
from augkit.augmenters.coba.gender import swap_triples
from augkit.augmenters.coba.identify import Identifier, distinct_words
from augkit.augmenters.coba.job import (
    NO_TRIPLE,
    Job,
    Targets,
    decompose_parsed,
    identify_words,
    triple_sentences,
    whole_draft,
)
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.augmenters.llm_requests import SamplingParams, unusable_answer
from augkit.core.edits import Span
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Parser
from augkit.core.types import DETAIL_CHARS, Cost, Draft, Example, Rejection
from augkit.english.decompose import Element, Triple
from augkit.lexicons.label_meanings import task_family
from augkit.text.tokens import words as words_of

NO_PRINCIPAL = "no principal triple"
WRONG_IDS = "wrong ids"
_ELEMENTS = ("subject", "predicate", "object")
_STOP = (
    # Of "....", the first two signs are tried: if neither begins a stop, no other does.
    r"(?<![.!?][.!?])(?<!\b[A-Z])(?<!\b(?:Mr|Ms|Dr|St|vs))(?<!\bMrs)"
    r"[.!?]+[\"')\]]*(?=\s+[\"'(\[]*[^\Wa-z_])"
)
_SENTENCE = re.compile(rf"\S(?:.*?(?:{_STOP}|(?=\n\s*\n))|.*\S|)", re.DOTALL)
"""Up to a full stop before a capital, or to an empty line; the rest is a sentence too."""


class TriplePlan(NamedTuple):
    """What a variant is written from: its triples in their new order, edited and not deleted."""

    job: Job
    changed: Mapping[int, Triple]
    order: tuple[Triple, ...]
    cost: Cost

    def draft(self, fields: Mapping[str, str], cost: Cost) -> Draft:
        """The variant with these fields."""
        statements = [(t, self.changed[t.id]) for t in self.job.triples if t.id in self.changed]
        return whole_draft(self.job, fields, None, statements, cost)


@dataclass(frozen=True)
class PaperSteps:
    """The paper's procedure: flip the label at the triples that carry it, and keep the others."""

    settings: StepsSettings
    llm: LLM
    parser: Parser
    identifier: Identifier
    targets: Targets
    random: Callable[[Example, int], Random]
    attempts: Attempts

    def propose(self, batch: Sequence[Example], copies: int) -> Iterator[Draft | Rejection]:
        """A draft or a rejection for every copy and target of every example."""
        decomposed: list[Job] = []
        for row in self.decompose(batch):
            if isinstance(row, Rejection):
                yield row
            else:
                decomposed.append(row)
        jobs: list[Job] = []
        for row in identify_words(decomposed, self.identifier):
            if isinstance(row, Rejection):
                yield row
            else:
                jobs += self.targets.jobs(self.categorise(row), copies, self.random)
        yield from self.attempts.run(jobs, self.write)

    def decompose(self, batch: Sequence[Example]) -> Sequence[Job | Rejection]:
        """Step 1, decompose: the triples of each example."""
        if self.settings.decompose_by == "offline":
            return decompose_parsed(batch, self.parser)
        return decompose_by_llm(self.llm, batch, self.settings)

    def categorise(self, row: Job) -> Job:
        """Step 3, categorise; without any principal triple, normal ones become principal.

        Not so by the paper's preset, because the paper does not say what to do.
        """
        categories = categorise(row.triples, row.words, self.settings.precedence)
        row = replace(row, categories=categories)
        if "principal" in categories.values() or self.settings.preset is not None:
            return row
        return promote(row)

    def write(self, jobs: Sequence[Job]) -> list[Draft | Rejection]:
        """Steps 4 to 6: edit, shuffle and swap genders, reconstruct."""
        edited = self.edit(jobs)
        plans = []
        for plan in edited:
            if isinstance(plan, TriplePlan):
                order = shuffle_triples(plan.job, plan.changed, self.settings)
                whole = len(written_parts(plan)) == len(plan.job.parent.fields)
                if whole and self.settings.gender == "triples":
                    order = swap_triples(order, self.parser)
                plans.append(plan._replace(order=order))
        drafts = iter(self.reconstruct(plans))
        return [plan if isinstance(plan, Rejection) else next(drafts) for plan in edited]

    def edit(self, jobs: Sequence[Job]) -> list[TriplePlan | Rejection]:
        """Step 4, edit: the changed triples of each job; one without principal ones is rejected."""
        requests = [edit_request(job, self.settings) for job in jobs if principal_triples(job)]
        replies = iter(self.llm.generate(requests) if requests else [])
        return [
            read_edited(job, next(replies))
            if principal_triples(job)
            else Rejection(job.parent, NO_PRINCIPAL)
            for job in jobs
        ]

    def reconstruct(self, plans: Sequence[TriplePlan]) -> list[Draft | Rejection]:
        """Step 6, reconstruct: the texts, from their triples alone."""
        if self.settings.reconstruct_by == "triples":
            return [plan.draft(triple_sentences(plan.job, plan.order), plan.cost) for plan in plans]
        requests = [reconstruct_request(plan, self.settings) for plan in plans]
        return reconstruct_by_llm(self.llm, plans, requests)


# Step 1, decompose.


class Sentence(NamedTuple):
    """A sentence of an example; ``number`` counts within its field, from 0."""

    field: str
    number: int
    span: Span
    text: str


def sentences_of(parent: Example) -> list[Sentence]:
    """The sentences of an example by their punctuation.

    A parse would take longer than the rest of a request, and a wrong boundary does no harm here.

    >>> [s.text for s in sentences_of(Example({"text": "Mr. B. is here... Is he? Yes."}))]
    ['Mr. B. is here...', 'Is he?', 'Yes.']
    """
    return [
        Sentence(field, number, Span(*match.span()), match.group())
        for field, text in parent.fields.items()
        for number, match in enumerate(_SENTENCE.finditer(text))
    ]


def decompose_by_llm(
    llm: LLM, parents: Sequence[Example], params: SamplingParams
) -> list[Job | Rejection]:
    """The triples of all fields of an example by a language model, in one call."""
    replies = llm.generate([decompose_request(parent, params) for parent in parents])
    return [read_triples(parent, reply) for parent, reply in zip(parents, replies, strict=True)]


def decompose_request(parent: Example, params: SamplingParams) -> Request:
    """Ask for the triples of numbered sentences."""
    listed = [
        {"number": number, "part": sentence.field, "text": sentence.text}
        for number, sentence in enumerate(sentences_of(parent), 1)
    ]
    words = sum(len(words_of(text)) for text in parent.fields.values())
    most = 8 * (words // 16 + 1)  # one of two words, in eights: every limit is a schema of its own
    answer = triples_answer("sentence", tuple(range(1, max(1, len(listed)) + 1)), most)
    return build_request(
        "coba/decompose",
        answer,
        params,
        family=task_family([parent.label], parent.fields),
        sentences=listed,
        label=str(parent.label or ""),
        pair=len(parent.fields) > 1,
    )


def read_triples(parent: Example, reply: Reply) -> Job | Rejection:
    """The triples of an answer, sorted by their sentences and numbered from 1.

    A triple that is repeated counts once. A sentence without a triple stays as it is: what no
    triple holds is never changed.
    """
    if reply.fault or reply.answer is None:
        return unusable_answer(parent, "decompose", reply)
    listed: list[Any] = list(getattr(reply.answer, "triples", ()))
    unique = {
        (triple.sentence, *(getattr(triple, name) for name in _ELEMENTS)): triple
        for triple in listed
    }
    answers = [triple for triple in unique.values() if triple.subject.strip()]
    if not answers:
        return Rejection(parent, NO_TRIPLE, "decompose: the model found none", cost=reply.cost)
    sentences = sentences_of(parent)
    answers.sort(key=lambda triple: int(triple.sentence))
    triples = tuple(
        _located(id_, triple, sentences[triple.sentence - 1])
        for id_, triple in enumerate(answers, 1)
    )
    spans: dict[str, list[Span]] = {field: [] for field in parent.fields}
    for sentence in sentences:
        spans[sentence.field].append(sentence.span)
    return Job(parent, triples, spans, cost=reply.cost)


def _located(id_: int, answer: Any, sentence: Sentence) -> Triple:
    """The triple of an answer, with spans where its words are in the sentence letter for letter."""
    elements = []
    for name in _ELEMENTS:
        words = getattr(answer, name).strip()
        offset = sentence.text.casefold().find(words.casefold()) if words else -1
        start = sentence.span.start + offset
        elements.append(Element(words, (Span(start, start + len(words)),) if offset >= 0 else ()))
    subject, predicate, object_ = elements
    return Triple(id_, subject, predicate, object_, sentence.field, sentence.number)


# Step 3, categorise.


def promote(row: Job) -> Job:
    """Make normal triples principal, where no triple repeats a principal word.

    These are the triples of a sentence that has a principal word, or all normal ones where no
    principal word is known. A spurious triple never becomes principal.
    """
    promoted = dict(row.categories)
    principal = row.words.principal
    for triple in row.triples:
        span = row.sentences[triple.field][triple.sentence]
        held = distinct_words(row.parent.fields[triple.field][slice(*span)])
        if promoted[triple.id] == "normal" and (not principal or held & principal):
            promoted[triple.id] = "principal"
    return replace(row, categories=promoted)


# Step 4, edit.


def principal_triples(job: Job) -> list[Triple]:
    """The triples that may change."""
    return [triple for triple in job.triples if job.categories[triple.id] == "principal"]


def edit_request(job: Job, settings: StepsSettings) -> Request:
    """Ask for the principal triples of a job with the target label; those that change come back."""
    principal = principal_triples(job)
    ids = tuple(triple.id for triple in principal)
    request = build_request(
        "coba/edit",
        triples_answer("id", ids, len(ids), ("old", "new")),
        settings,
        job.rng,
        task_family([job.parent.label, job.target], job.parent.fields),
        triples=[triple_record(triple) for triple in principal],
        fixed=[triple_record(triple) for triple in job.triples if triple.id not in ids],
        label=str(job.parent.label),
        target=label_meaning(str(job.target), settings.label_descriptions),
        keep=sorted(job.words.spurious),
        texts=dict(job.parent.fields),
        pair=len(job.parent.fields) > 1,
    )
    return after_rejection(request, job.rejected)


def read_edited(job: Job, reply: Reply) -> TriplePlan | Rejection:
    """The changed triples of an answer, by the ids of the request; what is missing stays."""
    if reply.fault or reply.answer is None:
        return unusable_answer(job.parent, "edit", reply)
    expected = {triple.id: triple for triple in principal_triples(job)}
    answers: list[Any] = list(getattr(reply.answer, "triples", ()))
    ids = [answer.id for answer in answers]
    if not ids or len(set(ids)) < len(ids) or not set(ids) <= set(expected):
        return wrong_ids(job.parent, "edit", ids, list(expected), reply.cost)
    changed = {}
    for answer in answers:
        old = expected[answer.id]
        subject, predicate, object_ = (
            Element(getattr(answer, name).strip(), getattr(old, name).spans) for name in _ELEMENTS
        )
        new = replace(old, subject=subject, predicate=predicate, object=object_)
        if subject.text and elements_record(new) != elements_record(old):
            changed[new.id] = new
    if not changed:
        return Rejection(job.parent, UNCHANGED, f"towards {job.target}", cost=reply.cost)
    return TriplePlan(job, changed, job.triples, reply.cost)


# Step 5, shuffle.


def shuffle_triples(
    job: Job, changed: Mapping[int, Triple], settings: StepsSettings | CobaStyleConfig
) -> tuple[Triple, ...]:
    """Changed triples in their places; of the normal ones some deleted, the rest permuted.

    A field never loses all its triples.
    """
    free = {id_ for id_, category in job.categories.items() if category == "normal"} - set(changed)
    order: list[Triple] = []
    for field in dict.fromkeys(triple.field for triple in job.triples):
        triples = [triple for triple in job.triples if triple.field == field]
        staying = [t for t in triples if t.id not in free or job.rng.random() >= settings.delete]
        staying = staying or triples
        moving = [triple for triple in staying if triple.id in free]
        shuffled = iter(job.rng.sample(moving, len(moving)) if settings.permute else moving)
        order += [next(shuffled) if t.id in free else changed.get(t.id, t) for t in staying]
    return tuple(order)


# Step 6, reconstruct.


def written_parts(plan: TriplePlan) -> list[str]:
    """The fields that have triples; a field without one stays as it is."""
    present = {triple.field for triple in plan.job.triples}
    return [field for field in plan.job.parent.fields if field in present]


def reconstruct_by_llm(
    llm: LLM, plans: Sequence[TriplePlan], requests: Sequence[Request]
) -> list[Draft | Rejection]:
    """What a language model writes from the triples of each plan."""
    replies = llm.generate(requests) if requests else []
    return [read_parts(plan, reply) for plan, reply in zip(plans, replies, strict=True)]


def reconstruct_request(plan: TriplePlan, settings: StepsSettings) -> Request:
    """Ask for the texts of a variant, from its triples alone.

    The other inputs are for prompts of the user's own.
    """
    job = plan.job
    parts = [
        {"key": part_key(number), "name": field, "triples": ordered_triples(plan, field)}
        for number, field in enumerate(written_parts(plan), 1)
    ]
    return build_request(
        "coba/reconstruct",
        parts_answer(len(parts)),
        settings,
        job.rng,
        task_family([job.parent.label, job.target], job.parent.fields),
        parts=parts,
        label=str(job.parent.label),
        target=label_meaning(str(job.target), settings.label_descriptions),
        texts=dict(job.parent.fields),
        keep=sorted(job.words.spurious),
        pair=len(job.parent.fields) > 1,
    )


def ordered_triples(plan: TriplePlan, field: str) -> list[dict[str, str]]:
    """The triples of a field in their new order, as a model reads them."""
    return [elements_record(triple) for triple in plan.order if triple.field == field]


def read_parts(plan: TriplePlan, reply: Reply) -> Draft | Rejection:
    """The variant with the fields of an answer."""
    parent, cost = plan.job.parent, plan.cost + reply.cost
    if reply.fault or reply.answer is None:
        return replace(unusable_answer(parent, "reconstruct", reply), cost=cost)
    texts = {
        field: with_final_mark(
            parent.fields[field], str(getattr(reply.answer, part_key(number), ""))
        )
        for number, field in enumerate(written_parts(plan), 1)
    }
    if not texts or not all(texts.values()):
        return Rejection(parent, EMPTY_VARIANT, "reconstruct: a part is empty", cost=cost)
    return plan.draft({**parent.fields, **texts}, cost)


def part_key(number: int) -> str:
    """The name of a part in an answer."""
    return f"part_{number}"


@lru_cache(maxsize=256)  # creating a model takes longer than the rest of a request
def parts_answer(parts: int) -> type[BaseModel]:
    """A model of an answer: the text of each part."""
    fields: dict[str, Any] = {part_key(number): (str, ...) for number in range(1, parts + 1)}
    return create_model("Parts", **fields)


# What the requests of several steps share.


@lru_cache(maxsize=512)
def triples_answer(
    key: str, numbers: tuple[int, ...], most: int, said_first: tuple[str, ...] = ()
) -> type[BaseModel]:
    """A model of an answer: triples, whose ``key`` is one of these numbers.

    A small model may repeat itself without end: a server that follows schemas stops it at ``most``.
    It copies a triple rather than change it, unless it names the change before: ``said_first``.
    """
    elements: dict[str, Any] = dict.fromkeys(said_first, (str, ""))
    elements |= dict.fromkeys(_ELEMENTS, (str, ...))
    triple = create_model("TripleAnswer", **{key: (Literal[numbers], ...), **elements})
    limit = Field(json_schema_extra={"maxItems": most})
    listed: dict[str, Any] = {"triples": (list[triple], limit)}
    return create_model("TriplesAnswer", **listed)


def triple_record(triple: Triple) -> dict[str, Any]:
    """A triple as a model reads it."""
    return {"id": triple.id, "part": triple.field, **elements_record(triple)}


def elements_record(triple: Triple) -> dict[str, str]:
    """The three elements of a triple by name."""
    return {name: getattr(triple, name).text for name in _ELEMENTS}


def wrong_ids(
    parent: Example, step: str, answered: Sequence[int], expected: Sequence[int], cost: Cost
) -> Rejection:
    """The rejection for triple ids that are unknown, missing or repeated."""
    detail = f"{step}: the ids are {list(answered)} instead of {list(expected)}"[:DETAIL_CHARS]
    return Rejection(parent, WRONG_IDS, detail, cost=cost)
