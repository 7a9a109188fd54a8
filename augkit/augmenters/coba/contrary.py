"""Sentences of a whole text that are left out because they still speak for the old label.

The paper deletes triples that carry neither the label nor a shortcut. A sentence that no edit could
turn goes too: its triples speak against the new label, and what stays of the text is clear.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from augkit.augmenters.coba import checks
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.steps import Edited
from augkit.augmenters.coba.units import Work
from augkit.core.types import Edit, Example
from augkit.language.triples import Span
from augkit.text.diff import apply


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence as edited, and how probable the new label is for it alone."""

    span: Span
    text: str
    probability: float
    is_left: bool
    """Whether something for the old label stays in it."""
    is_doubtful: bool
    """Whether nothing was edited and a "but", a "would" or a denial may judge without a word."""


def sentence_variants(work: Work) -> list[Example]:
    """Each sentence as edited, with the new label, for the judge."""
    return [Example({work.field: text}, work.job.target) for _, text, _ in _as_edited(work)]


def readings(work: Work, probabilities: Sequence[float]) -> list[Reading]:
    """What is known of each sentence of an edited text."""
    found = []
    for (span, text, edited), probability in zip(_as_edited(work), probabilities, strict=True):
        left, mixed = (checks.any_in(span, x) for x in (work.edited.left, work.edited.mixed))
        doubtful = not edited and (mixed or checks.turns(work.text, span))
        found.append(Reading(span, text, probability, left, doubtful))
    return found


@dataclass(frozen=True, slots=True)
class Contrary:
    """The numbers of the sentences to leave out, and where those stand that stay in doubt."""

    out: frozenset[int] = frozenset()
    doubtful: tuple[Span, ...] = ()


def contrary(work: Work, sentences: Sequence[Reading], config: CobaConfig) -> Contrary:
    """What is left out of a text.

    All sentences that speak for the old label; then doubtful ones, the least probable first, as
    long as ``shortest`` and ``min_spurious`` allow.
    """
    out = {n for n, one in enumerate(sentences) if one.is_left or one.probability < config.drop}
    doubtful = [n for n, one in enumerate(sentences) if one.is_doubtful and n not in out]
    for number in sorted(doubtful, key=lambda n: sentences[n].probability):
        rest = _rest(sentences, out | {number})
        if checks.refused(work.text, rest, work.job.words, config) is None:
            out.add(number)
    return Contrary(frozenset(out), tuple(sentences[n].span for n in doubtful if n not in out))


def without(work: Work, found: Contrary) -> Work:
    """The work without what was edited, or left, in the sentences that go."""
    gone = [work.sentences[number] for number in sorted(found.out)]
    lost = {t.id for t in work.job.triples if t.sentence in found.out}
    edited = work.edited
    return replace(
        work,
        edited=Edited(
            {number: triple for number, triple in edited.triples.items() if number not in lost},
            None if edited.edits is None else tuple(_outside(edited.edits, gone)),
            edited.cost,
            (*(place for place in edited.left if not _within(place, gone)), *found.doubtful),
            edited.mixed,
        ),
    )


def _as_edited(work: Work) -> Iterable[tuple[Span, str, bool]]:
    for span in work.sentences:
        inside = [e for e in work.edited.edits or () if span.start <= e.start and e.end <= span.end]
        cut = [replace(e, start=e.start - span.start, end=e.end - span.start) for e in inside]
        before = {work.field: work.text[span.start : span.end]}
        yield span, apply(before, cut)[work.field], bool(inside)


def _rest(sentences: Sequence[Reading], out: AbstractSet[int]) -> str:
    return " ".join(one.text for number, one in enumerate(sentences) if number not in out)


def _outside(edits: Iterable[Edit], gone: Sequence[Span]) -> Iterable[Edit]:
    return (e for e in edits if not _within(Span(e.start, e.end), gone))


def _within(place: Span, spans: Sequence[Span]) -> bool:
    return any(span.start <= place.start < span.end for span in spans)
