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
    def _are_words(self) -> bool:
        """Whether every entry is one word, so that words can be looked up one by one."""
        return all(map(_ONE_WORD.fullmatch, {*self._partners, *self._partners.values()}))

    @cached_property
    def _pieces(self) -> re.Pattern[str]:
        """Cuts a text so that what can be listed stands at the odd places of the pieces."""
        if self._are_words:
            return re.compile(rf"({_ONE_WORD.pattern})")
        entries = {*self._partners, *self._partners.values()}
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
        words = text.translate(_SPACES_FOR_SIGNS).casefold().split()
        # Most texts hold no listed word, and this tells so twice as fast as a pattern.
        if self._are_words and partners.keys().isdisjoint(words):
            return text
        pieces = self._pieces.split(text)
        if not self._are_words:
            words = [piece.casefold() for piece in pieces[1::2]]
        start = done = 0
        for number, word in enumerate(words):
            if word in partners:
                place = 2 * number + 1
                before = pieces[place]
                after = pieces[place] = match_case(partners[word], before)
                start += sum(map(len, pieces[done:place]))
                end = start + len(before)
                edits.append(Edit(name, start, end, before, after))
                start, done = end, place + 1
        return "".join(pieces)


_ONE_WORD = re.compile(r"\w+")


class _SpacesForSigns(dict[int, int]):
    """A table for ``str.translate``: all that is in no word becomes a space."""

    def __missing__(self, code: int) -> int:
        """Decide once for each character, as the pattern of a word does."""
        self[code] = code if _ONE_WORD.match(chr(code)) else ord(" ")
        return self[code]


_SPACES_FOR_SIGNS = _SpacesForSigns()
