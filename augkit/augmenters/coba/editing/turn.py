"""Turn what a text judges towards the other side: ratings, phrases, negations, words.

A span once changed is closed to later changes; everything else stays letter for letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from augkit.augmenters.coba.editing.contexts import NEGATORS
from augkit.augmenters.coba.editing.judgements import Judgement, judgements
from augkit.augmenters.coba.editing.negation import Change, without
from augkit.augmenters.coba.editing.partners import ClassCounts, partner
from augkit.augmenters.coba.editing.ratings import ratings, turned
from augkit.augmenters.coba.editing.said_of import is_said_of_person
from augkit.language.analysis import Analysis
from augkit.language.triples import Span
from augkit.lexicons.evaluative import Evaluative, Phrase, Side
from augkit.text.articles import refit
from augkit.text.casing import match_case

_ACHIEVING = frozenset({"manage", "fail", "try"})
"""Verbs that turn what they govern when they are turned."""


@dataclass(frozen=True, slots=True)
class Turned:
    """What was changed in a text, and what still speaks against the change."""

    changes: tuple[Change, ...]
    kept: tuple[Judgement, ...]
    """Judgements for the new side that were there before."""
    left: tuple[Judgement, ...]
    """Judgements for the old side that could not be changed."""
    aside: tuple[Judgement, ...]
    """Changed judgements that are said of somebody, who may be of the story."""


@dataclass
class _Sheet:
    """The changes so far and the spans they closed."""

    text: str
    changes: list[Change] = field(default_factory=list)
    closed: list[tuple[int, int]] = field(default_factory=list)

    def is_free(self, start: int, end: int) -> bool:
        return all(end <= a or b <= start for a, b in self.closed)

    def add(self, *changes: Change) -> bool:
        if not all(self.is_free(c.start, c.end) for c in changes):
            return False
        for change in changes:
            self.closed.append((change.start, change.end))
            if self.text[change.start : change.end] != change.after:
                self.changes.append(change)
        return True


def turn(
    analysis: Analysis,
    side: Side,
    lexicon: Evaluative,
    counts: ClassCounts,
    generator: Random,
) -> Turned:
    """Change a text that is on ``side`` so that it judges the other way."""
    sheet = _Sheet(analysis.text)
    for rating in ratings(analysis.text):
        if rating.side == side:
            sheet.add(Change(rating.start, rating.end, turned(rating, generator)))
    for phrase, match in _found(analysis.text, lexicon.on_side(side)):
        _turn_phrase(phrase, match, sheet, generator)
    kept, left, aside = [], [], []
    for judgement in judgements(analysis, lexicon):
        if not sheet.is_free(judgement.token.start, judgement.last.end):
            continue
        if judgement.side != side:
            kept.append(judgement)
        elif not _is_turned_above(analysis, judgement, sheet):
            changes = _turned(analysis, judgement, lexicon, counts, generator)
            if changes is None or not sheet.add(*changes):
                left.append(judgement)
            elif is_said_of_person(analysis, judgement.last):
                aside.append(judgement)
    changes = sorted(sheet.changes, key=lambda change: change.start)
    changes = list(_with_articles(analysis.text, changes))
    return Turned(tuple(changes), tuple(kept), tuple(left), tuple(aside))


def _is_turned_above(analysis: Analysis, judgement: Judgement, sheet: _Sheet) -> bool:
    """Whether a change further up turned it already: "manages to amuse" → "fails to amuse"."""
    token = judgement.last
    while not token.is_root:
        above = analysis.head(token)
        is_closed = not sheet.is_free(above.start, above.end)
        if token.is_relation("xcomp") and is_closed and above.lemma.lower() in _ACHIEVING:
            return True
        token = above
    return False


def phrase_spans(text: str, lexicon: Evaluative, side: Side) -> list[Span]:
    """Where stock phrases of a side stand, overlapping ones included."""
    return [Span(*match.span()) for _, match in _found(text, lexicon.on_side(side))]


@lru_cache(maxsize=512)  # a text is read once for its words and once for every draw
def _found(text: str, phrases: tuple[Phrase, ...]) -> tuple[tuple[Phrase, re.Match[str]], ...]:
    return tuple(
        (phrase, match)
        for phrase in phrases
        for match in phrase.pattern.finditer(text)
        if not _is_negated(text, match.start())
    )


def _turn_phrase(phrase: Phrase, match: re.Match[str], sheet: _Sheet, generator: Random) -> None:
    start, end = match.span()
    if sheet.is_free(start, end):
        written, text = match.expand(generator.choice(phrase.opposites)), sheet.text
        cased = _cased_like(written, text[start:end], at_start=_starts(text, start))
        sheet.add(Change(start, end, cased))


def _is_negated(text: str, start: int) -> bool:
    """Whether a negation stands right before a phrase that does not begin with one itself."""
    before = text[max(0, start - 25) : start].lower().replace("\u2019", "'").split()[-2:]
    return any(word in NEGATORS or word.endswith("n't") for word in before)


def _cased_like(written: str, found: str, *, at_start: bool) -> str:
    if found.isupper() and len(found) > 3:
        return written.upper()
    if found[:1].isupper() and (at_start or written[:1] == written[:1].lower()):
        return match_case(written, "A" + "a")
    if written.startswith("I "):
        return written
    return written


def _starts(text: str, start: int) -> bool:
    before = text[:start].rstrip()
    return not before or before[-1] in ".!?:>"


def _turned(
    analysis: Analysis,
    judgement: Judgement,
    lexicon: Evaluative,
    counts: ClassCounts,
    generator: Random,
) -> list[Change] | None:
    """The changes that turn one judgement; None where there are none that are surely right."""
    context = judgement.context
    if context.doubts:
        return None
    if context.lessening is not None and not context.negators:
        token = context.lessening
        written = {"less": "more", "least": "most"}[token.text.lower()]
        return [Change(token.start, token.end, match_case(written, token.text))]
    if len(context.negators) > 1 or (context.negators and context.lessening):
        return None
    if context.negators:
        changes = without(analysis, context.negators[0], judgement.last)
        if changes is not None:
            return changes
    word = partner(judgement, lexicon, counts, generator)
    return None if word is None else [Change(judgement.token.start, judgement.last.end, word)]


def _with_articles(text: str, changes: Sequence[Change]) -> Iterable[Change]:
    """The changes, with "a" and "an" before them made to fit."""
    for place, change in enumerate(changes):
        previous = changes[place - 1].end if place else 0
        head = text[previous : change.start]
        words = head.split(" ")
        if len(words) >= 2 and not words[-1] and words[-2].lower() in {"a", "an"} and change.after:
            current = words[-2]
            fitted = refit(current, text[change.start : change.end], change.after)
            if fitted != current:
                start = change.start - len(current) - 1
                yield Change(start, change.end, f"{fitted} {change.after}")
                continue
        yield change
