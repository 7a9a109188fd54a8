"""The operations, what each promises, and all candidates that touch a target.

The order is that of preference: of two candidates with the same gain the earlier one is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from random import Random

from augkit.core.analysis import Analysis
from augkit.core.edits import Replacement, Span, any_overlap, overlap
from augkit.english.rewriting import leave_out, reorder, replace
from augkit.english.rewriting.candidates import Promise, RewriteCandidate
from augkit.english.rewriting.leave_out import Range
from augkit.english.rewriting.marks import unmarked
from augkit.english.rewriting.sentence_removal import sentence
from augkit.lexicons.label_meanings import Relation

_MOST_PLACES = 12
"""Occurrences of a target that a candidate changes; more are too many."""
_MOST_COMBINED = 4
"""Ways of leaving out a target that has several occurrences."""

ALLOWED: dict[Relation, frozenset[Promise]] = {
    "entailment": frozenset({"same"}),
    "neutral": frozenset({"same"}),
    "contradiction": frozenset({"same", "stronger"}),
}
"""What the second text of a pair allows: with more said, what was false is still false."""


@dataclass(frozen=True)
class Removal:
    """Removes one occurrence of a target; the occurrences are combined."""

    name: str
    promise: Promise
    edits: Callable[[Analysis, Range], Iterator[Replacement]]


@dataclass(frozen=True)
class Rewording:
    """Changes the whole text for one occurrence of a target; ``edits`` may draw at random."""

    name: str
    promise: Promise
    edits: Callable[[Analysis, Range, Random], Iterator[tuple[Replacement, ...]]]


REMOVALS = (
    Removal("leave out adverb", "weaker", leave_out.adverb),
    Removal("leave out opener", "same", leave_out.opener),
    Removal("leave out aside", "weaker", leave_out.aside),
    Removal("leave out adjective", "weaker", leave_out.adjective),
    Removal("leave out adjunct", "weaker", leave_out.adjunct),
    Removal("leave out sentence", "weaker", sentence),
)
OPTIONAL = Removal("leave out optional words", "weaker", leave_out.optional_words)
"""For what the corpus can do without, whatever it is in its sentence."""
REWORDINGS = (
    Rewording("synonym", "same", replace.synonym),
    Rewording("contraction", "same", lambda text, span, _: reorder.contracted(text, span)),
    Rewording("other name", "other-entity", replace.other_name),
    Rewording("other number", "other-entity", replace.other_number),
    Rewording("hypernym", "weaker", replace.hypernym),
)
REORDERINGS = (
    Rewording("moved adjunct", "same", lambda text, span, _: reorder.moved(text, span)),
    Rewording("joined sentences", "same", lambda text, span, _: reorder.joined(text, span)),
    Rewording("split sentence", "same", lambda text, span, _: reorder.split_sentence(text, span)),
    Rewording("passive", "same", lambda text, span, _: reorder.passive(text, span)),
)
"""They keep all words, so they serve only where the place of a word or a pair is the target."""


def word_candidates(
    analysis: Analysis, spans: Sequence[Span], allowed: Iterable[Promise], rng: Random
) -> Iterator[RewriteCandidate]:
    """Candidates without the words at these places, all of which hold the same words."""
    ranges = [found for span in spans if (found := _tokens(analysis, span))]
    if not ranges or len(ranges) != len(spans) or len(ranges) > _MOST_PLACES:
        return
    yield from _removals(analysis, ranges, frozenset(allowed))
    yield from _rewordings(analysis, ranges, frozenset(allowed), rng, REWORDINGS)


def place_candidates(
    analysis: Analysis, span: Span, allowed: Iterable[Promise], rng: Random
) -> Iterator[RewriteCandidate]:
    """Candidates that keep the words of a span and move them or part them."""
    found = _tokens(analysis, span)
    if found:
        yield from _rewordings(analysis, [found], frozenset(allowed), rng, REORDERINGS)


def optional_candidates(
    analysis: Analysis, spans: Sequence[Span], allowed: Iterable[Promise]
) -> Iterator[RewriteCandidate]:
    """The text without words that the corpus can do without, whatever they are in it."""
    ranges = [found for span in spans if (found := _tokens(analysis, span))]
    if OPTIONAL.promise in allowed and 0 < len(ranges) <= _MOST_PLACES:
        yield from _combined(analysis, ranges, [OPTIONAL])


def mark_candidates(text: str, mark: str) -> Iterator[RewriteCandidate]:
    """Candidates without a mark: punctuation, capitals, hashtags and the like."""
    promise: Promise = "weaker" if mark == "!" else "same"
    for name, edits in unmarked(text, mark):
        if edits:
            yield RewriteCandidate(edits, name, promise)


def _removals(
    analysis: Analysis, ranges: Sequence[Range], allowed: frozenset[Promise]
) -> Iterator[RewriteCandidate]:
    yield from _combined(analysis, ranges, [one for one in REMOVALS if one.promise in allowed])


def _combined(
    analysis: Analysis, ranges: Sequence[Range], usable: Sequence[Removal]
) -> Iterator[RewriteCandidate]:
    """Every occurrence left out, each in one of its ways."""
    ways = [
        [(operation, edit) for operation in usable for edit in operation.edits(analysis, found)]
        for found in ranges
    ]
    for some in islice(product(*ways), _MOST_COMBINED):
        edits = sorted({edit for _, edit in some})
        if not any_overlap(edits):
            operation = some[0][0]
            yield RewriteCandidate(tuple(edits), operation.name, operation.promise)


def _rewordings(
    analysis: Analysis,
    ranges: Sequence[Range],
    allowed: frozenset[Promise],
    rng: Random,
    operations: Iterable[Rewording],
) -> Iterator[RewriteCandidate]:
    for operation in operations:
        if operation.promise in allowed:
            for edits in operation.edits(analysis, ranges[0], rng):
                if edits:
                    yield RewriteCandidate(edits, operation.name, operation.promise)


def _tokens(analysis: Analysis, span: Span) -> Range | None:
    """The tokens that a span of characters touches."""
    inside = [token.index for token in analysis.tokens if overlap(token, span)]
    return (inside[0], inside[-1] + 1) if inside else None
