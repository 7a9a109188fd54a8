"""CoBA: flip the label at the triples that carry it, and leave the shortcuts where they are.

Jin et al. (2025), *CoBA: Counterbias Text Augmentation for Mitigating Various Spurious
Correlations via Semantic Triples*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from augkit.augmenters.base import Augmenter
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.learn import learn
from augkit.augmenters.coba.learnt import Learnt
from augkit.augmenters.coba.proposers import Proposer, for_pairs, for_texts
from augkit.augmenters.coba.talking.proposer import TalkingProposer
from augkit.core.types import Draft, Example, Rejection


class Coba(Augmenter[CobaConfig]):
    """Rewrite what decides the label so that another one holds; keep what only goes with it."""

    name = "coba"
    Config = CobaConfig
    labels_needed = 2
    learns = Learnt

    def prepare(self, examples: Sequence[Example]) -> Learnt:
        """Train the ensemble and the judge on the whole corpus."""
        return learn(examples, self.config)

    def prefetch(self, examples: Sequence[Example]) -> None:
        """Find the words of single texts for many at a time, where a model does the rest."""
        if isinstance(self._texts, TalkingProposer):
            fit = [p for p in examples if not (self.fault_of(p) or self._unfit(p))]
            self._texts.prefetch([parent for parent in fit if len(parent.fields) == 1])

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Drafts of single texts and of pairs, each by its own proposer."""
        known: list[Example] = []
        for parent in batch:
            reason = self._unfit(parent)
            if reason is None:
                known.append(parent)
            else:
                yield reason
        texts = [parent for parent in known if len(parent.fields) == 1]
        pairs = [parent for parent in known if len(parent.fields) == 2]
        if texts and self._texts is not None:
            yield from self._texts.propose(texts)
        if pairs:
            yield from self._pairs.propose(pairs)

    def _unfit(self, parent: Example) -> Rejection | None:
        labels = self.artifact.labels
        if parent.label is None:
            return Rejection(parent, "no label")
        if parent.label not in labels:
            return Rejection(
                parent, "unknown label", f"{parent.label}: not one of {', '.join(labels)}"
            )
        if len(parent.fields) > 2:
            return Rejection(parent, "more than two texts")
        learnt = len(parent.fields) == 2 or self._texts is not None
        return None if learnt else Rejection(parent, "single texts are not learnt")

    @cached_property
    def _texts(self) -> Proposer | None:
        learnt = self.artifact.texts
        return None if learnt is None else for_texts(self.config, self.tools, learnt, self.random)

    @cached_property
    def _pairs(self) -> Proposer:
        return for_pairs(self.config, self.tools, self.artifact.labels, self.random)
