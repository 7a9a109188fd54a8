"""The n-grams of texts where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from augkit.data import Example
from augkit.models.ngrams import Vocabulary, texts_by_field, tokens_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Read = list[tuple[int, int, list[str]]]
"""For each field of each row: the row, the number of its first token, its tokens."""


@dataclass(frozen=True)
class Occurrences:
    """Every known n-gram of every row: ``rows`` and ``columns`` are int[occurrences]."""

    tokens: Ints
    rows: Ints
    columns: Ints
    parts: Ints

    def shares(self, features: Any) -> Floats:
        """The value of each occurrence: that of its feature in its row, by how often it is there.

        ``features`` is sparse float[rows, columns]. A count of 2 that became 1 + ln 2, weighted by
        the idf and divided by the row's length, gives each of the two occurrences half of that.
        """
        import numpy as np

        width = features.shape[1]
        _, place, counts = np.unique(
            self.rows * width + self.columns, return_inverse=True, return_counts=True
        )
        held = features.tocoo()
        known = held.row.astype(np.int64) * width + held.col
        order = np.argsort(known, kind="stable")
        found = order[np.searchsorted(known[order], self.rows * width + self.columns)]
        return np.asarray(held.data[found] / counts[place], dtype=np.float64)

    def nothing(self) -> Floats:
        """The values of no occurrences."""
        import numpy as np

        return np.zeros(len(self.rows))


def find_occurrences(
    examples: Sequence[Example], fields: tuple[str, ...], vocabularies: Sequence[Vocabulary]
) -> Occurrences:
    """Look up the n-grams of every vocabulary in its fields; columns go on from one to the next."""
    import numpy as np

    tokens, read = _read(examples, fields)
    rows: list[int] = []
    columns: list[int] = []
    parts: list[tuple[int, int]] = []
    offset = 0
    for vocabulary in vocabularies:
        for field in vocabulary.fields:
            for row, first, words in read[field]:
                for place, length, column in _known(words, vocabulary):
                    parts += [(len(rows), first + place + step) for step in range(length)]
                    rows.append(row)
                    columns.append(offset + column)
        offset += len(vocabulary.terms)
    return Occurrences(
        tokens,
        np.array(rows, dtype=np.int64),
        np.array(columns, dtype=np.int64),
        np.array(parts, dtype=np.int64).reshape(-1, 2),
    )


def _read(examples: Sequence[Example], fields: tuple[str, ...]) -> tuple[Ints, dict[str, Read]]:
    """The places of all tokens, and the words of each field of each row."""
    import numpy as np

    texts = texts_by_field(examples, fields)
    tokens: list[tuple[int, int, int, int]] = []
    read: dict[str, Read] = {}
    for number, field in enumerate(fields):
        read[field] = []
        for row, text in enumerate(texts[field]):
            found = tokens_of(text)
            read[field].append((row, len(tokens), [token.word for token in found]))
            tokens += [(row, number, token.start, token.end) for token in found]
    return np.array(tokens, dtype=np.int64).reshape(-1, 4), read


def _known(words: list[str], vocabulary: Vocabulary) -> list[tuple[int, int, int]]:
    """Place, length and column of each n-gram that the vocabulary has."""
    numbers = vocabulary.numbers
    found = [(place, 1, numbers[word]) for place, word in enumerate(words) if word in numbers]
    for length in range(2, vocabulary.ngrams + 1):
        for place in range(len(words) - length + 1):
            column = numbers.get(" ".join(words[place : place + length]))
            if column is not None:
                found.append((place, length, column))
    return found
