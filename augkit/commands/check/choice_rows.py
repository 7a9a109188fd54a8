"""The choices of a dataset: what is compared within each item, and where each item is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from augkit.commands.check.rows import Location, locate
from augkit.core.errors import DataError
from augkit.datasets.choices.load import ChoiceSource, open_choices
from augkit.datasets.load import Spec
from augkit.datasets.settings import ReadOptions
from augkit.text.features.item_features import ItemTexts
from augkit.text.same_text import content_digest, words_digest

CANDIDATES = "candidates"


@dataclass(frozen=True)
class CheckedChoices(ItemTexts):
    """The decided choices of a dataset; ties count for nothing."""

    dataset: ChoiceSource
    indices: list[int]
    """The index of each choice in the dataset."""
    left_out: int
    unit = "item"

    def __len__(self) -> int:
        """The choices that are decided."""
        return len(self.choices)

    @property
    def source(self) -> str:
        """Where they come from."""
        return self.dataset.source

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the texts."""
        return tuple(self.texts)

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """The prompts, and the candidates of each item as one text."""
        joined = ["\n".join(choice.candidates) for choice in self.choices]
        return {"prompt": [choice.prompt for choice in self.choices], CANDIDATES: joined}

    @cached_property
    def labels(self) -> list[str]:
        """Names the texts that won, for each item."""
        return [
            content_digest(choice.candidates[place] for place in choice.winners)
            for choice in self.choices
        ]

    @cached_property
    def keys(self) -> list[str]:
        """Names the prompt and the candidates of each item, whatever their order."""
        return [
            content_digest([choice.prompt, *sorted(choice.candidates)]) for choice in self.choices
        ]

    @cached_property
    def word_keys(self) -> list[str]:
        """Names the words of each item, whatever the punctuation and digits."""
        return [
            words_digest([choice.prompt, *sorted(choice.candidates)]) for choice in self.choices
        ]

    @cached_property
    def compared(self) -> tuple[CheckedChoices, Sequence[int]]:
        """What is tested, and the item of each: those with scores as pairs of unequal scores.

        So every rank counts and not the highest alone. The pairs of an item are one unit.
        """
        if not any(choice.scores and len(choice.candidates) > 2 for choice in self.choices):
            return self, range(len(self))
        pairs, origins = [], []
        for number, (choice, unit) in enumerate(zip(self.choices, self.units, strict=True)):
            for pair in choice.pairs():
                pairs.append(replace(pair, group=unit))
                origins.append(number)
        indices = [self.indices[number] for number in origins]
        return replace(self, choices=pairs, indices=indices), origins

    @property
    def about(self) -> dict[str, Any]:
        """Counts, for the report."""
        sizes = Counter(len(choice.candidates) for choice in self.choices)
        return {
            "rows": len(self),
            "left_out": self.left_out,
            "candidates": {str(size): count for size, count in sorted(sizes.items())},
        }

    def locations(self, numbers: Iterable[int]) -> dict[int, Location]:
        """Where these items are in their files."""
        return locate(self.dataset.blocks(), self.indices, numbers)


def load_checked_choices(
    spec: Spec, options: ReadOptions, group_column: str | None
) -> CheckedChoices:
    """Read choices; those without a winner are left out, and empty candidates are read."""
    source = open_choices(spec, options)
    choices, indices, number = [], [], -1
    for number, choice in enumerate(
        source.read(group_column, allow_empty=True, keep_columns=False)
    ):
        if choice.decided:
            choices.append(choice)
            indices.append(number)
    if not indices:
        raise DataError(f"{source.source}: no row has a winner and a loser: nothing to compare")
    left_out = number + 1 - len(indices)
    return CheckedChoices(choices, source.shape.places_matter, source, indices, left_out)
