"""Offline rewriting: candidates by rules for every row, verified by the out-of-fold judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress
from random import Random

from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.loop import RowTargets
from augkit.augmenters.razor.rewrites import checked_rewrites, rewritten
from augkit.augmenters.razor.scorers import ScoredCorpus
from augkit.augmenters.razor.verify import verify
from augkit.core.analysis import Analysis
from augkit.core.protocols import Parser
from augkit.core.types import Example, Variant, refused
from augkit.english.rewriting.candidates import Promise
from augkit.english.rewriting.cues import loses_cues
from augkit.english.rewriting.fluency import is_more_fluent
from augkit.english.rewriting.rewrite import Search, Version
from augkit.english.rewriting.targets import TextTarget, is_evidence
from augkit.labels.judge import EnsembleJudge

_MOST_CANDIDATES = 80
_MOST_NAMED = 10
"""Giveaways that the detail of a rejection names: the strongest."""
_NO_TARGET = "the shortcut carries the meaning"
_NO_CUT = "the sentence needs the cue"


@dataclass(frozen=True)
class RuleRewriter:
    """Rules rewrite; the out-of-fold judge, where there is one, verifies."""

    rows: Sequence[Example]
    config: RazorConfig
    judge: EnsembleJudge | None
    rng: Callable[[Example], Random]
    parser: Parser
    targets: Mapping[int, RowTargets] | None = None
    """The targets of a finder, by row; None: the giveaways of the corpus as it is now."""

    def __call__(
        self, indices: Sequence[int], corpus: ScoredCorpus, avoid: Sequence[Sequence[str]]
    ) -> list[list[Variant]]:
        """Verified candidates for the rows with these indices."""
        del avoid  # each row has targets of its own
        targets = [self._targets(index, corpus) for index in indices]
        searches = [
            Search(
                analysis, row_targets, self._promises(index), self.rng(self.rows[index]), corpus.use
            )
            for index, row_targets, analysis in zip(
                indices, targets, self._analyses(indices, corpus, targets), strict=True
            )
        ]
        candidates = [
            self._candidates(index, search) for index, search in zip(indices, searches, strict=True)
        ]
        if self.config.cues:
            self._add_bare(indices, searches, candidates)
        else:
            self._add_shorter(indices, searches, candidates)
        field = self.config.field
        limited = [
            checked_rewrites(of_row, field, search.analysis.text)[:_MOST_CANDIDATES]
            for of_row, search in zip(candidates, searches, strict=True)
        ]
        if self.judge is not None and self.config.verify:
            judge = replace(self.judge, tolerance=self.config.tolerance)
            fields = set(judge.ensemble.models[0][0].fields)
            flat = list(chain.from_iterable(limited))
            verified = iter(verify(judge, flat, lambda variant: set(variant.fields) == fields))
            limited = [[next(verified) for _ in of_row] for of_row in limited]
        return [
            of_row or [self._no_rewrite(index, corpus, search)]
            for index, of_row, search in zip(indices, limited, searches, strict=True)
        ]

    def _candidates(self, index: int, search: Search) -> list[Variant]:
        """Texts that rules make; with cues only those that have lost every cue as a whole."""
        if not self.config.cues:
            return [self._variant(index, version) for version in search.versions()]
        before = search.analysis.text
        return [
            self._variant(index, version)
            for version in search.versions_without()
            if loses_cues(before, version.text, self.config.cues)
        ]

    def _add_bare(
        self,
        indices: Sequence[int],
        searches: Sequence[Search],
        candidates: Sequence[list[Variant]],
    ) -> None:
        """Where nothing else helps, texts without the cue that are more fluent than they were."""
        waiting = [
            (number, version)
            for number, search in enumerate(searches)
            if not candidates[number]
            for version in search.bare_versions()
            if loses_cues(search.analysis.text, version.text, self.config.cues)
        ]
        self._add_more_fluent(indices, searches, candidates, waiting)

    def _variant(self, index: int, version: Version) -> Variant:
        row = self.rows[index]
        field = self.config.field
        return rewritten(row, field, version.text, version.operations, version.change)

    def _no_rewrite(self, index: int, corpus: ScoredCorpus, search: Search) -> Variant:
        """No candidate; the detail has the giveaways."""
        if self.targets is None:
            words = [giveaway.feature for giveaway in corpus.giveaways(index)]
        else:
            text = corpus.texts[index]
            words = [text[slice(*place.spans[0])] for place in self.targets[index].places]
        detail = ", ".join(list(dict.fromkeys(words))[:_MOST_NAMED])
        reason = "no rewrite" if search.targets else _NO_TARGET
        if self.config.cues:
            reason = _NO_CUT
        return refused(self.rows[index], reason, detail)

    def _targets(self, index: int, corpus: ScoredCorpus) -> Sequence[TextTarget]:
        if self.targets is None:
            return corpus.targets(index)
        text = corpus.texts[index]
        if self.config.cues:
            return self.targets[index].places
        return [
            place
            for place in self.targets[index].places
            if not is_evidence(text[slice(*place.spans[0])].lower())
        ]

    def _analyses(
        self, indices: Sequence[int], corpus: ScoredCorpus, targets: Sequence[Sequence[TextTarget]]
    ) -> list[Analysis]:
        """The parsed texts; one whose targets are no words is not parsed and has no tokens."""
        texts = [corpus.texts[index] for index in indices]
        needed = [
            len(self.rows[index].fields) > 1 or any(not target.mark for target in row_targets)
            for index, row_targets in zip(indices, targets, strict=True)
        ]
        parsed = iter(self.parser.parse(list(compress(texts, needed))))
        return [
            next(parsed) if is_needed else Analysis(text, ())
            for text, is_needed in zip(texts, needed, strict=True)
        ]

    def _promises(self, index: int) -> frozenset[Promise]:
        return self.config.promises(self.rows[index])

    def _add_shorter(
        self,
        indices: Sequence[int],
        searches: Sequence[Search],
        candidates: Sequence[list[Variant]],
    ) -> None:
        """Texts without optional words, if their neighbours meet or the text is more fluent."""
        waiting: list[tuple[int, Version]] = []
        for number, search in enumerate(searches):
            for shorter in search.shorter_versions():
                if shorter.meet:
                    candidates[number].append(self._variant(indices[number], shorter.version))
                else:
                    waiting.append((number, shorter.version))
        self._add_more_fluent(indices, searches, candidates, waiting)

    def _add_more_fluent(
        self,
        indices: Sequence[int],
        searches: Sequence[Search],
        candidates: Sequence[list[Variant]],
        waiting: Sequence[tuple[int, Version]],
    ) -> None:
        """Those of the numbered versions that a second parse finds more fluent than the text."""
        analyses = self.parser.parse([version.text for _, version in waiting])
        for (number, version), analysis in zip(waiting, analyses, strict=True):
            if is_more_fluent(searches[number].analysis, analysis):
                candidates[number].append(self._variant(indices[number], version))
