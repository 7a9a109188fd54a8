"""Which units of a text become variants, and which sentences a whole text drops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.edit import Edited, Job, edited_span
from augkit.augmenters.coba.sentences.candidates import (
    Candidate,
    EditedText,
    sentence_candidates,
)
from augkit.augmenters.coba.sentences.clause_spans import inner_clauses, main_clauses
from augkit.augmenters.coba.verify import (
    any_in,
    clarity_rejection,
    few_edits_rejection,
    form_rejection,
    has_contrast,
    leftover_rejection,
)
from augkit.core.edits import Span
from augkit.core.protocols import Parser
from augkit.core.types import Example, Rejection
from augkit.labels.judge import HiddenWords, Judge


@dataclass(frozen=True)
class SentenceUnits:
    """Sentences and clauses beside whole texts; for edits whose spans are known."""

    config: CobaConfig
    parser: Parser
    judge: Judge

    def edited_text(self, job: Job, edited: Edited) -> EditedText:
        """An edited text with the clauses of its sentences."""
        (analysis,) = self.parser.parse([next(iter(job.parent.fields.values()))])
        if len(analysis.sentences) < 2 or self.config.unit == "text":
            return EditedText(job, edited)
        clauses = [main_clauses(analysis, tokens) for tokens in analysis.sentences]
        inner = [inner_clauses(analysis, tokens) for tokens in analysis.sentences]
        return EditedText(job, edited, clauses, inner)

    @property
    def redraws(self) -> int:
        """How often texts of several sentences are edited again, with other words."""
        return 0 if self.config.unit == "text" else self.config.draws - 1

    def wants_text(self, work: EditedText) -> bool:
        """Whether the whole text becomes a variant."""
        share = {"text": 1.0, "sentence": 0.0, "both": self.config.text_share}[self.config.unit]
        return len(work.sentences) < 2 or work.job.rng.random() < share

    def sentences(self, work: EditedText) -> Iterator[Candidate | Rejection]:
        """The sentences and clauses of a text of several sentences."""
        if self.config.unit != "text" and len(work.sentences) > 1:
            yield from sentence_candidates(work, self.config)

    def dropped(self, works: Sequence[EditedText]) -> Iterator[Dropped]:
        """The sentences to drop from each text; those of the batch are judged together."""
        judged = [
            (number, work, span, edited_span(work.text, span, work.edits_in(span)))
            for number, work in enumerate(works)
            if self.config.drop > 0 and len(work.sentences) > 1
            for span in work.sentences
        ]
        variants = [
            HiddenWords(tuple(work.job.words.shortcuts)).remove_from(
                Example({work.field: text}, work.job.target)
            )
            for _, work, _, text in judged
        ]
        verdicts = self.judge.judge([work.job.parent for _, work, _, _ in judged], variants)
        readings: list[list[SentenceReading]] = [[] for _ in works]
        for (number, work, span, text), verdict in zip(judged, verdicts, strict=True):
            readings[number].append(_reading(work, span, text, verdict.probability))
        for work, own in zip(works, readings, strict=True):
            yield choose_dropped(work, own, self.config)

    def text_rejection(self, work: EditedText, fields: Mapping[str, str]) -> str | None:
        """Why a whole text would not clearly have the new label; None if it would."""
        if len(work.sentences) == 1:
            reason = clarity_rejection(work.text, Span(0, len(work.text)), work.edited)
        else:
            text, edits = fields[work.field], len(work.edited.edits or ())
            for span in work.shortcuts:
                text = text.replace(work.text[slice(*span)], "", 1)
            reason = few_edits_rejection(text, edits, self.config.min_edits)
        return reason or leftover_rejection(work.edited, self.config.max_left)


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """An edited sentence, and how probable the new label is for it alone."""

    span: Span
    text: str
    probability: float
    is_left: bool
    """Whether something of the old polarity stays in it."""
    is_unclear: bool
    """Whether it has no edit, and a "but", a "would" or a negation may be evaluative."""
    is_spurious: bool = False
    """Whether it only goes with the old label: a judge may give it that label, and it stays."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """The indices of the sentences to drop, and the spans of those that stay but are unclear."""

    sentences: frozenset[int] = frozenset()
    unclear: tuple[Span, ...] = ()


def _reading(work: EditedText, span: Span, text: str, probability: float) -> SentenceReading:
    left, mixed = (any_in(span, spans) for spans in (work.edited.left, work.edited.mixed))
    unclear = not work.edits_in(span) and (mixed or has_contrast(work.text, span))
    spurious = any(work.sentences[index] == span for index in work.spurious)
    return SentenceReading(span, text, probability, left, unclear, spurious)


def choose_dropped(
    work: EditedText, readings: Sequence[SentenceReading], config: CobaConfig
) -> Dropped:
    """What is dropped from a text.

    All sentences of the old polarity, but no spurious one; then unclear ones, the least probable
    first, as long as ``shortest`` and ``min_spurious`` allow.
    """
    out = {
        n
        for n, one in enumerate(readings)
        if one.is_left or (one.probability < config.drop and not one.is_spurious)
    }
    unclear = [n for n, one in enumerate(readings) if one.is_unclear and n not in out]
    for index in sorted(unclear, key=lambda n: readings[n].probability):
        kept = [one.text for n, one in enumerate(readings) if n not in out | {index}]
        rest = {work.field: " ".join(kept)}
        before = work.job.parent.fields
        if form_rejection(before, rest, work.job.words, config.limits) is None:
            out.add(index)
    return Dropped(frozenset(out), tuple(readings[n].span for n in unclear if n not in out))


def without_dropped(work: EditedText, dropped: Dropped) -> EditedText:
    """The text without the edits, and leftovers, of the sentences that are dropped."""
    if not dropped.sentences and not dropped.unclear:
        return work
    gone = [work.sentences[index] for index in sorted(dropped.sentences)]
    lost = {t.id for t in work.job.triples if t.sentence in dropped.sentences}
    edited = work.edited
    left = [span for span in edited.left if not _within(span.start, gone)]
    remaining = replace(
        edited,
        triples={id_: triple for id_, triple in edited.triples.items() if id_ not in lost},
        edits=tuple(e for e in edited.edits or () if not _within(e.start, gone)),
        left=(*left, *dropped.unclear),
    )
    return replace(work, edited=remaining)


def _within(start: int, spans: Sequence[Span]) -> bool:
    return any(span.start <= start < span.end for span in spans)
