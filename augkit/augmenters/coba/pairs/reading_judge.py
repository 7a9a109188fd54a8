"""The offline judge of pairs: what their words say of one another, read anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.augmenters.coba.pairs.scene import Scene
from augkit.augmenters.coba.pairs.verdict import carries
from augkit.augmenters.coba.reading import Reader
from augkit.augmenters.judge import Verdict
from augkit.augmenters.relations import relation_of
from augkit.core.types import Example


@dataclass(frozen=True)
class ReadingJudge:
    """Says 1 where nothing in the words of a pair speaks against its label, otherwise 0."""

    reader: Reader

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """A verdict per variant."""
        _ = parents
        return [Verdict(float(self._carries(variant))) for variant in variants]

    def _carries(self, variant: Example) -> bool:
        relation = relation_of(variant.label)
        if relation is None or len(variant.fields) != 2:
            return False
        first, second = variant.fields
        premise, hypothesis = self.reader.read(list(variant.fields.values()))
        return carries(Scene(first, second, premise, hypothesis), relation, "")
