"""A text that a model wrote beside its source, as the gates compare them, and their limits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import Field

from augkit.core.config import StrictModel

_WORD = re.compile(r"[^\W_]+")
Writing = Literal["paraphrase", "edit", "new text", "answer"]
"""What a method has a model write: the same in other words, a changed text, a new one, or another
answer to what was asked."""


class TextGateSettings(StrictModel):
    """The limits of the text gates. A text that a model wrote must pass all of them."""

    enabled: bool = Field(default=True, description="false: texts of a model are not checked")
    leak_words: int = Field(
        5, ge=3, description="so many words in a row that only the prompt has are a leak of it"
    )
    max_similarity: float = Field(
        0.8, ge=0, le=1, description="a paraphrase more like its source than this is a near copy"
    )
    min_meaning: float = Field(
        0.25, ge=0, le=1, description="least share of content words that a paraphrase has in common"
    )
    shortest: float = Field(0.4, ge=0, description="least length, as a multiple of the source's")
    longest: float = Field(2.5, gt=0, description="greatest length, as a multiple of the source's")
    length_slack: int = Field(
        4, ge=0, description="words by which a short text may go beyond either limit"
    )
    min_known: float = Field(
        0.6,
        ge=0,
        le=1,
        description="least share of English words, as a multiple of the source's share",
    )


@dataclass(frozen=True)
class WrittenText:
    """One field before and after; ``context`` is all that the source example says."""

    before: str
    after: str
    context: str

    @cached_property
    def old(self) -> list[str]:
        """The words of the field before."""
        return plain_words(self.before)

    @cached_property
    def new(self) -> list[str]:
        """The words that the model wrote."""
        return plain_words(self.after)

    @cached_property
    def source(self) -> list[str]:
        """The words of the whole source example."""
        return plain_words(self.context)

    def lacks(self, phrase: str) -> bool:
        """Whether the source example does not have these words in a row."""
        return f" {' '.join(plain_words(phrase))} " not in f" {' '.join(self.source)} "


def plain_words(text: str) -> list[str]:
    """Runs of letters and digits in lower case: how a text is tokenised makes little difference.

    >>> plain_words("It's well-made .") == plain_words("it 's Well - made.")
    True
    """
    return _WORD.findall(text.casefold())


def ngrams(words: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    """All runs of ``n`` words."""
    return zip(*(words[start:] for start in range(n)), strict=False)
