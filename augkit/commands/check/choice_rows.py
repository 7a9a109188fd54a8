"""The choices of a dataset: what is compared within each item, and where each item is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from augkit.commands.check.rows import Location, locate
from augkit.core.choices import Choice
from augkit.core.errors import DataError
from augkit.datasets.choices.load import ChoiceDataset, load_choices
from augkit.datasets.load import Spec
from augkit.datasets.settings import ReadOptions
from augkit.text.features.document_counts import LabelledTexts
from augkit.text.features.within_items import Items
from augkit.text.same_text import content_digest, words_digest

CANDIDATES = "candidates"


@dataclass(frozen=True)
class CheckedChoices:
    """The decided choices of a dataset; ties count for nothing."""

    dataset: ChoiceDataset
    choices: list[Choice]
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

    @cached_property
    def units(self) -> list[str]:
        """What each item belongs to: its group, else its prompt, else its candidates."""
        return [
            choice.group
            or content_digest([choice.prompt] if choice.prompt else sorted(choice.candidates))
            for choice in self.choices
        ]

    @cached_property
    def items(self) -> Items:
        """All candidates, one item after another."""
        import numpy as np

        numbers = np.repeat(np.arange(len(self)), [len(c.candidates) for c in self.choices])
        won = [n in c.winners for c in self.choices for n in range(len(c.candidates))]
        known: dict[str, int] = {}
        units = [known.setdefault(unit, len(known)) for unit in self.units]
        return Items(numbers, np.array(won, dtype=bool), np.array(units, dtype=np.int64))

    @cached_property
    def labelled(self) -> LabelledTexts:
        """All candidates as texts that lost (0) or won (1)."""
        import numpy as np

        texts = [text for choice in self.choices for text in choice.candidates]
        won = self.items.won.astype(np.int64)
        return LabelledTexts(texts, won, np.bincount(won, minlength=2))

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
    return CheckedChoices(dataset, choices, indices, len(dataset.choices) - len(indices))
