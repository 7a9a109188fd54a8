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
from augkit.augmenters.coba.reading import Reader
from augkit.augmenters.coba.texts import TextProposer
from augkit.augmenters.coba.who import steps_for
from augkit.data import Draft, Example, Refusal


class Coba(Augmenter[CobaConfig]):
    """Rewrite what decides the label so that another one holds; keep what only goes with it."""

    name = "coba"
    Config = CobaConfig
    labels_needed = 2
    learns = Learnt

    @classmethod
    def needed_tools(cls, config: CobaConfig) -> frozenset[str]:
        """An LLM, where one of the steps is asked to use it."""
        asked = {config.identify, config.decompose_by, config.edit_by, config.reconstruct_by}
        return frozenset({"llm"}) if "llm" in asked else cls.needs

    def prepare(self, examples: Sequence[Example]) -> Learnt:
        """Train the ensemble and the judge on the whole corpus."""
        return learn(examples, self.config)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Refusal]:
        """Drafts of single texts and of pairs, each by its own proposer."""
        known: list[Example] = []
        for parent in batch:
            reason = self._unfit(parent)
            if reason is None:
                known.append(parent)
            else:
                yield reason
        if known and self._texts is not None:
            yield from self._texts.propose(known)

    def _unfit(self, parent: Example) -> Refusal | None:
        labels = self.artifact.labels
        if parent.label is None:
            return Refusal(parent, "no label")
        if parent.label not in labels:
            return Refusal(
                parent, "unknown label", f"{parent.label}: not one of {', '.join(labels)}"
            )
        if len(parent.fields) > 1:
            return Refusal(parent, "pairs are not learnt")
        return None if self._texts is not None else Refusal(parent, "single texts are not learnt")

    @cached_property
    def _texts(self) -> TextProposer | None:
        learnt = self.artifact.texts
        if learnt is None:
            return None
        reader = Reader()
        steps = steps_for(self.config, self.tools, learnt, reader)
        labels = tuple(learnt.sides) or learnt.ensemble.labels
        return TextProposer(self.config, steps, labels, reader, self.random)
