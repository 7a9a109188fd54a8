"""The candidates of one text: every operation for every target, and those of all targets together.

>>> from augkit.english.parser import SpacyParser
>>> text = "Honestly, the film is dull."
>>> (analysis,) = SpacyParser().parse([text])
>>> search = Search(analysis, [TextTarget((Span(0, 8),))], frozenset({"same"}), Random(0))
>>> [one.text for one in search.versions()]
['The film is dull.']

Operations are listed in the order of preference: of two candidates with the same gain the earlier
one is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, product
from random import Random
from typing import NamedTuple

from augkit.core.analysis import Analysis
from augkit.core.edits import Replacement, Span, any_overlap, overlap
from augkit.english.rewriting import cut_cue, leave_out, replace
from augkit.english.rewriting.candidates import (
    Promise,
    RewriteCandidate,
    apply_edits,
    changed_words,
)
from augkit.english.rewriting.leave_out import Range, sentence
from augkit.english.rewriting.marks import WHOLE_MARKS, unmarked
from augkit.english.rewriting.optional import CorpusUse, as_phrase, words_beside
from augkit.english.rewriting.targets import TextTarget
from augkit.text.placeholders import placeholder_spans

_MOST_PLACES = 12
"""Occurrences of a target that a candidate changes; more are too many."""
_MOST_COMBINED = 4
"""Ways of leaving out a target that has several occurrences."""


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
    Rewording("other name", "other-entity", replace.other_name),
    Rewording("other number", "other-entity", replace.other_number),
)


CUTS = (
    Removal("cut comment", "same", cut_cue.comment),
    Removal("cut cue", "weaker", cut_cue.alone),
)
"""Of a cue that the user names: its own words and nothing else, before any larger phrase."""
_BARE_CUT = Removal("cut cue", "weaker", cut_cue.bare)
"""The same against the first parse of the text."""


def word_candidates(
    analysis: Analysis,
    spans: Sequence[Span],
    allowed: Container[Promise],
    rng: Random,
    removals: Sequence[Removal] = REMOVALS,
) -> Iterator[RewriteCandidate]:
    """Candidates without the words at these places, all of which hold the same words."""
    ranges = [tokens for span in spans if (tokens := _tokens(analysis, span))]
    if not ranges or len(ranges) != len(spans) or len(ranges) > _MOST_PLACES:
        return
    removals = [removal for removal in removals if removal.promise in allowed]
    yield from _combined(analysis, ranges, removals)
    for rewording in REWORDINGS:
        if rewording.promise in allowed:
            for edits in rewording.edits(analysis, ranges[0], rng):
                if edits:
                    yield RewriteCandidate(edits, rewording.name, rewording.promise)


def optional_candidates(
    analysis: Analysis, spans: Sequence[Span], allowed: Iterable[Promise]
) -> Iterator[RewriteCandidate]:
    """The text without words that the corpus can do without, whatever they are in it."""
    ranges = [tokens for span in spans if (tokens := _tokens(analysis, span))]
    if OPTIONAL.promise in allowed and 0 < len(ranges) <= _MOST_PLACES:
        yield from _combined(analysis, ranges, [OPTIONAL])


def mark_candidates(text: str, mark: str) -> Iterator[RewriteCandidate]:
    """Candidates without a mark: punctuation, capitals, hashtags and the like."""
    promise: Promise = "weaker" if mark == "!" else "same"
    for name, edits in unmarked(text, mark):
        if edits:
            yield RewriteCandidate(edits, name, promise)


def _combined(
    analysis: Analysis, ranges: Sequence[Range], usable: Sequence[Removal]
) -> Iterator[RewriteCandidate]:
    """Every occurrence left out, each in one of its ways."""
    ways = [
        [
            (operation, edit)
            for operation in usable
            for edit in operation.edits(analysis, occurrence)
        ]
        for occurrence in ranges
    ]
    for way in islice(product(*ways), _MOST_COMBINED):
        edits = sorted({edit for _, edit in way})
        if not any_overlap(edits):
            operation = way[0][0]
            yield RewriteCandidate(tuple(edits), operation.name, operation.promise)


def _tokens(analysis: Analysis, span: Span) -> Range | None:
    """The tokens that a span of characters touches."""
    inside = [token.index for token in analysis.tokens if overlap(token, span)]
    return (inside[0], inside[-1] + 1) if inside else None


class Version(NamedTuple):
    """A rewritten text, the operations that gave it, and the words that changed."""

    text: str
    operations: str
    change: int


class ShorterVersion(NamedTuple):
    """A text without optional words, and whether the words around them are neighbours elsewhere."""

    version: Version
    meet: bool


@dataclass
class Search:
    """The candidates of one text, by its targets."""

    analysis: Analysis
    targets: Sequence[TextTarget]
    allowed: frozenset[Promise]
    rng: Random
    use: CorpusUse | None = None
    """How the corpus uses words; None: not known."""
    _left_out: set[TextTarget] = field(default_factory=set)

    def versions(self) -> list[Version]:
        """Every candidate for every target, then the first ones of all targets together."""
        by_target = [
            [candidate for candidate in self._candidates(target) if self._keeps(candidate, target)]
            for target in self.targets
        ]
        single = [self._version([candidate]) for candidate in chain.from_iterable(by_target)]
        together: list[RewriteCandidate] = []
        taken: list[Replacement] = []
        for candidates in by_target:
            if candidates and not any(overlap(*two) for two in product(candidates[0].edits, taken)):
                together.append(candidates[0])
                taken += candidates[0].edits
        return [*([self._version(together)] if len(together) > 1 else []), *single]

    def versions_without(self) -> Iterator[Version]:
        """The text without any of the targets, which a user named; small changes come first."""
        by_target = [
            [cut for cut in self._cuts(target) if self._keeps(cut, target, is_named=True)]
            for target in self.targets
        ]
        for way in islice(product(*by_target), _MOST_COMBINED * len(REMOVALS)):
            if not any_overlap([edit for candidate in way for edit in candidate.edits]):
                yield self._version(way)

    def bare_versions(self) -> Iterator[Version]:
        """The text without the words of the targets, to be parsed again before it is used."""
        by_target = [
            [
                cut
                for cut in word_candidates(
                    self.analysis, target.spans, self.allowed, self.rng, (_BARE_CUT,)
                )
                if cut.operation == _BARE_CUT.name and self._keeps(cut, target, is_named=True)
            ]
            for target in self.targets
            if not target.mark
        ]
        for way in islice(product(*by_target), 1):
            if way and not any_overlap([edit for candidate in way for edit in candidate.edits]):
                yield self._version(way)

    def _cuts(self, target: TextTarget) -> Iterator[RewriteCandidate]:
        if target.mark:
            return self._candidates(target)
        return word_candidates(
            self.analysis, target.spans, self.allowed, self.rng, (*CUTS, *REMOVALS)
        )

    def shorter_versions(self) -> Iterator[ShorterVersion]:
        """The text without targets that the corpus can do without and no rule leaves out."""
        text = self.analysis.text
        use = self.use
        if use is None:
            return
        for target in self.targets:
            optional = all(as_phrase(text[a:b]) in use.optional for a, b in target.spans)
            if not target.mark and optional and target not in self._left_out:
                candidates = optional_candidates(self.analysis, target.spans, self.allowed)
                for candidate in candidates:
                    if not self._keeps(candidate, target):
                        continue
                    met = [use.meet(*words_beside(text, *edit[:2])) for edit in candidate.edits]
                    yield ShorterVersion(self._version([candidate]), all(met))

    def _keeps(
        self, candidate: RewriteCandidate, target: TextTarget, *, is_named: bool = False
    ) -> bool:
        """Whether no edit touches a placeholder, but for one that is itself the target.

        It is where it is an address, or where the user named it.
        """
        held = [Span(*place) for place in placeholder_spans(self.analysis.text)]
        if is_named or target.mark in WHOLE_MARKS:
            held = [span for span in held if not any(overlap(span, at) for at in target.spans)]
        return not any(overlap(*two) for two in product(candidate.edits, held))

    def _candidates(self, target: TextTarget) -> Iterator[RewriteCandidate]:
        if target.mark:
            marks = mark_candidates(self.analysis.text, target.mark)
            yield from (candidate for candidate in marks if candidate.promise in self.allowed)
            return
        for candidate in word_candidates(self.analysis, target.spans, self.allowed, self.rng):
            if candidate.operation.startswith("leave out"):
                self._left_out.add(target)
            yield candidate

    def _version(self, candidates: Sequence[RewriteCandidate]) -> Version:
        edits = sorted(edit for candidate in candidates for edit in candidate.edits)
        text = self.analysis.text
        how = ", ".join(dict.fromkeys(candidate.operation for candidate in candidates))
        return Version(apply_edits(text, edits), how, changed_words(text, edits))
