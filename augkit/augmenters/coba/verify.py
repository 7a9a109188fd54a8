"""Step 7, verify: what a variant must pass, each check with a reason of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.coba.config import Limits
from augkit.augmenters.coba.edit import Edited, Job
from augkit.augmenters.coba.identify import Words
from augkit.core.analysis import Analysis
from augkit.core.edits import Span
from augkit.core.protocols import Parser
from augkit.english.polarity.contexts import context_words
from augkit.english.polarity.judgements import judgements
from augkit.lexicons.evaluative import Polarity
from augkit.text.tokens import words as words_of

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

NOT_EDITABLE = "no principal triple could be edited"
LEFT = "principal words left unedited"
MIXED = "mixed polarity"
CONTRAST = "contrast or hypothetical"
FEW_EDITS = "too few edits for its length"
SHORT, LONG = "too short", "too long"
LOST = "spurious words lost"
REWRITTEN = "too little of the text kept"
_MAX_LEFT = 0.25
"""Share of the evaluative words of the old polarity that a text written anew may hold."""
_MIN_KEPT = 0.5
"""Share of the words of the source that it must keep: only what decides the label changes."""


def form_rejection(
    before: Mapping[str, str], after: Mapping[str, str], words: Words, limits: Limits
) -> str | None:
    """Why the length of a variant, or the loss of spurious words, rejects it; None if neither."""
    old, new = " ".join(before.values()), " ".join(after.values())
    length, new_length = len(words_of(old)), len(words_of(new))
    if new_length < limits.shortest * length:
        return SHORT
    if new_length > limits.longest * length:
        return LONG
    few = spurious_survival(old, new, words) < limits.min_spurious
    return LOST if few or lost_words(old, new, words.required) else None


def lost_words(before: str, after: str, words: frozenset[str]) -> frozenset[str]:
    """The words that a text has and its variant has not.

    >>> lost_words("Riverside branch. Bad food.", "Good food.", frozenset({"riverside", "hill"}))
    frozenset({'riverside'})
    """
    old, new = ({word.casefold() for word in words_of(text)} for text in (before, after))
    return (words & old) - new


def spurious_survival(before: str, after: str, words: Words) -> float:
    """Share of the spurious words of a text that its variant keeps; 1 where it has none.

    >>> words = Words(frozenset(), frozenset({"hill"}))
    >>> spurious_survival("The Hill of kings", "The hill of fools", words)
    1.0
    """
    present = words.spurious & {word.casefold() for word in words_of(before)}
    if not present:
        return 1.0
    return len(present & {word.casefold() for word in words_of(after)}) / len(present)


def clarity_rejection(text: str, span: Span, edited: Edited) -> str | None:
    """Why a sentence alone would not clearly have the new label; None if it would.

    It keeps nothing of the old polarity, had nothing of the new one before, and no "but" or
    "would" reverses it.
    """
    if any_in(span, edited.left):
        return LEFT
    if any_in(span, edited.mixed):
        return MIXED
    return CONTRAST if has_contrast(text, span) else None


def leftover_rejection(edited: Edited, max_left: float) -> str | None:
    """Whether too much of a text's old polarity stayed."""
    changed = len(edited.edits or ())
    return LEFT if len(edited.left) > max_left * (changed + len(edited.left)) else None


def few_edits_rejection(text: str, edits: int, per_hundred: float) -> str | None:
    """Whether a text is so long that its few edits may not decide its label."""
    return FEW_EDITS if edits < per_hundred * len(words_of(text)) / 100 else None


def has_contrast(text: str, span: Span) -> bool:
    """Whether a "but", a "would" or a question may reverse a sentence."""
    opener = _OPENER.match(text, span.start, span.end)
    return _CONTRAST.search(text, opener.end() if opener else span.start, span.end) is not None


def any_in(span: Span, others: Iterable[Span]) -> bool:
    """Whether one of the others starts in a span."""
    return any(span.start <= other.start < span.end for other in others)


def kept_share(before: str, after: str) -> float:
    """Share of the words of a text that another has too, each as often.

    >>> kept_share("The plot is the best.", "The plot is bad.")
    0.6
    """
    old, new = (Counter(word.casefold() for word in words_of(text)) for text in (before, after))
    return (old & new).total() / max(1, old.total())


@dataclass(frozen=True)
class LeftoverCheck:
    """Rejects a single text that was written anew and still has words of the old polarity.

    Or that has few words of its source left: then more was changed than the polarity.
    """

    parser: Parser
    fitted: TextsArtifact

    def rejection(self, job: Job, fields: Mapping[str, str]) -> str | None:
        """Why the text is rejected; None where it is not, or where the labels have no polarity."""
        polarity = self.fitted.polarity
        side = polarity.get(str(job.parent.label))
        if side is None or polarity.get(str(job.target)) in {None, side}:
            return None
        texts = [" ".join(job.parent.fields.values()), " ".join(fields.values())]
        if kept_share(*texts) < _MIN_KEPT:
            return REWRITTEN
        before, after = (self._count(one, side) for one in self.parser.parse(texts))
        return LEFT if after > _MAX_LEFT * before else None

    def _count(self, analysis: Analysis, side: Polarity) -> int:
        return sum(one.polarity == side for one in judgements(analysis, self.fitted.lexicon))
