"""From an edited text to its candidates: the whole, sentences with their twins, and clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.edit import Edited, Job, edited_span
from augkit.augmenters.coba.reconstruct import Rebuilt
from augkit.augmenters.coba.verify import (
    CONTRAST,
    clarity_rejection,
    few_edits_rejection,
    form_rejection,
)
from augkit.core.types import Draft, Edit, Rejection
from augkit.language.triples import Span, Triple
from augkit.text.diff import apply

_MAX_CHARS = 200
"""Characters of a text in the detail of a rejection."""
_MAX_LISTED = 6
"""Triples and words listed for one variant."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A variant that passed the checks of its form; the judge has still to see it."""

    draft: Draft
    twin: Draft | None = None


@dataclass(frozen=True, slots=True)
class EditedText:
    """An edited single text with the parts of its sentences that can stand alone."""

    job: Job
    edited: Edited
    clauses: Sequence[Sequence[Span]] = ()
    """The main clauses of each sentence that has more than one part."""
    phrases: Sequence[Sequence[Span]] = ()
    """Inner clauses and noun phrases of each sentence."""

    @property
    def field(self) -> str:
        """The name of the text."""
        return next(iter(self.job.parent.fields))

    @property
    def text(self) -> str:
        """The original text."""
        return self.job.parent.fields[self.field]

    @property
    def sentences(self) -> Sequence[Span]:
        """The sentences of the text."""
        return self.job.sentences[self.field]

    def edits_in(self, span: Span) -> list[Edit]:
        """The edits within a span."""
        return [e for e in self.edited.edits or () if span.start <= e.start and e.end <= span.end]


def whole_candidate(text: EditedText, rebuilt: Rebuilt) -> Candidate:
    """The rebuilt example as a variant."""
    job = text.job
    draft = Draft(
        job.parent,
        dict(rebuilt.fields),
        job.target,
        "kept" if job.target == job.parent.label else "flipped",
        job.number,
        rebuilt.edits,
        rebuilt.cost,
        about=_about(job, text.edited),
    )
    return Candidate(draft)


def _about(job: Job, edited: Edited) -> dict[str, str]:
    """What a whole variant is, for people: its labels, words and changed triples."""
    old = {triple.id: triple for triple in job.triples} | dict(edited.sources)
    changed = sorted(edited.triples.items())[:_MAX_LISTED]
    is_pair = len(job.parent.fields) > 1
    labels = {"source": str(job.parent.label), "target": str(job.target)} if is_pair else {}
    return {
        "unit": "pair" if is_pair else "text",
        **labels,
        "principal": ", ".join(sorted(job.words.principal)[:_MAX_LISTED]),
        "spurious": ", ".join(sorted(job.words.spurious)[:_MAX_LISTED]),
        "triples": "; ".join(f"{_written(old[id_])} → {_written(new)}" for id_, new in changed),
        **edited.about,
    }


def _written(triple: Triple) -> str:
    return " | ".join(element.text for element in triple.elements)


def sentence_candidates(work: EditedText, config: CobaConfig) -> Iterator[Candidate | Rejection]:
    """Every edited sentence with its unedited twin; or why it is rejected.

    Of a sentence that is not clear, the main clauses that are clear alone are given, and else the
    smaller phrases that are.
    """
    for index, span in enumerate(work.sentences):
        if not work.edits_in(span):
            continue
        reason = _rejection(work, span, config) or _half_edited(work, index)
        if reason is None:
            yield _candidate(work, span, "sentence", config)
            continue
        clear = _clear(work, work.clauses[index], (), config)
        clear += _clear(work, work.phrases[index], clear, config)
        yield from (_candidate(work, part, "clause", config) for part in clear)
        if not clear:
            shown = work.text[span.start : span.end][:_MAX_CHARS]
            yield Rejection(work.job.parent, reason, shown)


def _half_edited(work: EditedText, index: int) -> str | None:
    """Whether a main clause of a sentence has no edit: "all pull their weight and ..."."""
    return None if all(map(work.edits_in, work.clauses[index])) else CONTRAST


def _clear(
    work: EditedText, spans: Sequence[Span], given: Sequence[Span], config: CobaConfig
) -> list[Span]:
    """The spans that are clear alone and overlap with none that is given already."""
    found: list[Span] = []
    for span in spans:
        fresh = all(span.end <= one.start or one.end <= span.start for one in (*given, *found))
        if fresh and work.edits_in(span) and _rejection(work, span, config) is None:
            found.append(span)
    return found


def _rejection(work: EditedText, span: Span, config: CobaConfig) -> str | None:
    edits, before = work.edits_in(span), work.text[slice(*span)]
    after = {work.field: edited_span(work.text, span, edits)}
    return (
        clarity_rejection(work.text, span, work.edited)
        or few_edits_rejection(before, len(edits), config.min_sentence_edits)
        or form_rejection({work.field: before}, after, work.job.words, config.limits)
    )


def _candidate(work: EditedText, span: Span, unit: str, config: CobaConfig) -> Candidate:
    around = _cut_out(work, span)
    draft = _draft(work, (*around, *work.edits_in(span)), unit)
    if not config.twins:
        return Candidate(draft)
    twin = replace(_draft(work, around, "twin"), label=work.job.parent.label, contract="kept")
    return Candidate(draft, twin)


def _cut_out(work: EditedText, span: Span) -> tuple[Edit, ...]:
    """The edits that cut a span out of its text."""
    text, field = work.text, work.field
    cuts = [Span(0, span.start), Span(span.end, len(text))]
    return tuple(Edit(field, a, b, text[a:b], "") for a, b in cuts if b > a)


def _draft(work: EditedText, edits: tuple[Edit, ...], unit: str) -> Draft:
    parent, target = work.job.parent, work.job.target
    fields = apply(parent.fields, edits)
    return Draft(parent, fields, target, "flipped", edits=edits, about={"unit": unit})
