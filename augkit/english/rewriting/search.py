"""The candidates of one text: every operation for every target, and those of all targets together.

>>> from augkit.english.parser import SpacyParser
>>> text = "Honestly, the film is dull."
>>> (analysis,) = SpacyParser().parse([text])
>>> search = Search(analysis, [TextTarget((Span(0, 8),))], frozenset({"same"}), Random(0))
>>> [one.text for one in search.versions()]
['The film is dull.', 'Frankly, the film is dull.']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from random import Random
from typing import NamedTuple

from augkit.core.analysis import Analysis
from augkit.core.edits import Replacement, Span, overlap
from augkit.english.rewriting.candidates import (
    Promise,
    RewriteCandidate,
    apply_edits,
    changed_words,
)
from augkit.english.rewriting.operations import (
    mark_candidates,
    optional_candidates,
    place_candidates,
    word_candidates,
)
from augkit.english.rewriting.optional import CorpusUse, as_phrase, words_beside
from augkit.english.rewriting.targets import TextTarget
from augkit.lexicons.load import closed_classes
from augkit.text.spacing import placeholder_spans

_SAME_KIND = frozenset({"synonym", "hypernym"})
"""Operations whose words have senses, one of which must fit."""
_AS_COMMON = 0.3
"""How many texts must have another word, as a share of those that have the one it replaces."""


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
        by_target = [list(filter(self._keeps, self._candidates(one))) for one in self.targets]
        found = [self._version([one]) for one in chain.from_iterable(by_target)]
        together: list[RewriteCandidate] = []
        taken: list[Replacement] = []
        for some in by_target:
            if some and not any(overlap(*two) for two in product(some[0].edits, taken)):
                together.append(some[0])
                taken += some[0].edits
        return [*([self._version(together)] if len(together) > 1 else []), *found]

    def shorter_versions(self) -> Iterator[ShorterVersion]:
        """The text without targets that the corpus can do without and no rule leaves out."""
        text, use = self.analysis.text, self.use
        if use is None:
            return
        for target in self.targets:
            optional = all(as_phrase(text[a:b]) in use.optional for a, b in target.spans)
            if not target.mark and optional and target not in self._left_out:
                found = optional_candidates(self.analysis, target.spans, self.allowed)
                for one in filter(self._keeps, found):
                    known = [use.meet(*words_beside(text, *edit[:2])) for edit in one.edits]
                    yield ShorterVersion(self._version([one]), all(known))

    def _keeps(self, candidate: RewriteCandidate) -> bool:
        """Whether no edit touches a placeholder: nobody knows what stood there."""
        held = [Span(*place) for place in placeholder_spans(self.analysis.text)]
        return not any(overlap(*two) for two in product(candidate.edits, held))

    def _fits(self, candidate: RewriteCandidate) -> bool:
        """Whether another word stands in the text as it does in the corpus.

        It must be about as common, for a rare one often has another sense; and it must meet each
        neighbour that is no function word, and one of the two. A name or a number fits everywhere.
        """
        use, text = self.use, self.analysis.text
        if use is None or candidate.operation not in _SAME_KIND:
            return True
        for start, end, after in candidate.edits:
            word = after.lower()
            if use.frequency(word) < _AS_COMMON * use.frequency(text[start:end].lower()):
                return False
            left, right = words_beside(text, start, end)
            meets = {left: use.meet(left, word), right: use.meet(word, right)}
            needed = [met for one, met in meets.items() if one and one not in closed_classes()]
            if not all(needed) or not any(meets.values()):
                return False
        return True

    def _candidates(self, target: TextTarget) -> Iterator[RewriteCandidate]:
        if target.mark:
            found = mark_candidates(self.analysis.text, target.mark)
            yield from (one for one in found if one.promise in self.allowed)
            return
        words = word_candidates(self.analysis, target.spans, self.allowed, self.rng)
        for one in filter(self._fits, words):
            if one.operation.startswith("leave out"):
                self._left_out.add(target)
            yield one
        if target.movable:
            yield from place_candidates(self.analysis, target.spans[0], self.allowed, self.rng)

    def _version(self, candidates: Sequence[RewriteCandidate]) -> Version:
        edits = sorted(edit for one in candidates for edit in one.edits)
        text = self.analysis.text
        how = ", ".join(dict.fromkeys(one.operation for one in candidates))
        return Version(apply_edits(text, edits), how, changed_words(text, edits))
