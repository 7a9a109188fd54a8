"""Swap: every listed word becomes its partner, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from pydantic import Field, field_validator

from augkit.augmenters.base import Augmenter
from augkit.core.config import MethodConfig
from augkit.core.types import Draft, Edit, Example, Rejection, new_draft, new_edit
from augkit.lexicons.load import word_pairs
from augkit.text.casing import match_case
from augkit.text.diff import apply


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
    def _candidates(self) -> re.Pattern[str]:
        """Finds all that can be listed: every word, or else the entries themselves."""
        if self._are_words:
            return _ONE_WORD
        entries = {*self._partners, *self._partners.values()}
        longest_first = sorted(entries, key=lambda entry: (-len(entry), entry))
        listed = "|".join(map(re.escape, longest_first))
        return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """One draft per example that holds a listed word."""
        for parent in batch:
            edits: list[Edit] = []
            for name, text in parent.fields.items():
                edits += self._edits(name, text)
            if edits:
                fields = apply(parent.fields, edits)
                yield new_draft(parent, fields, parent.label, edits=tuple(edits))
            else:
                yield Rejection(parent, "no listed word", method=self.name)

    def _edits(self, name: str, text: str) -> list[Edit]:
        return [
            new_edit(name, start, end, before := text[start:end], match_case(partner, before))
            for start, end, partner in self._found(text)
        ]

    def _found(self, text: str) -> Iterable[tuple[int, int, str]]:
        """Where listed words start and end, each with its partner."""
        if self._are_words:
            flat = _flat(text)
            words = flat.split()
            # Most texts hold no listed word, and this tells so twice as fast as a pattern.
            if self._partners.keys().isdisjoint(words):
                return ()
            if len(flat) == len(text):  # casefold makes "ss" of "ß", and places shift
                return self._looked_up(flat, words)
        return self._matched(text)

    def _looked_up(self, flat: str, words: list[str]) -> Iterator[tuple[int, int, str]]:
        partners, flat = self._partners, f" {flat} "
        start = 0
        for word in words:
            if word in partners:
                # Nothing listed was passed over, so the next place of the word is this one's.
                start = flat.index(f" {word} ", start)
                yield start, start + len(word), partners[word]
                start += len(word)

    def _matched(self, text: str) -> Iterator[tuple[int, int, str]]:
        for match in self._candidates.finditer(text):
            if partner := self._partners.get(match.group().casefold()):
                yield match.start(), match.end(), partner


_ONE_WORD = re.compile(r"\w+")


class _SpacesForSigns(dict[int, int]):
    """A table for ``str.translate``: all that is in no word becomes a space."""

    def __missing__(self, code: int) -> int:
        """Decide once for each character, as the pattern of a word does."""
        self[code] = code if _ONE_WORD.match(chr(code)) else ord(" ")
        return self[code]


_SPACES_FOR_SIGNS = _SpacesForSigns()
_ASCII = "".join(map(chr, range(128))).translate(_SPACES_FOR_SIGNS).casefold().encode().ljust(256)


def _flat(text: str) -> str:
    """The text in small letters, with spaces for all that is in no word.

    >>> _flat("Well: a FILM!")
    'well  a film '
    """
    if text.isascii():  # a table of bytes needs an eighth of the time
        return text.encode().translate(_ASCII).decode()
    return text.translate(_SPACES_FOR_SIGNS).casefold()
