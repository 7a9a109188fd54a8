"""Turn what a text judges towards the other side: ratings, phrases, negations, words.

A span once changed is closed to later changes; everything else stays letter for letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from random import Random

from augkit.augmenters.coba.editing.contexts import NEGATORS, too_before
from augkit.augmenters.coba.editing.judgements import Judgement, judgements
from augkit.augmenters.coba.editing.negation import Change, without
from augkit.augmenters.coba.editing.partners import ClassCounts, partner
from augkit.augmenters.coba.editing.ratings import ratings, turned
from augkit.augmenters.coba.editing.said_of import is_said_of_person
from augkit.core.analysis import Analysis
from augkit.language.negation import negation_words
from augkit.language.triples import Span
from augkit.lexicons.evaluative import Evaluative, Phrase, Side
from augkit.text.articles import refit
from augkit.text.casing import match_case

_ACHIEVING = frozenset({"manage", "fail", "try"})
"""Verbs that turn what they govern when they are turned."""
_IMPLICIT = negation_words("implicit", "preposition", "adverb", "hardly", "modal", "particle")
_DENIES = re.compile(rf"(?:.*\b)?(?:{'|'.join(_IMPLICIT)})|.*n'?t\b", re.IGNORECASE)
_NEEDS_DENIAL = re.compile(
    r"[^.!?;,:]{0,60}?\b(?:any|anything|anyone|anybody|either|whatsoever|even|at\s+all)\b",
    re.IGNORECASE,
)
"""What may follow a phrase that denies, and not its opposite: "fails to offer anything"."""
_HEDGED = frozenset("bit little far way much just not tad somewhat slightly none".split())
"""Words before "too" that go with it."""


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
            used = frozenset(change.after.lower() for change in sheet.changes[-2:])
            find = partial(partner, judgement, lexicon, counts, generator, used)
            changes = _turned(analysis, judgement, find)
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
    if _DENIES.match(match[0]) and _NEEDS_DENIAL.match(sheet.text, end):
        return
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
    analysis: Analysis, judgement: Judgement, find: Callable[[], str | None]
) -> list[Change] | None:
    """The changes that turn one judgement; None where there are none that are surely right."""
    context, token = judgement.context, judgement.last
    if token.lemma.lower() in _ACHIEVING and analysis.children(token, "xcomp"):
        return None  # a phrase would have turned it where that is right
    if context.doubts == ("too",):
        return _turned_excess(analysis, judgement, find)
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
    word = find()
    return None if word is None else [Change(judgement.token.start, judgement.last.end, word)]


def _turned_excess(
    analysis: Analysis, judgement: Judgement, find: Callable[[], str | None]
) -> list[Change] | None:
    """Blame for an excess is turned to praise: "too slow" → "very lively"."""
    too, context = too_before(analysis, judgement.last), judgement.context
    hedged = too is not None and analysis.tokens[too.index - 1].text.lower() in _HEDGED
    is_blame = judgement.entry.side == "negative" and not context.negators
    measured = analysis.children(judgement.last, "xcomp", "advcl", "ccomp")  # "too bad to be true"
    if too is None or hedged or measured or not is_blame or context.lessening is not None:
        return None
    word = find()
    if word is None:
        return None
    return [
        Change(too.start, too.end, match_case("very", too.text)),
        Change(judgement.token.start, judgement.last.end, word),
    ]


def _with_articles(text: str, changes: Sequence[Change]) -> Iterable[Change]:
    """The changes, with "a" and "an" before them made to fit."""
    for place, change in enumerate(changes):
        previous = changes[place - 1].end if place else 0
        head = text[previous : change.start]
        words = head.split(" ")
        worded = change.after and not change.after[0].isdigit()  # a rating keeps its article
        if len(words) >= 2 and not words[-1] and words[-2].lower() in {"a", "an"} and worded:
            current = words[-2]
            fitted = refit(current, text[change.start : change.end], change.after)
            if fitted != current:
                start = change.start - len(current) - 1
                yield Change(start, change.end, f"{fitted} {change.after}")
                continue
        yield change
