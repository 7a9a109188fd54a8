"""The choices of a dataset: what is compared within each item, and where each item is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from augkit.commands.check.rows import RowsOfDataset
from augkit.commands.check.sampling import AllRows, LowestRanks, RowNames, short_name
from augkit.core.choices import Choice
from augkit.core.errors import DataError
from augkit.datasets.choices.load import ChoiceSource, open_choices
from augkit.datasets.load import Spec
from augkit.datasets.settings import ReadOptions
from augkit.text.features.item_features import ItemTexts
from augkit.text.same_text import content_digest, words_digest

CANDIDATES = "candidates"
EQUAL = 1
EMPTY = 2
"""Faults of a choice: a winner with the text of a loser, a candidate without a text."""


@dataclass(frozen=True)
class CheckedChoices(ItemTexts, RowsOfDataset):
    """The decided choices of a dataset; ties count for nothing."""

    dataset: ChoiceSource
    indices: list[int]
    left_out: int
    unit = "item"
    whole: AllRows | None = None

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """The prompts, and the candidates of each item as one text."""
        prompts, candidates = zip(*map(_item_texts, self.choices), strict=True)
        return {"prompt": list(prompts), CANDIDATES: list(candidates)}

    @cached_property
    def labels(self) -> list[str]:
        """Names the texts that won, for each item."""
        return [_outcome(choice) for choice in self.choices]

    @cached_property
    def keys(self) -> list[str]:
        """Names the prompt and the candidates of each item, whatever their order."""
        return [content_digest(_contents(choice)) for choice in self.choices]

    @cached_property
    def word_keys(self) -> list[str]:
        """Names the words of each item, whatever the punctuation."""
        return [words_digest(_contents(choice)) for choice in self.choices]

    def flagged(self, flag: int) -> list[int]:
        """The numbers of the items, held or not, with a fault: ``EQUAL`` or ``EMPTY``."""
        flags = self._flags if self.whole is None else self.whole.flags
        return [number for number, held in enumerate(flags) if held & flag]

    @cached_property
    def _flags(self) -> list[int]:
        return list(map(_flags, self.choices))

    def _read_texts(self) -> Iterator[tuple[str, ...]]:
        for choice in self.dataset.read(None, allow_empty=True, keep_columns=False):
            if choice.decided:
                yield _item_texts(choice)

    @cached_property
    def compared(self) -> tuple[CheckedChoices, Sequence[int]]:
        """What is tested, and the item of each: those with scores as pairs of unequal scores.

        So every rank counts and not the highest alone. The pairs of an item are one unit.
        """
        if not any(choice.scores and len(choice.candidates) > 2 for choice in self.choices):
            return self, range(len(self))
        pairs = []
        origins = []
        for number, (choice, unit) in enumerate(zip(self.choices, self.units, strict=True)):
            for pair in choice.pairs():
                pairs.append(replace(pair, group=unit))
                origins.append(number)
        indices = [self.indices[number] for number in origins]
        return replace(self, choices=pairs, indices=indices), origins

    @property
    def about(self) -> dict[str, Any]:
        """Counts, for the report."""
        sizes = self.whole.counts if self.whole else Counter(map(_size, self.choices))
        return {
            "rows": self.total,
            "left_out": self.left_out,
            "candidates": dict(sorted(sizes.items(), key=lambda pair: int(pair[0]))),
        }


def load_checked_choices(
    spec: Spec,
    options: ReadOptions,
    group_column: str | None,
    *,
    most: int | None = None,
    name_words: bool = False,
) -> CheckedChoices:
    """Read choices; those without a winner are left out, and empty candidates are read.

    Args:
        spec: The dataset.
        options: How it is read.
        group_column: Rows with one value in it belong together.
        most: Of more choices, so many are held, drawn by their number. None: all.
        name_words: Whether the words of choices that are not held are named, for leakage.
    """
    source = open_choices(spec, options)
    rng = Random(0)  # noqa: S311 - a sample, not a secret
    sample = LowestRanks[float, tuple[Choice, int]](most)
    names = RowNames()
    number = -1
    for number, choice in enumerate(
        source.read(group_column, allow_empty=True, keep_columns=False)
    ):
        if not choice.decided:
            continue
        if most is not None:
            key = content_digest(_contents(choice))
            names.add(key, short_name(_outcome(choice)), number, _size(choice))
            names.flags.append(_flags(choice))
            if name_words:
                names.word_keys.append(short_name(words_digest(_contents(choice))))
        sample.add(rng.random(), (choice, number))
    held, numbers = sample.rows()
    if not held:
        raise DataError(f"{source.source}: no row has a winner and a loser: nothing to compare")
    whole = None if most is None else names.all_rows(numbers)
    left_out = number + 1 - (len(held) if whole is None else len(whole))
    choices, indices = map(list, zip(*held, strict=True))
    return CheckedChoices(choices, source.shape.places_matter, source, indices, left_out, whole)


def _item_texts(choice: Choice) -> tuple[str, str]:
    return choice.prompt, "\n".join(choice.candidates)


def _contents(choice: Choice) -> list[str]:
    return [choice.prompt, *sorted(choice.candidates)]


def _outcome(choice: Choice) -> str:
    return content_digest(choice.candidates[place] for place in choice.winners)


def _size(choice: Choice) -> str:
    return str(len(choice.candidates))


def _flags(choice: Choice) -> int:
    """Whether a winner has the text of a loser, and whether a candidate has no text."""
    texts = [" ".join(text.split()) for text in choice.candidates]
    won = {texts[place] for place in choice.winners}
    losers = (text for place, text in enumerate(texts) if place not in choice.winners)
    return EQUAL * (not won.isdisjoint(losers)) + EMPTY * (not all(texts))
