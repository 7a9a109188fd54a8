"""Sentences that a whole text drops because they keep the old polarity.

The paper deletes normal triples. A sentence that no edit could flip is deleted too: it contradicts
the new label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.sentences.candidates import EditedText
from augkit.augmenters.coba.verify import any_in, form_rejection, has_contrast
from augkit.core.types import Example
from augkit.language.triples import Span
from augkit.text.diff import apply


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


@dataclass(frozen=True, slots=True)
class Dropped:
    """The indices of the sentences to drop, and the spans of those that stay but are unclear."""

    sentences: frozenset[int] = frozenset()
    unclear: tuple[Span, ...] = ()


def sentence_variants(work: EditedText) -> list[Example]:
    """Each sentence as edited, with the new label, for the judge."""
    return [Example({work.field: text}, work.job.target) for _, text, _ in _edited_sentences(work)]


def sentence_readings(work: EditedText, probabilities: Sequence[float]) -> list[SentenceReading]:
    """What is known of each sentence of an edited text."""
    found = []
    for (span, text, has_edits), probability in zip(
        _edited_sentences(work), probabilities, strict=True
    ):
        left, mixed = (any_in(span, spans) for spans in (work.edited.left, work.edited.mixed))
        unclear = not has_edits and (mixed or has_contrast(work.text, span))
        found.append(SentenceReading(span, text, probability, left, unclear))
    return found


def choose_dropped(
    work: EditedText, readings: Sequence[SentenceReading], config: CobaConfig
) -> Dropped:
    """What is dropped from a text.

    All sentences of the old polarity; then unclear ones, the least probable first, as long as
    ``shortest`` and ``min_spurious`` allow.
    """
    out = {n for n, one in enumerate(readings) if one.is_left or one.probability < config.drop}
    unclear = [n for n, one in enumerate(readings) if one.is_unclear and n not in out]
    for index in sorted(unclear, key=lambda n: readings[n].probability):
        rest = {work.field: _rest(readings, out | {index})}
        before = work.job.parent.fields
        if form_rejection(before, rest, work.job.words, config.limits) is None:
            out.add(index)
    return Dropped(frozenset(out), tuple(readings[n].span for n in unclear if n not in out))


def without_dropped(work: EditedText, dropped: Dropped) -> EditedText:
    """The text without the edits, and leftovers, of the sentences that are dropped."""
    gone = [work.sentences[index] for index in sorted(dropped.sentences)]
    lost = {t.id for t in work.job.triples if t.sentence in dropped.sentences}
    edited = work.edited
    edits, left = edited.edits, edited.left
    if edits is not None:
        edits = tuple(e for e in edits if not _within(e.start, gone))
    remaining = replace(
        edited,
        triples={id_: triple for id_, triple in edited.triples.items() if id_ not in lost},
        edits=edits,
        left=(*(span for span in left if not _within(span.start, gone)), *dropped.unclear),
    )
    return replace(work, edited=remaining)


def _edited_sentences(work: EditedText) -> Iterator[tuple[Span, str, bool]]:
    for span in work.sentences:
        inside = work.edits_in(span)
        cut = [replace(e, start=e.start - span.start, end=e.end - span.start) for e in inside]
        before = {work.field: work.text[span.start : span.end]}
        yield span, apply(before, cut)[work.field], bool(inside)


def _rest(readings: Sequence[SentenceReading], out: AbstractSet[int]) -> str:
    return " ".join(one.text for index, one in enumerate(readings) if index not in out)


def _within(start: int, spans: Sequence[Span]) -> bool:
    return any(span.start <= start < span.end for span in spans)
