"""Contrast sets: put a shortcut into a pair whose right label is another one than it suggests.

Friedman, Wettig and Chen (2022), *Finding Dataset Shortcuts with Grammar Induction*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from augkit.augmenters.base import Augmenter
from augkit.augmenters.contrast.candidates import (
    Candidates,
    bundled_candidates,
    found_candidates,
)
from augkit.augmenters.contrast.edits import (
    Contrast,
    Scene,
    adjectives,
    antonyms,
    controls,
    hypernyms,
)
from augkit.core.analysis import Analysis
from augkit.core.config import MethodConfig
from augkit.core.types import Draft, Example, Rejection
from augkit.language.parser import SpacyParser

Kind = Literal["hypernym", "antonym", "adjective", "control"]
_CONTROL_SET = 5
_LABELS = ("entailment", "neutral", "contradiction")
_EDITS: Mapping[Kind, Callable[[Scene, Candidates], Iterator[Contrast]]] = {
    "hypernym": hypernyms,
    "antonym": antonyms,
    "adjective": adjectives,
    "control": controls,
}


class ContrastConfig(MethodConfig):
    """Which edits are made, and with which words."""

    edits: tuple[Kind, ...] = Field(
        ("hypernym", "antonym", "adjective"),
        min_length=1,
        description="hypernym, antonym, adjective, or control: four controls and a test a set",
    )
    features: Path | None = Field(
        None, description="features.jsonl of a grammar, whose words are put in; default: bundled"
    )
    labels: dict[str, str] = Field(
        {name: name for name in _LABELS},
        description="what the dataset calls entailment, neutral and contradiction",
    )

    @field_validator("labels")
    @classmethod
    def _three(cls, labels: dict[str, str]) -> dict[str, str]:
        if set(labels) != set(_LABELS) or len(set(labels.values())) != 3:
            raise ValueError(f"give three different names, for {', '.join(_LABELS)}")
        return labels


class ContrastSets(Augmenter[ContrastConfig]):
    """Put hypernyms, antonyms or adjectives into NLI pairs where they should not decide the label.

    Each variant's ``about`` names the edit and the label that the shortcut suggests: a classifier
    that gives that label has leant on it. With ``copies`` above 1 a row has several variants of an
    edit, a contrast set.
    """

    name = "contrast"
    Config = ContrastConfig
    labels_needed = 2

    @cached_property
    def _candidates(self) -> Candidates:
        if self.config.features is None:
            return bundled_candidates()
        return found_candidates(self.config.features, self.config.labels)

    @cached_property
    def _meanings(self) -> Mapping[str, str]:
        return {said: meant for meant, said in self.config.labels.items()}

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Up to ``copies`` drafts per edit of every pair that an edit fits."""
        fit = [row for row in batch if not self._unfit(row)]
        texts = [text for row in fit for text in row.fields.values()]
        parsed = iter(SpacyParser().parse(texts))
        analyses = {row.id: (next(parsed), next(parsed)) for row in fit}
        for row in batch:
            reason = self._unfit(row)
            if reason:
                yield Rejection(row, reason, method=self.name)
            else:
                yield from self._drafts(row, *analyses[row.id])

    def _unfit(self, row: Example) -> str:
        if len(row.fields) != 2:
            return "not a pair"
        return "" if row.label in self._meanings else "not an NLI label"

    def _drafts(
        self, row: Example, premise: Analysis, hypothesis: Analysis
    ) -> Iterator[Draft | Rejection]:
        scene = Scene(row.fields, premise, hypothesis, self._meanings[str(row.label)])
        number = 0
        for kind in self.config.edits:
            for contrast in self._chosen(row, kind, scene):
                yield self._draft(row, kind, contrast, number)
                number += 1
        if not number:
            yield Rejection(row, "no place for an edit", method=self.name)

    def _chosen(self, row: Example, kind: Kind, scene: Scene) -> list[Contrast]:
        """Some of all possible edits, drawn by the row's generator; of controls, one whole set."""
        if not (scene.premise.sentences and scene.hypothesis.sentences):
            return []
        found = list(_EDITS[kind](scene, self._candidates))
        size, wanted = (_CONTROL_SET, 1) if kind == "control" else (1, self.config.copies)
        sets = [found[start : start + size] for start in range(0, len(found), size)]
        self.random(row).shuffle(sets)
        return [contrast for some in sets[:wanted] for contrast in some]

    def _draft(self, row: Example, kind: Kind, contrast: Contrast, number: int) -> Draft:
        label = self.config.labels[contrast.label]
        suggests = self.config.labels[contrast.suggests]
        return Draft(
            row,
            contrast.fields,
            label,
            contract="kept" if label == row.label else "flipped",
            copy=number,
            edits=contrast.edits,
            about={"edit": kind, "role": contrast.role, "suggests": suggests},
        )
