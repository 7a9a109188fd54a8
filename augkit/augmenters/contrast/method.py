"""Contrast sets: insert a shortcut into a pair whose right label differs from what it suggests.

Friedman, Wettig and Chen (2022), *Finding Dataset Shortcuts with Grammar Induction*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.contrast.edits import (
    CaptionPair,
    Contrast,
    ContrastWords,
    adjective_contrasts,
    antonym_contrasts,
    bundled_words,
    control_contrasts,
    hypernym_contrasts,
    words_of_grammar,
)
from augkit.augmenters.fields import not_a_pair
from augkit.core.analysis import Analysis
from augkit.core.characters import other_spelling
from augkit.core.config import MethodConfig
from augkit.core.types import Example, Variant, refused
from augkit.lexicons.label_meanings import names_no_relation

EditKind = Literal["hypernym", "antonym", "adjective", "control"]
_CONTROL_SET = 5
_LABELS = ("entailment", "neutral", "contradiction")
_EDITS: Mapping[EditKind, Callable[[CaptionPair, ContrastWords], Iterator[Contrast]]] = {
    "hypernym": hypernym_contrasts,
    "antonym": antonym_contrasts,
    "adjective": adjective_contrasts,
    "control": control_contrasts,
}


class ContrastConfig(MethodConfig):
    """Which edits, and with which words."""

    edits: tuple[EditKind, ...] = Field(
        ("hypernym", "antonym", "adjective"),
        min_length=1,
        description="hypernym, antonym, adjective, or control: four controls and a test",
    )
    features: Path | None = Field(
        None, description="features.jsonl of a grammar, whose words are inserted; default: bundled"
    )
    labels: dict[str, str] = Field(
        {name: name for name in _LABELS},
        description="what the dataset calls entailment, neutral and contradiction",
    )

    @property
    def variants_per_copy(self) -> int:
        """One of each edit, and a whole control set."""
        return sum(_CONTROL_SET if kind == "control" else 1 for kind in self.edits)

    @field_validator("labels")
    @classmethod
    def _three(cls, labels: dict[str, str]) -> dict[str, str]:
        if set(labels) != set(_LABELS) or len(set(labels.values())) != 3:
            raise ValueError(f"give three different names, for {', '.join(_LABELS)}")
        return labels


class ContrastSets(Augmenter[ContrastConfig]):
    """Insert hypernyms, antonyms or adjectives into NLI pairs where they do not decide the label.

    Each variant's ``about`` names the edit and the label that the shortcut suggests: a classifier
    that predicts it relies on the shortcut. With ``copies`` above 1 a row has several variants of
    an edit, a contrast set.
    """

    name = "contrast"
    Config = ContrastConfig
    traits = Traits(english="rows")
    labels_needed = 2

    def data_fault(self, fields: Sequence[str], labels: Sequence[str]) -> str:
        """Where rows are no pairs, or have none of the three labels."""
        if fault := not_a_pair(self.name, fields):
            return fault
        if same := other_spelling(self._meanings, labels):
            return f"labels: {same}"
        if not self._meanings.keys().isdisjoint(labels):
            return ""
        remedy = "--set 'labels={entailment: LABEL, neutral: LABEL, contradiction: LABEL}'"
        return names_no_relation(self.name, labels, remedy)

    @cached_property
    def _words(self) -> ContrastWords:
        if self.config.features is None:
            return bundled_words()
        return words_of_grammar(self.config.features, self.config.labels)

    @cached_property
    def _meanings(self) -> Mapping[str, str]:
        return {label: meaning for meaning, label in self.config.labels.items()}

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Up to ``copies`` drafts per edit of every pair that an edit fits."""
        fit = [row for row in batch if not self._rejection_reason(row)]
        texts = [text for row in fit for text in row.fields.values()]
        parsed = iter(self.parser.parse(texts))
        analyses = {row.id: (next(parsed), next(parsed)) for row in fit}
        for row in batch:
            reason = self._rejection_reason(row)
            if reason:
                yield refused(row, reason, method=self.name)
            else:
                yield from self._drafts(row, *analyses[row.id])

    def _rejection_reason(self, row: Example) -> str:
        if len(row.fields) != 2:
            return "not a pair"
        return "" if row.label in self._meanings else "not an NLI label"

    def _drafts(self, row: Example, premise: Analysis, hypothesis: Analysis) -> Iterator[Variant]:
        pair = CaptionPair(row.fields, premise, hypothesis, self._meanings[str(row.label)])
        number = 0
        for kind in self.config.edits:
            for contrast in self._chosen(row, kind, pair):
                label = self.config.labels[contrast.label]
                suggests = self.config.labels[contrast.suggests]
                yield Variant(
                    row,
                    contrast.fields,
                    label,
                    contract="kept" if label == row.label else "flipped",
                    copy=number,
                    edits=contrast.edits,
                    about={"edit": kind, "role": contrast.role, "suggests": suggests},
                )
                number += 1
        if not number:
            yield refused(row, "no edit applies", method=self.name)

    def _chosen(self, row: Example, kind: EditKind, pair: CaptionPair) -> list[Contrast]:
        """A random sample of all possible edits; of controls, one whole set."""
        if not (pair.premise.sentences and pair.hypothesis.sentences):
            return []
        contrasts = list(_EDITS[kind](pair, self._words))
        size, wanted = (_CONTROL_SET, 1) if kind == "control" else (1, self.config.copies)
        sets = [contrasts[start : start + size] for start in range(0, len(contrasts), size)]
        self.random(row).shuffle(sets)
        return [contrast for group in sets[:wanted] for contrast in group]
