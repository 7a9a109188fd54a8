"""The candidates of one text: every operation for every target, and those of all targets together.

>>> from augkit.language.parser import SpacyParser
>>> text = "Honestly, the film is dull."
>>> (analysis,) = SpacyParser().parse([text])
>>> search = Search(analysis, [TextTarget(((0, 8),))], frozenset({"same"}), Random(0))
>>> [one.text for one in search.versions()]
['The film is dull.', 'Frankly, the film is dull.']
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import NamedTuple

from augkit.augmenters.rewriting.candidates import (
    Promise,
    RewriteCandidate,
    SpanEdit,
    apply_edits,
    changed_words,
    overlap,
)
from augkit.augmenters.rewriting.operations import (
    loose_candidates,
    mark_candidates,
    place_candidates,
    word_candidates,
)
from augkit.augmenters.rewriting.optional import IsKnown, Phrase, as_phrase, neighbours
from augkit.augmenters.rewriting.targets import TextTarget
from augkit.core.analysis import Analysis


class Version(NamedTuple):
    """A rewritten text, the operations that gave it, and the words that changed."""

    text: str
    operations: str
    change: int


class LooseVersion(NamedTuple):
    """A text without words that no rule leaves out; it may have to be compared with the whole."""

    version: Version
    optional: bool
    """Whether the corpus can do without these words."""
    known: bool
    """Whether the words around them are neighbours elsewhere."""


@dataclass
class Search:
    """The candidates of one text, by its targets."""

    analysis: Analysis
    targets: Sequence[TextTarget]
    allowed: frozenset[Promise]
    rng: Random
    optional: Container[Phrase] = ()
    """Phrases that the corpus can do without."""
    changed: set[TextTarget] = field(default_factory=set)
    """The targets that some candidate leaves out or replaces."""
    _left_out: set[TextTarget] = field(default_factory=set)

    def versions(self) -> list[Version]:
        """Every candidate for every target, then the first ones of all targets together."""
        by_target = [list(self._candidates(target)) for target in self.targets]
        found = [self._version([one]) for one in chain.from_iterable(by_target)]
        together: list[RewriteCandidate] = []
        taken: list[SpanEdit] = []
        for some in by_target:
            if some and not overlap(some[0].edits, taken):
                together.append(some[0])
                taken += some[0].edits
        return [*([self._version(together)] if len(together) > 1 else []), *found]

    def loose_versions(self, is_known: IsKnown) -> Iterator[LooseVersion]:
        """The text without targets that no rule leaves out: optional ones, phrases, or any.

        A single target that is not optional goes only where no target has a candidate and the
        words that then stand beside each other do so elsewhere in the corpus.
        """
        for target in self.targets:
            if target.mark or target in self._left_out:
                continue
            text = self.analysis.text
            optional = all(as_phrase(text[a:b]) in self.optional for a, b in target.spans)
            if not (optional or target.is_phrase or not self.changed):
                continue
            for one in loose_candidates(
                self.analysis, target.spans, self.allowed, optional=optional
            ):
                known = all(is_known(*neighbours(text, *edit[:2])) for edit in one.edits)
                if known or optional or target.is_phrase:
                    yield LooseVersion(self._version([one]), optional, known)

    def _candidates(self, target: TextTarget) -> Iterator[RewriteCandidate]:
        if target.mark:
            yield from mark_candidates(self.analysis.text, target.mark)
            return
        for one in word_candidates(self.analysis, target.spans, self.allowed, self.rng):
            self.changed.add(target)
            if one.promise != "other-entity" and one.operation.startswith("leave out"):
                self._left_out.add(target)
            yield one
        if target.movable:
            yield from place_candidates(self.analysis, target.spans[0], self.allowed, self.rng)

    def _version(self, candidates: Sequence[RewriteCandidate]) -> Version:
        edits = sorted(edit for one in candidates for edit in one.edits)
        text = self.analysis.text
        how = ", ".join(dict.fromkeys(one.operation for one in candidates))
        return Version(apply_edits(text, edits), how, changed_words(text, edits))
