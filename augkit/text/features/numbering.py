"""Words and other features of texts as numbers, which sort and count far faster than strings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Generic, TypeVar

from augkit.core.arrays import Ints

F = TypeVar("F", bound=Hashable)

_BLOCK = 2_000
"""Texts whose features are in memory at a time."""


@dataclass(frozen=True)
class NumberedTexts(Generic[F]):
    """The features of all texts as numbers, one text after another."""

    numbers: dict[F, int]
    """The number of each feature, in the order in which they first occur."""
    ids: Ints
    """int[occurrences]"""
    ends: Ints
    """int[texts + 1]: a text's occurrences begin where those of the text before it end."""

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.ends) - 1

    @cached_property
    def names(self) -> list[F]:
        """The features by their numbers."""
        return list(self.numbers)

    @cached_property
    def documents(self) -> Ints:
        """int[occurrences], the text of each."""
        import numpy as np

        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.ends))


def number_texts(
    texts: Sequence[str],
    features: Callable[[str], Collection[F]],
    numbers: dict[F, int] | None = None,
) -> NumberedTexts[F]:
    """Number the features of all texts, in addition to those that have ``numbers`` already.

    >>> from augkit.text.features.kinds import lowered_words
    >>> numbered = number_texts(["Not good.", "Good!"], lowered_words)
    >>> numbered.names, numbered.ids.tolist(), numbered.ends.tolist()
    (['not', 'good'], [0, 1, 1], [0, 2, 3])
    """
    import numpy as np

    known: defaultdict[F, int] = defaultdict(None, numbers or {})
    known.default_factory = known.__len__
    sizes = np.zeros(len(texts) + 1, dtype=np.int64)
    blocks = [np.empty(0, dtype=np.int32)]
    for start in range(0, len(texts), _BLOCK):
        block = list(map(features, texts[start : start + _BLOCK]))
        sizes[start + 1 : start + 1 + len(block)] = list(map(len, block))
        ids = map(known.__getitem__, chain.from_iterable(block))
        blocks.append(np.fromiter(ids, dtype=np.int32))
    return NumberedTexts(dict(known), np.concatenate(blocks), np.cumsum(sizes))


def label_numbers(labels: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The different labels in order, and for each document the number of its label.

    >>> names, numbers = label_numbers(["yes", "no", "yes"])
    >>> names, numbers.tolist()
    (('no', 'yes'), [1, 0, 1])
    """
    import numpy as np

    names = tuple(sorted(set(labels)))
    number = {name: index for index, name in enumerate(names)}
    return names, np.array([number[label] for label in labels], dtype=np.int64)
