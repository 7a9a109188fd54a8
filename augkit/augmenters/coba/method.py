"""CoBA: flip the label at the triples that carry it, and leave the shortcuts where they are.

Jin et al. (2025), *CoBA: Counterbias Text Augmentation for Mitigating Various Spurious
Correlations via Semantic Triples*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.augmenters.base import Augmenter
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.learnt import Learnt
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

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Refusal]:
        """Drafts of single texts and of pairs, each by its own proposer."""
        for parent in batch:
            yield Refusal(parent, "not written yet")
