"""From an edited text to its sentences and clauses, each with its unedited twin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from augkit.augmenters.checks import failed_check
from augkit.augmenters.coba.config import TextRuleSettings
from augkit.augmenters.coba.job import Job, edited_span
from augkit.augmenters.coba.verify import FORM_CHECKS, LEFT, LOST, Rewriting, lost_words
from augkit.augmenters.llm_checks.form import MISPLACED, is_well_formed
from augkit.core.analysis import Analysis
from augkit.core.edits import Edit, Span, apply, overlap
from augkit.core.protocols import Check
from augkit.core.types import Variant, refused
from augkit.english.polarity.contexts import context_words
from augkit.english.polarity.structure import hangs_deep, is_half_turned, is_only_in_subject
from augkit.text.spacing import spaced_like
from augkit.text.tokens import folded_words

MIXED = "mixed polarity"
CONTRAST = "contrast or hypothetical"
FEW_EDITS = "too few edits for its length"
SUBJECT = "only the subject edited"
HALF_TURNED = "one of two coordinated parts edited"
STUB = "too few words to stand alone"
DEEP = "edited far from the predicate"
_MAX_CHARS = 200
"""Characters of a text in the detail of a rejection."""
_MAX_LISTED = 6
"""Words listed for one variant."""
_SHORT = 17
"""Words up to which one edit is enough for a sentence."""
_STUB = 4
"""Words up to which a part is no variant of a longer text: "We hate it!"."""
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

    draft: Variant
    twin: Variant | None = None
    is_long: bool = False
    """Whether it is a whole text of several sentences."""


@dataclass(frozen=True)
class EditedText:
    """An edited single text with the parts of its sentences that can stand alone."""

    job: Job
    analysis: Analysis
    edits: tuple[Edit, ...]
    left: tuple[Span, ...] = ()
    """Spans that still have the old polarity, as far as the editor can tell."""
    mixed: tuple[Span, ...] = ()
    """Spans that had the new polarity before, or an unclear one."""
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
        return self.analysis.text

    @property
    def sentences(self) -> Sequence[Span]:
        """The sentences of the text."""
        return self.job.sentences[self.field]

    def edits_in(self, span: Span) -> list[Edit]:
        """The edits within a span."""
        return [e for e in self.edits if span.start <= e.start and e.end <= span.end]

    @cached_property
    def shortcuts(self) -> list[Span]:
        """The clear, unedited sentences with words that most likely are shortcuts: they stay."""
        return [
            span
            for span in self.sentences
            if self.has_shortcut(span)
            and not self.edits_in(span)
            and failed_check(CLARITY_CHECKS, TextPart(self, span)) is None
        ]

    @cached_property
    def shortcut_words(self) -> list[Span]:
        """Where known shortcuts stand; what only classifiers named may be an opinion."""
        shortcuts = self.job.words.required | self.job.words.preferred
        return [
            Span(token.start, token.end)
            for token in self.analysis.tokens
            if token.text.casefold() in shortcuts
        ]

    def has_shortcut(self, span: Span) -> bool:
        """Whether a span has a word that most likely is a shortcut."""
        return bool(lost_words(self.text[slice(*span)], "", self.job.words.shortcuts))

    def has_unedited_clause(self, span: Span) -> bool:
        """Whether a main clause of a sentence has neither an edit nor a shortcut, or none an edit.

        It may state what the edits contradict: "and the waiter forgot our order".
        """
        clauses = self.clauses[self.sentences.index(span)]
        unedited = [clause for clause in clauses if not self.edits_in(clause)]
        if clauses and len(unedited) == len(clauses):
            return True
        return not all(map(self.has_shortcut, unedited))

    def sentence_of(self, span: Span) -> Span:
        """The sentence that a span lies in."""
        return next(s for s in self.sentences if s.start <= span.start < s.end)


class TextPart(NamedTuple):
    """A sentence or clause of an edited text."""

    text: EditedText
    span: Span
    min_edits: float = 0.0
    """Least edits per 100 words."""

    @property
    def words(self) -> tuple[str, ...]:
        """Its words before the edits."""
        return folded_words(self.text.text[slice(*self.span)])


@lru_cache(maxsize=2048)
def has_contrast(text: str, span: Span, edited: tuple[Span, ...] = ()) -> bool:
    """Whether a "but", a "would" or a question outside of what was edited may reverse a span."""
    opener = _OPENER.match(text, span.start, span.end)
    start = opener.end() if opener else span.start
    return any(
        not any(overlap(Span(*match.span()), edit) for edit in edited)
        for match in _CONTRAST.finditer(text, start, span.end)
    )


CLARITY_CHECKS: tuple[Check[TextPart], ...] = (
    Check(LEFT, lambda part: starts_in(part.span, part.text.left)),
    Check(MIXED, lambda part: starts_in(part.span, part.text.mixed)),
    Check(
        CONTRAST,
        lambda part: has_contrast(
            part.text.text,
            part.span,
            tuple(Span(edit.start, edit.end) for edit in part.text.edits_in(part.span)),
        ),
    ),
)
"""What a sentence alone must pass to have the new label clearly.

It keeps nothing of the old polarity, had nothing of the new one before, and no "but" or "would"
reverses it.
"""
BROAD_CHECKS: tuple[Check[TextPart], ...] = (
    *CLARITY_CHECKS,
    Check(
        FEW_EDITS,
        lambda part: (
            len(part.words) > _SHORT
            and len(part.text.edits_in(part.span)) < part.min_edits * len(part.words) / 100
        ),
    ),
)
"""What a sentence or clause must pass, beside the checks of its form."""
STRUCTURE_CHECKS: tuple[Check[TextPart], ...] = (
    Check(
        HALF_TURNED,
        lambda part: is_half_turned(
            part.text.analysis, part.span, part.text.edits, part.text.shortcut_words
        ),
    ),
    Check(SUBJECT, lambda part: is_only_in_subject(part.text.analysis, part.span, part.text.edits)),
    Check(STUB, lambda part: len(part.words) <= _STUB < len(folded_words(part.text.text))),
    Check(DEEP, lambda part: hangs_deep(part.text.analysis, part.span, part.text.edits)),
)
"""What it must pass too where texts are for readers."""


def starts_in(span: Span, spans: Iterable[Span]) -> bool:
    """Whether one of the spans starts in a span."""
    return any(span.start <= inner.start < span.end for inner in spans)


def sentence_candidates(
    text: EditedText, settings: TextRuleSettings
) -> Iterator[Candidate | Variant]:
    """Every edited sentence with its unedited twin; or why it is rejected.

    Of a sentence that is not clear, the main clauses that are clear alone are given, and else the
    inner clauses that are.
    """
    for index, span in enumerate(text.sentences):
        if not text.edits_in(span):
            continue
        reason = _rejection(text, span, settings)
        if reason is None and text.has_unedited_clause(span):
            reason = MIXED
        if reason is None:
            yield from cut_out(text, span, "sentence", settings)
            continue
        clear: list[Span] = []
        for part in (*text.clauses[index], *text.inner_clauses[index]):
            apart = not any(overlap(part, earlier) for earlier in clear)
            if apart and _is_clear_clause(text, part, settings):
                clear.append(part)
        for part in clear:
            yield from cut_out(text, part, "clause", settings)
        if not clear:
            yield refused(text.job.parent, reason, text.text[slice(*span)][:_MAX_CHARS])


def _is_clear_clause(text: EditedText, part: Span, settings: TextRuleSettings) -> bool:
    """Whether a clause has edits, is clear alone, and is no small part of a row."""
    if not text.edits_in(part) or _rejection(text, part, settings) is not None:
        return False
    if settings.broad or len(text.sentences) > 1:
        return True
    words = len(folded_words(text.text[slice(*part)]))
    return words >= settings.shortest * len(folded_words(text.text))


def _rejection(text: EditedText, span: Span, settings: TextRuleSettings) -> str | None:
    checks = BROAD_CHECKS if settings.broad else (*BROAD_CHECKS, *STRUCTURE_CHECKS)
    reason = failed_check(checks, TextPart(text, span, settings.min_sentence_edits))
    if reason is not None:
        return reason
    after = edited_span(text.text, span, text.edits_in(span))
    rewriting = Rewriting(text.text[slice(*span)], after, text.job.words, settings)
    return failed_check(FORM_CHECKS, rewriting)


def cut_out(
    text: EditedText, span: Span, unit: str, settings: TextRuleSettings
) -> Iterator[Candidate | Variant]:
    """An edited span, with the sentences of shortcuts beside it, as a variant with its twin."""
    spans = sorted([*text.shortcuts, span])
    staying = " ".join(text.text[slice(*stays)] for stays in spans)
    if lost_words(text.text, staying, text.job.words.required):
        yield refused(text.job.parent, LOST, staying[:_MAX_CHARS])
        return
    around = _cut_out(text, spans)
    inside = [edit for stays in spans for edit in text.edits_in(stays)]
    unit = unit if around else "text"
    draft = _draft(text, _with_capitals(text, spans, (*around, *inside)), unit)
    if not is_well_formed(draft.fields[text.field], text.text):
        yield refused(text.job.parent, MISPLACED, draft.fields[text.field][:_MAX_CHARS])
        return
    if not settings.twins or not around:  # with nothing cut out, the twin would be the row itself
        yield Candidate(draft)
    else:
        yield Candidate(draft, unedited_twin(text, _with_capitals(text, spans, around)))


def _cut_out(edited: EditedText, spans: Sequence[Span]) -> tuple[Edit, ...]:
    """The edits that cut spans out of their text; a clause ends like its sentence."""
    text = edited.text
    field = edited.field
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
        start = span.start
        letter = text.text[span.start]
        first = _LETTER.search(text.text, text.sentence_of(span).start)
        if letter.islower() and first and first[0].isupper():
            ends = [end for begin, end in by_place if begin == start < end]
            place = (start, ends[0] if ends else start + 1)
            edit = by_place.get(place) or Edit(text.field, *place, letter, letter)
            by_place[place] = replace(edit, after=edit.after[:1].upper() + edit.after[1:])
    return tuple(by_place[place] for place in sorted(by_place))


def unedited_twin(text: EditedText, edits: tuple[Edit, ...]) -> Variant:
    """What a variant was before its words were edited: ``edits`` only cut out and move."""
    return replace(_draft(text, edits, "twin"), label=text.job.parent.label, contract="kept")


def _draft(text: EditedText, edits: tuple[Edit, ...], unit: str) -> Variant:
    parent = text.job.parent
    fields = apply(parent.fields, edits)
    words = ", ".join(sorted(text.job.words.spurious)[:_MAX_LISTED])
    about = {"unit": unit, "spurious": words}
    return Variant(parent, fields, text.job.target, "flipped", edits=edits, about=about)
