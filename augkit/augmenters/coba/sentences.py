"""From an edited text to its candidates: the whole, sentences with their twins, and clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from augkit.augmenters.checks import failed_check
from augkit.augmenters.coba.categorise import Category
from augkit.augmenters.coba.config import TextRuleSettings
from augkit.augmenters.coba.job import Job, edited_span
from augkit.augmenters.coba.verify import FORM_CHECKS, LEFT, LOST, Rewriting, lost_words
from augkit.augmenters.llm_checks.form import MISPLACED, is_well_formed
from augkit.core.edits import Edit, Span, apply, overlap
from augkit.core.protocols import Check
from augkit.core.types import Draft, Rejection
from augkit.english.polarity.contexts import context_words
from augkit.text.spacing import spaced_like
from augkit.text.tokens import folded_words

MIXED = "mixed polarity"
CONTRAST = "contrast or hypothetical"
FEW_EDITS = "too few edits for its length"
_MAX_CHARS = 200
"""Characters of a text in the detail of a rejection."""
MIN_EDITS_BESIDE = 8.0
"""Least edits per 100 words of a sentence together with the spurious ones beside it."""
_MARKED: frozenset[Category] = frozenset({"principal", "spurious"})
_FINAL_MARK = re.compile(r"(?<!\s)\s*[.!?\u2026]+")
_AFTER_WORDS = re.compile(r"(?<!\W)\W*\Z")
_ONLY_STOPS = re.compile(r"[\s.!?\u2026]*$")
_LETTER = re.compile(r"[^\W\d_]")
_CONTRAST = re.compile(
    rf"(?<!\w)(?:{'|'.join(sorted(context_words('contrast_words')))}|even\s+so|not\s+(?:all|every\w*))"
    r"(?!\w)|\?|\.\.\.\s*not\b",
    re.IGNORECASE,
)
"""What may reverse the evaluative words of a sentence, or make them hypothetical."""
_OPENER = re.compile(
    rf"\W*(?:{'|'.join(sorted(context_words('contrast_openers')))})\b", re.IGNORECASE
)
"""At the start of a sentence these contrast it with the one before."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A variant that passed the checks of its form; the judge has still to see it."""

    draft: Draft
    twin: Draft | None = None


@dataclass(frozen=True)
class EditedText:
    """An edited single text with the parts of its sentences that can stand alone."""

    job: Job
    edits: tuple[Edit, ...]
    left: tuple[Span, ...] = ()
    """Spans that still have the old polarity, as far as the editor can tell."""
    mixed: tuple[Span, ...] = ()
    """Spans that had the new polarity before, or an unclear one."""
    clauses: Sequence[Sequence[Span]] = ()
    """The main clauses of each sentence that has more than one part."""
    inner_clauses: Sequence[Sequence[Span]] = ()
    """The clauses inside each sentence that are asserted."""
    doubtful: frozenset[int] = frozenset()
    """The sentences, by index, without edit or shortcut that may keep the old label alone."""
    dropped: frozenset[int] = frozenset()
    """The sentences, by index, that the whole text leaves out."""
    judged: dict[str, float] = dataclass_field(default_factory=dict, compare=False)
    """How probable the new label is for its sentences: most are the same in the next draw."""

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
        return [e for e in self.edits if span.start <= e.start and e.end <= span.end]

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
            if (self.has_shortcut(span) or kinds.get(index, set()) & _MARKED == {"spurious"})
            and index not in self.doubtful
            and not self.edits_in(span)
            and failed_check(CLARITY_CHECKS, TextPart(self, span)) is None
        ]

    @cached_property
    def shortcuts(self) -> list[Span]:
        """The spurious sentences with words that most likely are shortcuts."""
        spurious = [self.sentences[index] for index in self.spurious]
        return [span for span in spurious if self.has_shortcut(span)]

    def has_shortcut(self, span: Span) -> bool:
        """Whether a span has a word that most likely is a shortcut."""
        return bool(lost_words(self.text[slice(*span)], "", self.job.words.shortcuts))

    def has_marked(self, span: Span) -> bool:
        """The same of a shortcut of the dataset or of the user."""
        words = self.job.words.required | self.job.words.preferred
        return bool(lost_words(self.text[slice(*span)], "", words))

    def sentence_of(self, span: Span) -> Span:
        """The sentence that a span lies in."""
        return next(s for s in self.sentences if s.start <= span.start < s.end)


class TextPart(NamedTuple):
    """A sentence or clause of an edited text."""

    text: EditedText
    span: Span
    min_edits: float = 0.0
    """Least edits per 100 words."""


@lru_cache(maxsize=2048)  # a text is looked at for every draw of its words
def has_contrast(text: str, span: Span) -> bool:
    """Whether a "but", a "would" or a question may reverse a sentence."""
    opener = _OPENER.match(text, span.start, span.end)
    return _CONTRAST.search(text, opener.end() if opener else span.start, span.end) is not None


CLARITY_CHECKS: tuple[Check[TextPart], ...] = (
    Check(LEFT, lambda part: starts_in(part.span, part.text.left)),
    Check(MIXED, lambda part: starts_in(part.span, part.text.mixed)),
    Check(CONTRAST, lambda part: has_contrast(part.text.text, part.span)),
)
"""What a sentence alone must pass to have the new label clearly.

It keeps nothing of the old polarity, had nothing of the new one before, and no "but" or "would"
reverses it.
"""
PART_CHECKS: tuple[Check[TextPart], ...] = (
    *CLARITY_CHECKS,
    Check(
        FEW_EDITS,
        lambda part: has_few_edits(
            part.text.text[slice(*part.span)],
            len(part.text.edits_in(part.span)),
            part.min_edits,
        ),
    ),
)
"""What a sentence or clause must pass, beside the checks of its form."""


def starts_in(span: Span, spans: Iterable[Span]) -> bool:
    """Whether one of the spans starts in a span."""
    return any(span.start <= inner.start < span.end for inner in spans)


def has_few_edits(text: str, edits: int, per_hundred: float) -> bool:
    """Whether a text is so long that its few edits may not decide its label."""
    return edits < per_hundred * len(folded_words(text)) / 100


def sentence_candidates(
    text: EditedText, settings: TextRuleSettings
) -> Iterator[Candidate | Rejection]:
    """Every edited sentence with its unedited twin; or why it is rejected.

    Of a sentence that is not clear, the main clauses that are clear alone are given, and else the
    inner clauses that are. So it is where a main clause has no edit: "all pull their weight and".
    """
    for index, span in enumerate(text.sentences):
        if not text.edits_in(span):
            continue
        reason = _rejection(text, span, settings)
        if reason is None and not all(map(text.edits_in, text.clauses[index])):
            reason = CONTRAST
        if reason is None:
            yield from _candidates(text, span, "sentence", settings)
            continue
        clear: list[Span] = []
        for part in (*text.clauses[index], *text.inner_clauses[index]):
            apart = not any(overlap(part, earlier) for earlier in clear)
            if apart and text.edits_in(part) and _rejection(text, part, settings) is None:
                clear.append(part)
        for part in clear:
            yield from _candidates(text, part, "clause", settings)
        if not clear:
            yield Rejection(text.job.parent, reason, text.text[slice(*span)][:_MAX_CHARS])


def _rejection(text: EditedText, span: Span, settings: TextRuleSettings) -> str | None:
    reason = failed_check(PART_CHECKS, TextPart(text, span, settings.min_sentence_edits))
    if reason is not None:
        return reason
    after = edited_span(text.text, span, text.edits_in(span))
    rewriting = Rewriting(text.text[slice(*span)], after, text.job.words, settings)
    return failed_check(FORM_CHECKS, rewriting)


def _candidates(
    text: EditedText, span: Span, unit: str, settings: TextRuleSettings
) -> Iterator[Candidate | Rejection]:
    """An edited span as a variant, with its twin; none where it would be the whole text again."""
    spans = _with_shortcuts(text, _with_spurious(text, span), settings)
    staying = " ".join(text.text[slice(*stays)] for stays in spans)
    if lost_words(text.text, staying, text.job.words.required):
        yield Rejection(text.job.parent, LOST, staying[:_MAX_CHARS])
        return
    around = _cut_out(text, spans)
    if not around and settings.unit == "both":
        return
    inside = [edit for stays in spans for edit in text.edits_in(stays)]
    draft = _draft(text, _with_capitals(text, spans, (*around, *inside)), unit)
    if not is_well_formed(draft.fields[text.field], text.text):
        yield Rejection(text.job.parent, MISPLACED, draft.fields[text.field][:_MAX_CHARS])
        return
    if not settings.twins or not around:  # with nothing cut out, the twin would be the row itself
        yield Candidate(draft)
    else:
        yield Candidate(draft, unedited_twin(text, _with_capitals(text, spans, around)))


def _with_spurious(text: EditedText, span: Span) -> list[Span]:
    """An edited span and the spurious sentences of its text.

    Those without shortcuts are left out where they are too long for the span.
    """
    spurious = [text.sentences[index] for index in text.spurious]
    plain = [sentence for sentence in spurious if sentence not in text.shortcuts]
    joined = " ".join(text.text[slice(*stays)] for stays in (span, *plain))
    if has_few_edits(joined, len(text.edits_in(span)), MIN_EDITS_BESIDE):
        plain = []
    return sorted([span, *text.shortcuts, *plain])


def _with_shortcuts(
    text: EditedText, spans: Sequence[Span], settings: TextRuleSettings
) -> Sequence[Span]:
    """The spans, with the edited sentences whose shortcuts they lack."""
    words = text.job.words.required | text.job.words.preferred
    staying = list(spans)
    for sentence in text.sentences if words else ():
        joined = " ".join(text.text[slice(*stays)] for stays in staying)
        apart = not any(overlap(sentence, earlier) for earlier in staying)
        if (
            apart
            and text.edits_in(sentence)
            and lost_words(text.text[slice(*sentence)], joined, words)
            and _rejection(text, sentence, settings) is None
        ):
            staying.append(sentence)
    return sorted(staying)


def _cut_out(edited: EditedText, spans: Sequence[Span]) -> tuple[Edit, ...]:
    """The edits that cut spans out of their text; a clause ends like its sentence."""
    text, field = edited.text, edited.field
    edits = [Edit(field, 0, spans[0].start, text[: spans[0].start], "")]
    for before, after in pairwise(spans):
        gap = text[before.end : after.start]
        stop = _final_mark(edited, before)
        if not stop and text[before.end - 1].isalnum():
            stop = spaced_like(".", text, before.end)
        if gap.strip() and gap != f"{stop} ":
            edits.append(Edit(field, before.end, after.start, gap, f"{stop} "))
    end = spans[-1].end
    if not _ONLY_STOPS.match(text, end):
        tail = _final_mark(edited, spans[-1]) + text[len(text.rstrip()) :]
        edits.append(Edit(field, end, len(text), text[end:], tail))
    return tuple(edit for edit in edits if edit.before != edit.after)


def _final_mark(text: EditedText, span: Span) -> str:
    """The final mark of a sentence, spaced as there, for a clause of it that ends before it."""
    following = text.text[span.end : text.sentence_of(span).end]
    # What no word follows is found first: to look from each mark to the end would take long.
    signs = _AFTER_WORDS.search(following)
    mark = _FINAL_MARK.search(signs[0]) if signs else None
    return mark[0] if mark else ""


def _with_capitals(
    text: EditedText, spans: Sequence[Span], edits: Sequence[Edit]
) -> tuple[Edit, ...]:
    """The edits, and a capital letter for each clause of a sentence that has one."""
    by_place = {(edit.start, edit.end): edit for edit in edits}
    for span in spans:
        start, letter = span.start, text.text[span.start]
        first = _LETTER.search(text.text, text.sentence_of(span).start)
        if letter.islower() and first and first[0].isupper():
            ends = [end for begin, end in by_place if begin == start < end]
            place = (start, ends[0] if ends else start + 1)
            edit = by_place.get(place) or Edit(text.field, *place, letter, letter)
            by_place[place] = replace(edit, after=edit.after[:1].upper() + edit.after[1:])
    return tuple(by_place[place] for place in sorted(by_place))


def unedited_twin(text: EditedText, edits: tuple[Edit, ...]) -> Draft:
    """What a variant was before its words were edited: ``edits`` only cut out and move."""
    return replace(_draft(text, edits, "twin"), label=text.job.parent.label, contract="kept")


def _draft(text: EditedText, edits: tuple[Edit, ...], unit: str) -> Draft:
    parent = text.job.parent
    fields = apply(parent.fields, edits)
    return Draft(parent, fields, text.job.target, "flipped", edits=edits, about={"unit": unit})


def drop_sentences(
    text: EditedText, probabilities: Sequence[float], settings: TextRuleSettings
) -> EditedText:
    """The text without the sentences that may keep the old label, and without their edits.

    Args:
        text: The edited text.
        probabilities: How probable the new label is for each of its edited sentences alone.
        settings: The limits.
    """
    out = {
        index
        for index, probability in enumerate(probabilities)
        if _may_keep_label(text, index, probability, settings)
    }
    if not out:
        return text
    gone = [text.sentences[index] for index in sorted(out)]
    edits = tuple(e for e in text.edits if not any(s.start <= e.start < s.end for s in gone))
    return replace(text, edits=edits, left=(), dropped=frozenset(out))


def _may_keep_label(
    text: EditedText, index: int, probability: float, settings: TextRuleSettings
) -> bool:
    """Whether a sentence may keep the old label of its text.

    It does if something in it has the old polarity, if it has that label alone, or if a "but" or
    "would" may reverse it and nothing was edited. Where it is unclear, it needs the probability of
    a sentence that stands alone. Else it is neutral or edited: then it does if the new label is
    improbable, unless it is spurious.
    """
    span = text.sentences[index]
    contrast = has_contrast(text.text, span)
    if index in text.doubtful or starts_in(span, text.left):
        return True
    if contrast and not text.edits_in(span):
        return True
    if contrast or starts_in(span, text.mixed):
        return probability < settings.min_sentence_label
    return probability < settings.drop and index not in text.spurious
