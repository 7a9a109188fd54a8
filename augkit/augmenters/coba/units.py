"""From an edited example to its variants: the whole text, sentences and their twins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from augkit.augmenters.coba import checks
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.gender import gendered_words
from augkit.augmenters.coba.steps import Edited, Job
from augkit.data import Draft, Edit, Example, Refusal
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
    """An edited example with the sentences of its text."""

    job: Job
    edited: Edited
    sentences: Sequence[Span]

    @property
    def field(self) -> str:
        """The name of the text."""
        return next(iter(self.job.parent.fields))

    @property
    def text(self) -> str:
        """The text as it was."""
        return self.job.parent.fields[self.field]


def sentence_candidates(work: Work, config: CobaConfig) -> Iterator[Candidate | Refusal]:
    """Every edited sentence, alone, beside its unedited twin; or why it is not given."""
    for span in work.sentences:
        inside = [e for e in work.edited.edits or () if span.start <= e.start and e.end <= span.end]
        if not inside:
            continue
        before = work.text[span.start : span.end]
        around = _around(work, span)
        draft = _draft(work, (*around, *inside), "sentence")
        reason = checks.unclear(work.text, span, work.edited) or checks.refused(
            before, draft.fields[work.field], work.job.words, config
        )
        if reason is not None:
            yield Refusal(work.job.parent, reason, before[:200])
            continue
        twin = replace(_draft(work, around, "twin"), label=work.job.parent.label, contract="kept")
        yield Candidate(draft, twin if config.twins else None)


def text_candidate(
    work: Work, fields: dict[str, str], edits: tuple[Edit, ...] | None, config: CobaConfig
) -> Candidate | Refusal:
    """The whole text, or why it is not given."""
    before, after = work.text, fields[work.field]
    reason = None
    if len(work.sentences) == 1:
        reason = checks.unclear(before, Span(0, len(before)), work.edited)
    elif work.edited.edits is not None:
        reason = checks.too_thin(before, work.edited, config.min_edits)
    reason = reason or checks.too_much_left(work.edited, config.max_left)
    words = work.job.words
    if config.gender != "keep":  # gendered words were to change
        words = replace(words, spurious=words.spurious - gendered_words(before))
    reason = reason or checks.refused(before, after, words, config)
    if reason is not None:
        return Refusal(work.job.parent, reason, before[:200])
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
