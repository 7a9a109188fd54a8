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
    def _pieces(self) -> re.Pattern[str]:
        """Cuts a text so that what can be listed stands at the odd places of the pieces."""
        entries = {*self._partners, *self._partners.values()}
        if all(map(_ONE_WORD.fullmatch, entries)):
            # Every word, to be looked up: as fast for a thousand entries as for one.
            return re.compile(rf"({_ONE_WORD.pattern})")
        longest_first = sorted(entries, key=lambda entry: (-len(entry), entry))
        listed = "|".join(map(re.escape, longest_first))
        return re.compile(rf"(?<!\w)({listed})(?!\w)", re.IGNORECASE)

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
        partners = self._partners
        pieces = self._pieces.split(text)
        words = [word.casefold() for word in pieces[1::2]]
        start = done = 0
        for place in [2 * n + 1 for n, word in enumerate(words) if word in partners]:
            before = pieces[place]
            after = match_case(partners[words[place // 2]], before)
            start += sum(map(len, pieces[done:place]))
            edits.append(Edit(name, start, start + len(before), before, after))
            start, done = start + len(before), place + 1
            pieces[place] = after
        return "".join(pieces)


_ONE_WORD = re.compile(r"\w+")
