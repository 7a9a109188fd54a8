"""Mask the words that give a label away: a complete augkit plug-in."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field
from typing_extensions import Self

from augkit.augmenters.base import Augmenter
from augkit.core.config import MethodConfig
from augkit.core.edits import Edit, apply
from augkit.core.types import Example, Variant, refused
from augkit.text.tokens import plain_word_spans, words


class ShortcutMaskConfig(MethodConfig):
    """Which words count as giveaways, and what becomes of them."""

    z: float = Field(2.0, gt=0, description="deviations from chance that make a giveaway")
    min_count: int = Field(3, ge=1, description="texts that must hold a word before it counts")
    most: int = Field(2, ge=1, description="words changed per field, the strongest first")
    action: Literal["mask", "delete"] = Field("mask", description="what becomes of a giveaway")
    placeholder: str = Field("something", min_length=1, description="what stands for it")


@dataclass(frozen=True)
class Giveaways:
    """What is fitted: label → word → z, kept as a JSON file."""

    strengths: Mapping[str, Mapping[str, float]]

    def save(self, folder: Path) -> None:
        """Write it into an empty folder."""
        text = json.dumps(self.strengths, ensure_ascii=True, sort_keys=True)
        (folder / "giveaways.json").write_text(text, encoding="ascii")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        return cls(json.loads((folder / "giveaways.json").read_text(encoding="ascii")))


class ShortcutMask(Augmenter[ShortcutMaskConfig]):
    """Replace or delete the words that most give away an example's own label; keep the label."""

    name = "shortcut-mask"
    Config = ShortcutMaskConfig
    labels_needed = 2
    learns = Giveaways

    def prepare(self, examples: Sequence[Example]) -> Giveaways:
        """Count in how many texts of each label every word is, and keep what is no chance."""
        labels = Counter(row.label for row in examples if row.label is not None)
        seen = {label: Counter[str]() for label in labels}
        for row in examples:
            if row.label is not None:
                seen[row.label].update(vocabulary(row))
        total = sum(seen.values(), Counter[str]())
        rows = labels.total()
        strengths: dict[str, dict[str, float]] = {}
        for label, counts in seen.items():
            scores = {
                word: z_score(count, total[word], labels[label] / rows)
                for word, count in counts.items()
                if total[word] >= self.config.min_count
            }
            strengths[label] = {word: z for word, z in scores.items() if z >= self.config.z}
        return Giveaways(strengths)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """One draft per example that holds a giveaway of its own label."""
        for parent in batch:
            if parent.label is None:
                yield refused(parent, "no label")
                continue
            strengths = self.artifact.strengths.get(parent.label, {})
            edits = tuple(
                edit
                for name, text in parent.fields.items()
                for edit in self._edits(name, text, strengths)
            )
            if edits:
                yield Variant(parent, apply(parent.fields, edits), parent.label, edits=edits)
            else:
                yield refused(parent, "no giveaway word")

    def _edits(self, name: str, text: str, strengths: Mapping[str, float]) -> Iterable[Edit]:
        found = [
            (start, end)
            for start, end in plain_word_spans(text)
            if text[start:end].casefold() in strengths
        ]
        found.sort(key=lambda span: -strengths[text[span[0] : span[1]].casefold()])
        for start, end in sorted(found[: self.config.most]):
            yield self._edit(name, text, start, end)

    def _edit(self, name: str, text: str, start: int, end: int) -> Edit:
        if self.config.action == "mask":
            return Edit(name, start, end, text[start:end], self.config.placeholder)
        # A deleted word takes the space before it along.
        start -= text[start - 1 : start].isspace()
        return Edit(name, start, end, text[start:end], "")


def vocabulary(row: Example) -> set[str]:
    """The words of an example, each once."""
    return {word.casefold() for text in row.fields.values() for word in words(text)}


def z_score(count: int, n: int, p: float) -> float:
    """How many standard deviations ``count`` of ``n`` is above the share ``p``.

    >>> z_score(count=4, n=4, p=0.5)
    2.0
    """
    deviation = math.sqrt(p * (1 - p) / n)
    return (count / n - p) / deviation if deviation else 0.0
