"""What a variant must pass; every check refuses with a reason of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.steps import Edited, Words
from augkit.language.triples import Span
from augkit.text.tokens import words as words_of

_TURNING = re.compile(
    r"(?<!\w)(?:but|although|though|however|despite|yet|if|unless|except|while|would|could|should|"
    r"than|supposed|instead|until|might|nor|neither|either|rather|otherwise|whereas|even\s+so|"
    r"wish(?:es|ed)?|hope[sd]?|not\s+(?:all|every\w*))(?!\w)"
    r"|\?|\.\.\.\s*not\b",
    re.IGNORECASE,
)
"""Words after which a sentence may say the opposite of what its judging words say."""

_LINKING = re.compile(r"\W*(?:but|however|yet|though|still)\b", re.IGNORECASE)
"""At the start of a sentence these turn against what stood before, not against the sentence."""

NO_TRIPLE = "no triple"
EMPTY = "no principal triple could be edited"
LEFT = "principal words left unedited"
MIXED = "speaks for both labels"
UNCLEAR = "turns in the sentence"
LOST = "spurious words lost"
LABEL = "label not carried"
THIN = "too few edits for its length"
SHORT, LONG = "too short", "too long"


def unclear(text: str, span: Span, edited: Edited) -> str | None:
    """Why a sentence would not clearly carry the new label, or None.

    A sentence alone must be clear: nothing for the old label stays, nothing spoke for the new one
    before, and no "but" or "would" turns it.
    """
    if any_in(span, edited.left):
        return LEFT
    if any_in(span, edited.mixed):
        return MIXED
    return UNCLEAR if turns(text, span) else None


def too_much_left(edited: Edited, most: float) -> str | None:
    """Whether too many of a text's judgements for the old label stayed."""
    changed = len(edited.edits or ())
    return LEFT if len(edited.left) > most * (changed + len(edited.left)) else None


def too_thin(text: str, changed: int, least: float) -> str | None:
    """Whether a text or sentence is so long that its few edits may not decide what it says."""
    return THIN if changed < least * len(words_of(text)) / 100 else None


def survival(before: str, after: str, words: Words) -> float:
    """Share of the spurious words of a text that are still there; 1 where it has none.

    >>> survival("The Hill of kings", "The hill of fools", Words(frozenset(), frozenset({"hill"})))
    1.0
    """
    here = {word.casefold() for word in words_of(before)}
    asked = {word for word in words.spurious if word in here}
    if not asked:
        return 1.0
    there = {word.casefold() for word in words_of(after)}
    return len(asked & there) / len(asked)


def refused(before: str, after: str, words: Words, config: CobaConfig) -> str | None:
    """The first of the checks of length and survival that a variant does not pass."""
    length, new = len(words_of(before)), len(words_of(after))
    if new < config.shortest * length:
        return SHORT
    if new > config.longest * length:
        return LONG
    return LOST if survival(before, after, words) < config.min_spurious else None


def turns(text: str, span: Span) -> bool:
    """Whether a "but", a "would" or a question may turn what a sentence says."""
    first = _LINKING.match(text, span.start, span.end)
    return _TURNING.search(text, first.end() if first else span.start, span.end) is not None


def any_in(span: Span, places: Iterable[Span]) -> bool:
    """Whether one of the places lies in a sentence."""
    return any(span.start <= place.start < span.end for place in places)
