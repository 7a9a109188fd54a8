"""From an edited text to its candidates: the whole, sentences with their twins, and clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from augkit.augmenters.coba.categorise import Category
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.edit import Edited, Job, edited_span
from augkit.augmenters.coba.reconstruct import Rebuilt
from augkit.augmenters.coba.verify import (
    CONTRAST,
    LOST,
    clarity_rejection,
    few_edits_rejection,
    form_rejection,
    lost_words,
)
from augkit.core.edits import Span, apply, overlap
from augkit.core.types import Draft, Edit, Rejection
from augkit.english.rewriting.form import MISPLACED, is_well_formed
from augkit.english.triples import Triple
from augkit.text.spacing import spaced_like

_MAX_CHARS = 200
"""Characters of a text in the detail of a rejection."""
_MAX_LISTED = 6
"""Triples and words listed for one variant."""
_MARKED: frozenset[Category] = frozenset({"principal", "spurious"})
_FINAL_MARK = re.compile(r"\s*[.!?\u2026]+(?=\W*$)")
_ONLY_STOPS = re.compile(r"[\s.!?\u2026]*$")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A variant that passed the checks of its form; the judge has still to see it."""

    draft: Draft
    twin: Draft | None = None


@dataclass(frozen=True)
class EditedText:
    """An edited single text with the parts of its sentences that can stand alone."""

    job: Job
    edited: Edited
    clauses: Sequence[Sequence[Span]] = ()
    """The main clauses of each sentence that has more than one part."""
    inner_clauses: Sequence[Sequence[Span]] = ()
    """The clauses inside each sentence that are asserted."""

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

    @cached_property
    def spurious(self) -> list[int]:
        """The sentences, by index, that only go with the label: they stay as they are.

        They have shortcuts, or spurious triples and no principal one, and nothing in them is
        evaluative.
        """
        kinds: dict[int, set[Category]] = {}
        for triple in self.job.triples:
            kinds.setdefault(triple.sentence, set()).add(self.job.categories[triple.id])
        return [
            index
            for index, span in enumerate(self.sentences)
            if (self._has_shortcut(span) or self._goes_with_label(span, kinds.get(index, set())))
            and not self.edits_in(span)
            and clarity_rejection(self.text, span, self.edited) is None
        ]

    def _goes_with_label(self, span: Span, kinds: set[Category]) -> bool:
        """Whether the triples of a sentence, or without any its words, are spurious alone."""
        if kinds:
            return kinds & _MARKED == {"spurious"}
        own, words = self.text[slice(*span)], self.job.words
        return bool(lost_words(own, "", words.spurious)) and not lost_words(
            own, "", words.principal
        )

    @cached_property
    def shortcuts(self) -> list[Span]:
        """The spurious sentences with words that most likely are shortcuts."""
        spurious = [self.sentences[index] for index in self.spurious]
        return [span for span in spurious if self._has_shortcut(span)]

    def _has_shortcut(self, span: Span) -> bool:
        return bool(lost_words(self.text[slice(*span)], "", self.job.words.shortcuts))

    def sentence_of(self, span: Span) -> Span:
        """The sentence that a span lies in."""
        return next(one for one in self.sentences if one.start <= span.start < one.end)


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
    inner clauses that are.
    """
    for index, span in enumerate(work.sentences):
        if not work.edits_in(span):
            continue
        reason = _rejection(work, span, config) or _half_edited(work, index)
        if reason is None:
            yield from _candidates(work, span, "sentence", config)
            continue
        clear = _clear(work, work.clauses[index], (), config)
        clear += _clear(work, work.inner_clauses[index], clear, config)
        for part in clear:
            yield from _candidates(work, part, "clause", config)
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
        fresh = not any(overlap(span, earlier) for earlier in (*given, *found))
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


def _candidates(
    work: EditedText, span: Span, unit: str, config: CobaConfig
) -> Iterator[Candidate | Rejection]:
    """An edited span as a variant, with its twin; none where it would be the whole text again."""
    spans = _with_shortcuts(work, _with_spurious(work, span, config), config)
    kept = " ".join(work.text[slice(*one)] for one in spans)
    if lost_words(work.text, kept, work.job.words.required):
        yield Rejection(work.job.parent, LOST, kept[:_MAX_CHARS])
        return
    around = _cut_out(work, spans)
    if not around and config.unit == "both":
        return
    inside = [edit for one in spans for edit in work.edits_in(one)]
    draft = _draft(work, _with_capitals(work, spans, (*around, *inside)), unit)
    if not is_well_formed(draft.fields[work.field], work.text):
        yield Rejection(work.job.parent, MISPLACED, draft.fields[work.field][:_MAX_CHARS])
        return
    if not config.twins or not around:  # with nothing cut out, the twin would be the row itself
        yield Candidate(draft)
    else:
        twin = _draft(work, _with_capitals(work, spans, around), "twin")
        twin = replace(twin, label=work.job.parent.label, contract="kept")
        yield Candidate(draft, twin)


def _with_spurious(work: EditedText, span: Span, config: CobaConfig) -> list[Span]:
    """An edited span and the spurious sentences of its text.

    Those without shortcuts are left out where they are too long for the span.
    """
    spurious = [work.sentences[index] for index in work.spurious]
    others = [one for one in spurious if one not in work.shortcuts]
    text = " ".join(work.text[slice(*one)] for one in (span, *others))
    few = few_edits_rejection(text, len(work.edits_in(span)), config.min_edits)
    return sorted([span, *work.shortcuts, *(others if few is None else ())])


def _with_shortcuts(work: EditedText, spans: Sequence[Span], config: CobaConfig) -> Sequence[Span]:
    """The spans, with the edited sentences whose shortcuts they lack."""
    words = work.job.words.required | work.job.words.preferred
    found = list(spans)
    for sentence in work.sentences if words else ():
        kept = " ".join(work.text[slice(*one)] for one in found)
        apart = not any(overlap(sentence, earlier) for earlier in found)
        if (
            apart
            and work.edits_in(sentence)
            and lost_words(work.text[slice(*sentence)], kept, words)
            and _rejection(work, sentence, config) is None
        ):
            found.append(sentence)
    return sorted(found)


def _cut_out(work: EditedText, spans: Sequence[Span]) -> tuple[Edit, ...]:
    """The edits that cut spans out of their text; a clause ends like its sentence."""
    text, field = work.text, work.field
    edits = [Edit(field, 0, spans[0].start, text[: spans[0].start], "")]
    for before, after in pairwise(spans):
        gap = text[before.end : after.start]
        stop = _final_mark(work, before)
        if not stop and text[before.end - 1].isalnum():
            stop = spaced_like(".", text, before.end)
        if gap.strip() and gap != f"{stop} ":
            edits.append(Edit(field, before.end, after.start, gap, f"{stop} "))
    end = spans[-1].end
    if not _ONLY_STOPS.match(text, end):
        space = text[len(text.rstrip()) :]
        edits.append(Edit(field, end, len(text), text[end:], _final_mark(work, spans[-1]) + space))
    return tuple(edit for edit in edits if edit.before != edit.after)


def _final_mark(work: EditedText, span: Span) -> str:
    """The final mark of a sentence, spaced as there, for a clause of it that ends before it."""
    mark = _FINAL_MARK.search(work.text, span.end, work.sentence_of(span).end)
    return mark[0] if mark else ""


def _with_capitals(
    work: EditedText, spans: Sequence[Span], edits: Sequence[Edit]
) -> tuple[Edit, ...]:
    """The edits, and a capital letter for each clause of a sentence that has one."""
    found = {(edit.start, edit.end): edit for edit in edits}
    for span in spans:
        start, letter = span.start, work.text[span.start]
        first = _LETTER.search(work.text, work.sentence_of(span).start)
        if letter.islower() and first and first[0].isupper():
            ends = [end for begin, end in found if begin == start < end]
            key = (start, ends[0] if ends else start + 1)
            edit = found.get(key) or Edit(work.field, *key, letter, letter)
            found[key] = replace(edit, after=edit.after[:1].upper() + edit.after[1:])
    return tuple(found[key] for key in sorted(found))


def _draft(work: EditedText, edits: tuple[Edit, ...], unit: str) -> Draft:
    parent, target = work.job.parent, work.job.target
    fields = apply(parent.fields, edits)
    return Draft(parent, fields, target, "flipped", edits=edits, about={"unit": unit})
