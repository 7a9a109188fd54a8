"""One text field of a dataset: its texts, their words as numbers, and their labels."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from augkit.core.arrays import Ints
from augkit.text.tokens import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class TokenTable:
    """The words of all texts of a field as numbers, one text after another."""

    vocabulary: list[str]
    ids: Integers
    """int[tokens]"""
    documents: Integers
    """int[tokens], the document of each token."""


@dataclass(frozen=True)
class FieldTexts:
    """One field of the distinct rows, with the numbers of their labels."""

    name: str
    texts: Sequence[str]
    labels: Ints
    """int[rows]"""
    totals: Ints
    """int[labels], the rows of each label."""

    @cached_property
    def table(self) -> TokenTable:
        """The words of the texts."""
        return token_table(self.texts, lowered_words)


def lowered_words(text: str) -> list[str]:
    """The words of a text in lower case."""
    return words(text.lower())


def token_table(texts: Iterable[str], split: Callable[[str], Iterable[str]]) -> TokenTable:
    """Number the words, or whatever ``split`` gives, of all texts."""
    import numpy as np

    numbers: dict[str, int] = {}
    ids, sizes = array("i"), array("i")
    for text in texts:
        before = len(ids)
        ids.extend([numbers.setdefault(word, len(numbers)) for word in split(text)])
        sizes.append(len(ids) - before)
    documents = np.repeat(np.arange(len(sizes), dtype=np.int32), np.asarray(sizes))
    return TokenTable(list(numbers), np.asarray(ids, dtype=np.int32), documents)
