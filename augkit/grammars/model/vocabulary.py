"""The vocabulary of a grammar: lower-cased frequent words, and ``[UNK]`` for all others."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from augkit.core.arrays import Ints
from augkit.core.errors import DataError

UNKNOWN = "[UNK]"
"""The word with the id 0, for every word that is not listed."""
MAX_VOCABULARY = 2**20 - 2
"""Ids must fit into 20 bits beside the sign for "no word": features pack them into one number."""

# Letters and digits form words, every other character is one: "4/10" is three words, so that a
# rating is a pattern and not a rare word.
_WORD = re.compile(r"\w+|[^\w\s]")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


class TextWord(NamedTuple):
    """A lower-cased word and its span in the text."""

    text: str
    start: int
    end: int


def split_words(text: str) -> list[TextWord]:
    """The words of a text; ``<br />`` is white space.

    >>> [word.text for word in split_words("Don't!<br />4/10")]
    ['don', "'", 't', '!', '4', '/', '10']
    """
    plain = _BREAK.sub(lambda match: " " * len(match.group()), text)
    return [TextWord(match.group().lower(), *match.span()) for match in _WORD.finditer(plain)]


@dataclass(frozen=True)
class WordVocabulary:
    """Words by their ids; ``words[0]`` is ``[UNK]``."""

    words: tuple[str, ...]

    @cached_property
    def _ids(self) -> Mapping[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        """How many words there are, ``[UNK]`` included."""
        return len(self.words)

    def encode(self, words: Sequence[str]) -> Ints:
        """The ids of words: int[words].

        >>> WordVocabulary(("[UNK]", "good", "film")).encode(["good", "movie"]).tolist()
        [1, 0]
        """
        import numpy as np

        ids = self._ids
        return np.fromiter((ids.get(word, 0) for word in words), np.int64, len(words))

    def save(self, path: Path) -> None:
        """Write the words as a JSON list."""
        path.write_text(json.dumps(self.words, ensure_ascii=True) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> WordVocabulary:
        """Read what ``save`` wrote."""
        try:
            words = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise DataError(f"{path}: cannot be read as a vocabulary: {error}") from error
        if not isinstance(words, list) or words[:1] != [UNKNOWN]:
            raise DataError(f"{path}: damaged: a list of words that begins with '{UNKNOWN}'")
        return cls(tuple(map(str, words)))


def count_vocabulary(
    texts: Iterable[Sequence[str]], size: int = 20_000, min_count: int = 3
) -> WordVocabulary:
    """The ``size`` most frequent words (``[UNK]`` included) that occur ``min_count`` times.

    Ties are in alphabetical order, so that the order of the rows does not matter.

    >>> count_vocabulary([["a", "b", "a"], ["a", "b", "c"]], size=3, min_count=2).words
    ('[UNK]', 'a', 'b')
    """
    counts = Counter(word for words in texts for word in words)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    kept = [word for word in ranked if counts[word] >= min_count and word != UNKNOWN]
    if not kept:
        raise DataError(
            f"the vocabulary is empty: none of the {len(counts)} different words occurs "
            f"{min_count} times. Give more rows, or set min_count to 1"
        )
    return WordVocabulary((UNKNOWN, *kept[: min(size, MAX_VOCABULARY) - 1]))
