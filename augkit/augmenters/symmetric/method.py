"""Symmetric pairs: a value that decides between true and false is exchanged in either text.

"It opened in 1979" is true beside a text that says 1979, and false beside one that says 1983; so is
"It opened in 1983" the other way round. Each second text then has both labels and gives none away.

Reference: schuster2019towards, where people wrote such pairs as a test set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from augkit.augmenters.base import Augmenter
from augkit.core.config import MethodConfig
from augkit.core.json_files import JsonArtifact
from augkit.core.protocols import Artifact
from augkit.core.types import Draft, Example, Rejection
from augkit.english.rewriting.pairs.symmetric import MOST_VALUES, symmetric_pairs
from augkit.english.rewriting.pairs.values import may_have_value
from augkit.lexicons.label_meanings import labels_of

_NO_VALUE = "no value decides the label"


class SymmetricConfig(MethodConfig):
    """How many values of a pair are changed."""

    values: int = Field(
        MOST_VALUES, ge=1, le=9, description="values of a pair that are changed, three pairs each"
    )

    @property
    def variants_per_copy(self) -> int:
        """Three pairs for each value."""
        return 3 * self.values


@dataclass(frozen=True)
class TrueAndFalse(JsonArtifact):
    """The labels of pairs whose second text the first makes true or false; "" where there is none.

    >>> TrueAndFalse.of(["SUPPORTS", "REFUTES"])
    TrueAndFalse(true='SUPPORTS', false='REFUTES')
    """

    file = "labels.json"
    true: str
    false: str

    @classmethod
    def of(cls, labels: Sequence[str]) -> TrueAndFalse:
        """The labels by their names."""
        meanings = labels_of(labels)
        return cls(meanings.get("entailment", ""), meanings.get("contradiction", ""))


class Symmetric(Augmenter[SymmetricConfig]):
    """Make three pairs of one that a date, number, rank, nationality or maker makes true or false.

    Another value in the second text or in the first flips the label; in both, the label is kept.
    """

    name = "symmetric"
    Config = SymmetricConfig
    english_only = True
    labels_needed = 2
    learns = TrueAndFalse

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Find the labels that mean true and false."""
        return TrueAndFalse.of(sorted({row.label for row in examples if row.label is not None}))

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Three drafts for each value that decides the label of a pair."""
        labels: TrueAndFalse = self.artifact
        other_label = {labels.true: labels.false, labels.false: labels.true}
        pairs: list[Example] = []
        for row in batch:
            if len(row.fields) != 2:
                yield Rejection(row, "not a pair of texts")
            elif not labels.true or not labels.false or row.label not in other_label:
                yield Rejection(row, "its label is neither true nor false", str(row.label))
            elif not may_have_value(_second(row)):
                yield Rejection(row, _NO_VALUE)
            else:
                pairs.append(row)
        for row, analysis in zip(pairs, self.parser.parse(list(map(_second, pairs))), strict=True):
            first, is_true = next(iter(row.fields.values())), row.label == labels.true
            copy = -1
            variants = symmetric_pairs(
                first, analysis, true=is_true, rng=self.random(row), most=self.config.values
            )
            for copy, variant in enumerate(variants):
                fields = dict(zip(row.fields, variant[:2], strict=True))
                if variant.keeps_label:
                    yield Draft(row, fields, row.label, copy=copy)
                else:
                    yield Draft(row, fields, other_label[str(row.label)], "flipped", copy)
            if copy < 0:
                yield Rejection(row, _NO_VALUE)


def _second(row: Example) -> str:
    return list(row.fields.values())[-1]
