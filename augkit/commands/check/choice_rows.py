"""The choices of a dataset: what is compared within each item, and where each item is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from augkit.commands.check.rows import Location, locate
from augkit.core.errors import DataError
from augkit.datasets.choices.load import ChoiceDataset, load_choices
from augkit.datasets.load import Spec
from augkit.datasets.settings import ReadOptions
from augkit.text.features.item_features import ItemTexts
from augkit.text.same_text import content_digest, words_digest

CANDIDATES = "candidates"


@dataclass(frozen=True)
class CheckedChoices(ItemTexts):
    """The decided choices of a dataset; ties count for nothing."""

    dataset: ChoiceDataset
    indices: list[int]
    """The index of each choice in the dataset."""
    left_out: int

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
    dataset = load_choices(spec, options, group_column=group_column, allow_empty=True)
    indices = [number for number, choice in enumerate(dataset.choices) if choice.decided]
    if not indices:
        raise DataError(f"{dataset.source}: no row has a winner and a loser: nothing to compare")
    choices = [dataset.choices[index] for index in indices]
    left_out = len(dataset.choices) - len(indices)
    return CheckedChoices(choices, dataset.shape.places_matter, dataset, indices, left_out)
