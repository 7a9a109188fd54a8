"""CoBA as in the paper's Figure 1: each step is a call of a language model.

Decompose, identify (``identify.py``), categorise, edit, shuffle, reconstruct, verify. All rows of
a batch take each step together, so that calls run side by side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, Field, create_model

from augkit.augmenters.coba.attempts import (
    EMPTY_VARIANT,
    UNCHANGED,
    Writing,
    after_refusal,
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
    about_row,
    at_work,
    decompose_parsed,
    name_words,
    triple_sentences,
)
from augkit.augmenters.coba.verify import with_row
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.augmenters.llm_requests import SamplingParams
from augkit.augmenters.loop import Ask, blank_variant, each
from augkit.core.edits import Span
from augkit.core.model_types import Request
from augkit.core.protocols import Parser
from augkit.core.types import Example, Variant
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


@dataclass(frozen=True)
class PaperSteps:
    """The paper's procedure: flip the label at the triples that carry it, and keep the others."""

    settings: StepsSettings
    writing: Writing
    parser: Parser
    identifier: Identifier
    targets: Targets
    random: Callable[[Example, int], Random]

    def propose(self, batch: Sequence[Example], copies: int) -> list[Variant]:
        """Take all steps with every row, for each of its copies and targets."""
        rows = self.decompose(batch)
        rows = name_words(rows, self.identifier)
        rows = each(rows, self.categorise)
        blanks: list[Variant] = []
        for row in rows:
            blanks += self.targets.blanks(row, copies, self.random)
        return self.write(blanks)

    def decompose(self, batch: Sequence[Example]) -> list[Variant]:
        """Step 1, decompose: the triples of each example."""
        rows = [blank_variant(parent) for parent in batch]
        if self.settings.decompose_by != "offline":
            return decompose_by_llm(self.writing.asking("decompose"), rows, self.settings)
        jobs = decompose_parsed(batch, self.parser)
        return [replace(row, work=job) for row, job in zip(rows, jobs, strict=True)]

    def categorise(self, row: Variant) -> Variant:
        """Step 3, categorise; without any principal triple, normal ones become principal.

        Not so by the paper's preset, because the paper does not say what to do.
        """
        job: Job = row.work
        categories = categorise(job.triples, job.words, self.settings.precedence)
        job = replace(job, categories=categories)
        if "principal" not in categories.values() and self.settings.preset is None:
            job = promote(job)
        return replace(row, work=job)

    def write(self, blanks: Sequence[Variant]) -> list[Variant]:
        """Steps 4 to 6: edit, shuffle and swap genders, reconstruct."""
        editable = each(blanks, with_principal)
        edited = self.writing.asking("edit")(editable, self.edit_request, read_edited)
        shuffled = each(edited, self.shuffle)
        written = self.reconstruct(shuffled)
        return each(written, lambda variant: with_row(variant, self.writing.settings, self.parser))

    def edit_request(self, blank: Variant) -> Request:
        """Step 4, edit: ask for the changed triples, and say what was wrong before."""
        return after_refusal(edit_request(blank.work, self.settings), blank.before)

    def shuffle(self, variant: Variant) -> Variant:
        """Step 5, shuffle, and swap genders where the settings say so."""
        job = variant.work
        order = shuffle_triples(job, job.changed, self.settings)
        is_whole = len(written_parts(job)) == len(job.parent.fields)
        if is_whole and self.settings.gender == "triples":
            order = swap_triples(order, self.parser)
        return at_work(variant, order=order)

    def reconstruct(self, variants: Sequence[Variant]) -> list[Variant]:
        """Step 6, reconstruct: the texts, from their triples alone."""
        if self.settings.reconstruct_by != "triples":
            return reconstruct_by_llm(self.writing.asking("reconstruct"), variants, self.request)
        return each(variants, lambda v: from_triples(v, triple_sentences(v.work, v.work.order)))

    def request(self, variant: Variant) -> Request:
        """Ask for the texts of a variant."""
        return reconstruct_request(variant.work, self.settings)


def with_principal(blank: Variant) -> Variant:
    """The variant, refused where none of its triples may change."""
    return blank if principal_triples(blank.work) else blank.refuse(NO_PRINCIPAL)


def from_triples(variant: Variant, fields: Mapping[str, str]) -> Variant:
    """The variant with its texts, and the triples that changed, for people to read."""
    job: Job = variant.work
    statements = [(t, job.changed[t.id]) for t in job.triples if t.id in job.changed]
    return replace(variant, fields=dict(fields), about=about_row(job, statements))


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


def decompose_by_llm(ask: Ask, rows: Sequence[Variant], params: SamplingParams) -> list[Variant]:
    """The triples of all fields of an example by a language model, in one call."""
    return ask(rows, lambda row: decompose_request(row.parent, params), read_triples)


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


def read_triples(row: Variant, answer: Any) -> Variant:
    """The triples of an answer, sorted by their sentences and numbered from 1.

    A triple that is repeated counts once. A sentence without a triple stays as it is: what no
    triple holds is never changed.
    """
    unique = {
        (triple.sentence, *(getattr(triple, name) for name in _ELEMENTS)): triple
        for triple in answer.triples
    }
    answers = [triple for triple in unique.values() if triple.subject.strip()]
    if not answers:
        return row.refuse(NO_TRIPLE, "decompose: the model found none")
    sentences = sentences_of(row.parent)
    answers.sort(key=lambda triple: int(triple.sentence))
    triples = tuple(
        _located(id_, triple, sentences[triple.sentence - 1])
        for id_, triple in enumerate(answers, 1)
    )
    spans: dict[str, list[Span]] = {field: [] for field in row.parent.fields}
    for sentence in sentences:
        spans[sentence.field].append(sentence.span)
    return replace(row, work=Job(row.parent, triples, spans))


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
    return build_request(
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


def read_edited(blank: Variant, answer: Any) -> Variant:
    """The changed triples of an answer, by the ids of the request; what is missing stays."""
    expected = {triple.id: triple for triple in principal_triples(blank.work)}
    ids = [triple.id for triple in answer.triples]
    if not ids or len(set(ids)) < len(ids) or not set(ids) <= set(expected):
        return wrong_ids(blank, "edit", ids, list(expected))
    changed = {}
    for written in answer.triples:
        old = expected[written.id]
        subject, predicate, object_ = (
            Element(getattr(written, name).strip(), getattr(old, name).spans) for name in _ELEMENTS
        )
        new = replace(old, subject=subject, predicate=predicate, object=object_)
        if subject.text and elements_record(new) != elements_record(old):
            changed[new.id] = new
    if not changed:
        return blank.refuse(UNCHANGED, f"towards {blank.label}")
    return at_work(blank, changed=changed)


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


def written_parts(job: Job) -> list[str]:
    """The fields that have triples; a field without one stays as it is."""
    present = {triple.field for triple in job.triples}
    return [field for field in job.parent.fields if field in present]


def reconstruct_by_llm(
    ask: Ask, variants: Sequence[Variant], request: Callable[[Variant], Request]
) -> list[Variant]:
    """What a language model writes from the triples of each variant."""
    return ask(variants, request, read_parts)


def reconstruct_request(job: Job, settings: StepsSettings) -> Request:
    """Ask for the texts of a variant, from its triples alone.

    The other inputs are for prompts of the user's own.
    """
    parts = [
        {"key": part_key(number), "name": field, "triples": ordered_triples(job, field)}
        for number, field in enumerate(written_parts(job), 1)
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


def ordered_triples(job: Job, field: str) -> list[dict[str, str]]:
    """The triples of a field in their new order, as a model reads them."""
    return [elements_record(triple) for triple in job.order if triple.field == field]


def read_parts(variant: Variant, answer: Any) -> Variant:
    """The variant with the fields of an answer."""
    before = variant.parent.fields
    texts = {
        field: with_final_mark(before[field], str(getattr(answer, part_key(number), "")))
        for number, field in enumerate(written_parts(variant.work), 1)
    }
    if not texts or not all(texts.values()):
        return variant.refuse(EMPTY_VARIANT, "reconstruct: a part is empty")
    return from_triples(variant, {**before, **texts})


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
    variant: Variant, step: str, answered: Sequence[int], expected: Sequence[int]
) -> Variant:
    """The refusal for triple ids that are unknown, missing or repeated."""
    detail = f"{step}: the ids are {list(answered)} instead of {list(expected)}"
    return variant.refuse(WRONG_IDS, detail)
