"""Swap: every listed word becomes its partner, and the reverse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from pydantic import Field, field_validator

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.persons import PERSON_CHECK, names_persons
from augkit.core.config import MethodConfig
from augkit.core.edits import Edit, apply
from augkit.core.protocols import Check
from augkit.core.types import Example, Variant, new_edit, new_variant, refused
from augkit.lexicons.load import word_pairs
from augkit.text.articles import article, fit_articles
from augkit.text.casing import match_case
from augkit.text.placeholders import placeholder_spans


class SwapConfig(MethodConfig):
    """Which words are exchanged."""

    pairs: tuple[tuple[str, str], ...] = Field(
        (), description="word pairs, as [[film, movie], [car, auto]]; empty: the bundled list"
    )

    @property
    def reads_any_language(self) -> bool:
        """Words of one's own are of any language."""
        return bool(self.pairs) or super().reads_any_language

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
    """Replace every listed word by its partner; the casing stays, and a/an is fitted.

    The label is kept: choose words that do not carry it. There is one variant per example, whatever
    ``copies`` says, because nothing is random.
    """

    name = "swap"
    Config = SwapConfig
    traits = Traits(english="variants", in_kind=True)

    @cached_property
    def _partners(self) -> dict[str, str]:
        pairs = self.config.pairs or word_pairs("interchangeable")
        both_ways = [*pairs, *((second, first) for first, second in pairs)]
        return {word.casefold(): partner for word, partner in both_ways}

    @cached_property
    def checks(self) -> Sequence[Check[Variant]]:
        """Where some of the words name persons: these change everywhere in a row, or not at all."""
        return (PERSON_CHECK,) if names_persons(self._partners) else ()

    @cached_property
    def _are_words(self) -> bool:
        """Whether every entry is one word, so that words can be looked up one by one."""
        return all(map(_ONE_WORD.fullmatch, {*self._partners, *self._partners.values()}))

    @cached_property
    def _candidates(self) -> re.Pattern[str]:
        """Matches every word, or the entries themselves where some are longer."""
        if self._are_words:
            return _ONE_WORD
        entries = {*self._partners, *self._partners.values()}
        longest_first = sorted(entries, key=lambda entry: (-len(entry), entry))
        listed = "|".join(map(re.escape, longest_first))
        return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Propose one variant of each example that holds a listed word."""
        for parent in batch:
            edits: list[Edit] = []
            for name, text in parent.fields.items():
                if listed := self._listed(text):
                    edits += self._edits(name, text, _outside_placeholders(text, listed))
            if edits:
                fields = apply(parent.fields, edits)
                yield new_variant(parent, fields, parent.label, edits=tuple(edits))
            else:
                yield refused(parent, "no listed word")

    def _edits(
        self, name: str, text: str, listed: Iterable[tuple[int, int, str]]
    ) -> Iterator[Edit]:
        changes = [(start, end, match_case(new, text[start:end])) for start, end, new in listed]
        if any(text[start:end].casefold() in self._article_changes for start, end, _ in changes):
            starts = {start for start, _, _ in changes}
            changes = [
                (*change,)
                for change in fit_articles(text, changes)
                if change.start not in starts or tuple(change) in changes
            ]
        for start, end, new in changes:
            yield new_edit(name, start, end, text[start:end], new)

    @cached_property
    def _article_changes(self) -> frozenset[str]:
        """The words that take another article than their partner, as written or in capitals."""
        return frozenset(
            word
            for word, partner in self._partners.items()
            if article(word) != article(partner)
            or article(word.upper()) != article(partner.upper())
        )

    def _listed(self, text: str) -> Iterable[tuple[int, int, str]]:
        """The start, end and partner of every listed word."""
        if self._are_words:
            folded = _folded(text)
            words = folded.split()
            # Most texts hold no listed word, and this check is twice as fast as a pattern.
            if self._partners.keys().isdisjoint(words):
                return ()
            if len(folded) == len(text):  # casefold turns "ß" into "ss" and shifts offsets
                return self._looked_up(folded, words)
        return [
            (match.start(), match.end(), partner)
            for match in self._candidates.finditer(text)
            if (partner := self._partners.get(match.group().casefold()))
        ]

    def _looked_up(self, folded: str, words: list[str]) -> Iterator[tuple[int, int, str]]:
        partners = self._partners
        folded = f" {folded} "
        start = 0
        for word in words:
            if word in partners:
                # No listed word was skipped, so the next occurrence is this one.
                start = folded.index(f" {word} ", start)
                yield start, start + len(word), partners[word]
                start += len(word)


def _outside_placeholders(
    text: str, listed: Iterable[tuple[int, int, str]]
) -> Iterable[tuple[int, int, str]]:
    if not (spans := placeholder_spans(text)):
        return listed
    return [
        (start, end, new)
        for start, end, new in listed
        if not any(start < last and first < end for first, last in spans)
    ]


_ONE_WORD = re.compile(r"\w+")


class _NonWordsToSpaces(dict[int, int]):
    """A table for ``str.translate``: characters outside words become spaces."""

    def __missing__(self, code: int) -> int:
        """Decide once for each character, by the pattern of a word."""
        self[code] = code if _ONE_WORD.match(chr(code)) else ord(" ")
        return self[code]


_NON_WORDS_TO_SPACES = _NonWordsToSpaces()
_ASCII = (
    "".join(map(chr, range(128))).translate(_NON_WORDS_TO_SPACES).casefold().encode().ljust(256)
)


def _folded(text: str) -> str:
    """The text in lower case, with spaces for characters outside words.

    >>> _folded("Well: a FILM!")
    'well  a film '
    """
    if text.isascii():  # a table of bytes needs an eighth of the time
        return text.encode().translate(_ASCII).decode()
    return text.translate(_NON_WORDS_TO_SPACES).casefold()
