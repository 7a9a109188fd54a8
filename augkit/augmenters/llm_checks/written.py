"""A text that a model wrote beside its source, with the views of both that the gates compare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from augkit.lexicons.load import word_set

_WORD = re.compile(r"[^\W_]+")


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
    def given(self) -> list[str]:
        """The words of the whole source example."""
        return plain_words(self.context)

    def lacks(self, phrase: str) -> bool:
        """Whether the source example does not have these words in a row."""
        return f" {' '.join(plain_words(phrase))} " not in f" {' '.join(self.given)} "


def plain_words(text: str) -> list[str]:
    """Runs of letters and digits in lower case: how a text is tokenised makes little difference.

    >>> plain_words("It's well-made .") == plain_words("it 's Well - made.")
    True
    """
    return _WORD.findall(text.casefold())


def ngrams(words: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    """All runs of ``n`` words."""
    return zip(*(words[start:] for start in range(n)), strict=False)


@cache
def function_words() -> frozenset[str]:
    """The function words of English."""
    return frozenset(word for line in word_set("stop_words") for word in line.split())
