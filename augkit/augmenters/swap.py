"""Swap: every listed word becomes its partner, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial

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
    def _spans(self) -> Callable[[str], list[tuple[int, int]]]:
        """How listed words are found: looked up one by one, unless an entry is more than a word."""
        if all(map(_ONE_WORD.fullmatch, self._partners.values())):
            return partial(_looked_up, self._partners)
        return partial(_searched, _pattern({*self._partners, *self._partners.values()}))

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
        for start, end in self._spans(text):
            before = text[start:end]
            after = match_case(self._partners[before.casefold()], before)
            edits.append(Edit(name, start, end, before, after))
            kept += [text[last:start], after]
            last = end
        return "".join([*kept, text[last:]])


_ONE_WORD = re.compile(r"\w+")


def _looked_up(partners: Mapping[str, str], text: str) -> list[tuple[int, int]]:
    """Spans of listed words, one look-up per word: as fast for a thousand entries as for one."""
    folded = text.casefold()
    if len(folded) != len(text):  # "ß" becomes "ss": places in one are not places in the other
        matches = _ONE_WORD.finditer(text)
        return [match.span() for match in matches if match.group().casefold() in partners]
    words = _ONE_WORD.findall(folded)
    listed = [place for place, word in enumerate(words) if word in partners]
    spans: list[tuple[int, int]] = []
    end = 0
    for place in range(listed[-1] + 1 if listed else 0):
        start = folded.index(words[place], end)  # only signs stand between two words
        end = start + len(words[place])
        if words[place] in partners:
            spans.append((start, end))
    return spans


def _searched(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(text)]


def _pattern(entries: Collection[str]) -> re.Pattern[str]:
    """Any entry, the longest first, between what are no letters."""
    longest_first = sorted(entries, key=lambda entry: (-len(entry), entry))
    listed = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)
