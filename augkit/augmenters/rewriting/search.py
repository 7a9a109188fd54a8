"""The candidates of one text: every operation for every target, and those of all targets together.

>>> from augkit.language.parser import SpacyParser
>>> text = "Honestly, the film is dull."
>>> (analysis,) = SpacyParser().parse([text])
>>> search = Search(analysis, [TextTarget(((0, 8),))], frozenset({"same"}), Random(0))
>>> [one.text for one in search.versions()]
['The film is dull.', 'Frankly, the film is dull.']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from augkit.augmenters.rewriting.targets import TextTarget
from augkit.core.analysis import Analysis
from augkit.text.tokens import words

_NEAR = 40
"""Characters in which the words beside an edit are looked for."""


class Version(NamedTuple):
    """A rewritten text, the operations that gave it, and the words that changed."""

    text: str
    operations: str
    change: int


@dataclass
class Search:
    """The candidates of one text, by its targets."""

    analysis: Analysis
    targets: Sequence[TextTarget]
    allowed: frozenset[Promise]
    rng: Random
    changed: set[TextTarget] = field(default_factory=set)
    """The targets that some candidate leaves out or replaces."""

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

    def loose_versions(self, is_known: Callable[[str, str], bool]) -> Iterator[Version]:
        """The text without a phrase of giveaways, or without a target where none has a candidate.

        What stands beside each other without a single target must be known from the corpus;
        whether the text is more fluent is to be checked.
        """
        for target in self.targets:
            if not target.mark and (target.is_phrase or not self.changed):
                for one in loose_candidates(self.analysis, target.spans, self.allowed):
                    known = all(self._is_known(is_known, edit) for edit in one.edits)
                    if known or target.is_phrase:
                        yield self._version([one])

    def _is_known(self, is_known: Callable[[str, str], bool], edit: SpanEdit) -> bool:
        """Whether some document has the words around an edit next to each other."""
        before = words(self.analysis.text[max(edit.start - _NEAR, 0) : edit.start])
        after = words(self.analysis.text[edit.end : edit.end + _NEAR])
        if edit.after or not before or not after:
            return True
        return is_known(before[-1].lower(), after[0].lower())

    def _candidates(self, target: TextTarget) -> Iterator[RewriteCandidate]:
        if target.mark:
            yield from mark_candidates(self.analysis.text, target.mark)
            return
        for one in word_candidates(self.analysis, target.spans, self.allowed, self.rng):
            self.changed.add(target)
            yield one
        if target.movable:
            yield from place_candidates(self.analysis, target.spans[0], self.allowed, self.rng)

    def _version(self, candidates: Sequence[RewriteCandidate]) -> Version:
        edits = sorted(edit for one in candidates for edit in one.edits)
        text = self.analysis.text
        how = ", ".join(dict.fromkeys(one.operation for one in candidates))
        return Version(apply_edits(text, edits), how, changed_words(text, edits))
