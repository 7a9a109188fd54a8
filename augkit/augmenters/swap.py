"""Swap: every listed word becomes its partner, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from pydantic import Field, field_validator

from augkit.augmenters.base import Augmenter
from augkit.config import MethodConfig
from augkit.data import Draft, Edit, Example, Refusal
from augkit.lexicons.load import word_pairs
from augkit.text.casing import match_case


class SwapConfig(MethodConfig):
    """Which words change places."""

    pairs: tuple[tuple[str, str], ...] = Field(
        (), description="word pairs, as [[film, movie], [car, auto]]; empty: the bundled list"
    )

    @field_validator("pairs")
    @classmethod
    def _words_once(cls, pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        words = [word.casefold() for pair in pairs for word in pair]
        if not all(word.strip() for word in words):
            raise ValueError("a word of a pair is empty")
        if repeated := sorted({word for word in words if words.count(word) > 1}):
            raise ValueError(
                f"each word can have one partner only; repeated: {', '.join(repeated)}"
            )
        return pairs


class Swap(Augmenter[SwapConfig]):
    """Replace every listed word by its partner; casing and everything else stay as they are.

    The label is kept: choose words that do not carry it. There is one variant per example,
    whatever ``copies`` says, because nothing is drawn.
    """

    name = "swap"
    Config = SwapConfig

    @cached_property
    def _partners(self) -> dict[str, str]:
        pairs = self.config.pairs or word_pairs("interchangeable")
        both_ways = [*pairs, *((second, first) for first, second in pairs)]
        return {word.casefold(): partner for word, partner in both_ways}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._partners, key=len, reverse=True)
        listed = "|".join(re.escape(word) for word in longest_first)
        return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Refusal]:
        """One draft per example that holds a listed word."""
        for parent in batch:
            edits: list[Edit] = []
            fields = {name: self._swap(name, text, edits) for name, text in parent.fields.items()}
            if edits:
                yield Draft(parent, fields, parent.label, edits=tuple(edits))
            else:
                yield Refusal(parent, "no listed word")

    def _swap(self, name: str, text: str, edits: list[Edit]) -> str:
        kept, last = [], 0
        for match in self._pattern.finditer(text):
            before = match.group()
            after = match_case(self._partners.get(before.casefold(), before), before)
            start, end = match.span()
            edits.append(Edit(name, start, end, before, after))
            kept += [text[last:start], after]
            last = end
        return "".join([*kept, text[last:]])
