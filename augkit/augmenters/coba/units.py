"""From an edited example to its variants: the whole text, sentences and their twins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from augkit.augmenters.coba import checks
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.gender import gendered_words
from augkit.augmenters.coba.steps import Edited, Job
from augkit.core.types import Draft, Edit, Example, Rejection
from augkit.language.triples import Span, Triple

_SHOWN = 6
"""Triples and words told of one variant."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A variant that passed the checks of form; the judge has still to see it."""

    draft: Draft
    twin: Draft | None = None

    @property
    def variant(self) -> Example:
        """As the judge reads it."""
        return Example(self.draft.fields, self.draft.label)


@dataclass(frozen=True, slots=True)
class Work:
    """An edited example with the sentences of its text, and the pieces that can stand alone."""

    job: Job
    edited: Edited
    sentences: Sequence[Span]
    clauses: Sequence[Sequence[Span]]
    """The main clauses of each sentence that has something beside them."""
    pieces: Sequence[Sequence[Span]]
    """Inner clauses and noun phrases of each sentence."""

    @property
    def field(self) -> str:
        """The name of the text."""
        return next(iter(self.job.parent.fields))

    @property
    def text(self) -> str:
        """The text as it was."""
        return self.job.parent.fields[self.field]


def sentence_candidates(work: Work, config: CobaConfig) -> Iterator[Candidate | Rejection]:
    """Every edited sentence, alone, beside its unedited twin; or why it is not given.

    Of a sentence that is not clear, the main clauses that are clear alone are given, and where
    these are not either, the smaller pieces that are.
    """
    for number, span in enumerate(work.sentences):
        if not _inside(work, span):
            continue
        reason = _refused(work, span, config) or _half_edited(work, number)
        if reason is None:
            yield _candidate(work, span, "sentence", config)
            continue
        clear = _clear(work, work.clauses[number], (), config)
        clear += _clear(work, work.pieces[number], clear, config)
        yield from (_candidate(work, piece, "clause", config) for piece in clear)
        if not clear:
            yield Rejection(work.job.parent, reason, work.text[span.start : span.end][:200])


def _half_edited(work: Work, number: int) -> str | None:
    """Whether a main clause of a sentence says what it said: "all pull their weight and ..."."""
    same = [clause for clause in work.clauses[number] if not _inside(work, clause)]
    return checks.UNCLEAR if same else None


def _clear(
    work: Work, pieces: Sequence[Span], given: Sequence[Span], config: CobaConfig
) -> list[Span]:
    """The pieces that are clear alone and lie in none that is given already."""
    found: list[Span] = []
    for piece in pieces:
        fresh = all(piece.end <= one.start or one.end <= piece.start for one in (*given, *found))
        if fresh and _inside(work, piece) and _refused(work, piece, config) is None:
            found.append(piece)
    return found


def _inside(work: Work, span: Span) -> list[Edit]:
    """The edits of a piece of text."""
    return [e for e in work.edited.edits or () if span.start <= e.start and e.end <= span.end]


def _refused(work: Work, span: Span, config: CobaConfig) -> str | None:
    before, inside = work.text[span.start : span.end], _inside(work, span)
    return (
        checks.unclear(work.text, span, work.edited)
        or checks.too_thin(before, len(inside), config.min_sentence_edits)
        or checks.refused(before, _alone(before, span, inside), work.job.words, config)
    )


def _alone(before: str, span: Span, edits: Sequence[Edit]) -> str:
    from augkit.text.diff import apply

    cut = [replace(e, start=e.start - span.start, end=e.end - span.start) for e in edits]
    return apply({e.field: before for e in edits}, cut)[edits[0].field]


def _candidate(work: Work, span: Span, unit: str, config: CobaConfig) -> Candidate:
    around = _around(work, span)
    draft = _draft(work, (*around, *_inside(work, span)), unit)
    if not config.twins:
        return Candidate(draft)
    twin = replace(_draft(work, around, "twin"), label=work.job.parent.label, contract="kept")
    return Candidate(draft, twin)


def text_candidate(
    work: Work, fields: dict[str, str], edits: tuple[Edit, ...] | None, config: CobaConfig
) -> Candidate | Rejection:
    """The whole text, or why it is not given."""
    before, after = work.text, fields[work.field]
    reason = None
    if len(work.sentences) == 1:
        reason = checks.unclear(before, Span(0, len(before)), work.edited)
    elif work.edited.edits is not None:
        reason = checks.too_thin(after, len(work.edited.edits), config.min_edits)
    reason = reason or checks.too_much_left(work.edited, config.max_left)
    words = work.job.words
    if config.gender != "keep":  # gendered words were to change
        words = replace(words, spurious=words.spurious - gendered_words(before))
    reason = reason or checks.refused(before, after, words, config)
    if reason is not None:
        return Rejection(work.job.parent, reason, before[:200])
    return Candidate(
        Draft(
            work.job.parent,
            fields,
            work.job.target,
            contract="flipped",
            edits=edits,
            about=about(work, "text"),
        )
    )


def _around(work: Work, span: Span) -> tuple[Edit, ...]:
    """What cuts a sentence out of its text."""
    text, field = work.text, work.field
    cuts = [Span(0, span.start), Span(span.end, len(text))]
    return tuple(Edit(field, a, b, text[a:b], "") for a, b in cuts if b > a)


def _draft(work: Work, edits: tuple[Edit, ...], unit: str) -> Draft:
    from augkit.text.diff import apply

    parent = work.job.parent
    return Draft(
        parent,
        apply(parent.fields, edits),
        work.job.target,
        contract="flipped",
        edits=edits,
        about=about(work, unit),
    )


def about(work: Work, unit: str) -> dict[str, str]:
    """What a variant is: its unit, and for whole texts the words and triples behind it."""
    told = {"unit": unit}
    if unit == "text":
        words = work.job.words
        told["principal"] = ", ".join(sorted(words.principal)[:_SHOWN])
        told["spurious"] = ", ".join(sorted(words.spurious)[:_SHOWN])
        old = {triple.id: triple for triple in work.job.triples}
        changed = list(work.edited.triples.items())[:_SHOWN]
        told["triples"] = "; ".join(f"{_said(old[i])} → {_said(new)}" for i, new in changed)
    return told


def _said(triple: Triple) -> str:
    return " | ".join(element.text for element in triple.elements)
