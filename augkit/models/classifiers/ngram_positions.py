"""The n-grams of texts with their positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from augkit.core.arrays import Floats, Ints
from augkit.core.contributions import Contributions
from augkit.core.types import Example
from augkit.models.classifiers.ngrams import NgramVocabulary, texts_by_field, tokens_of


@dataclass(frozen=True)
class Tokenised:
    """The tokens of all fields of all rows, one after another.

    ``spans`` is int[tokens, 4]: row, number of its field, start and end in its text.
    """

    fields: tuple[str, ...]
    rows: int
    words: list[str]
    spans: Ints


@dataclass(frozen=True)
class Occurrences:
    """Every n-gram of one vocabulary: ``rows``, ``columns`` and ``entry`` are int[occurrences].

    ``entry`` is the index of its count in the sparse ``counts`` (int[rows, terms]); ``parts``
    (int[parts, 2]) are the tokens it is made of: occurrence, token.
    """

    rows: Ints
    columns: Ints
    parts: Ints
    counts: Any
    entry: Ints


def tokenise(examples: Sequence[Example], fields: tuple[str, ...]) -> Tokenised:
    """Read the tokens of every field of every row."""
    import numpy as np

    texts = texts_by_field(examples, fields)
    words: list[str] = []
    spans: list[tuple[int, int, int, int]] = []
    for number, field in enumerate(fields):
        for row, text in enumerate(texts[field]):
            for word, start, end in tokens_of(text):
                words.append(word)
                spans.append((row, number, start, end))
    return Tokenised(fields, len(examples), words, np.array(spans, dtype=np.int64).reshape(-1, 4))


def find_ngrams(tokenised: Tokenised, vocabulary: NgramVocabulary) -> Occurrences:
    """Look up the n-grams of a vocabulary in the fields that it is counted in."""
    import numpy as np

    lengths = range(1, vocabulary.ngrams + 1)
    found = [_of_size(length, tokenised, vocabulary) for length in lengths]
    first, column = (np.concatenate(several) for several in zip(*found, strict=True))
    size = np.repeat(lengths, [len(firsts) for firsts, _ in found])
    rows = tokenised.spans[first, 0]
    counts, entry = _count(rows, column, (tokenised.rows, len(vocabulary.terms)))
    occurrence = np.repeat(np.arange(len(first)), size)
    step = np.arange(len(occurrence)) - np.repeat(np.cumsum(size) - size, size)
    parts = np.column_stack([occurrence, first[occurrence] + step])
    return Occurrences(rows, column, parts, counts, entry)


def gather_contributions(
    tokenised: Tokenised, found: Sequence[Occurrences], scores: Floats, bias: Floats
) -> Contributions:
    """The n-grams of all vocabularies, one after another, with their scores."""
    import numpy as np

    parts, offset = [], 0
    for one in found:
        parts.append(one.parts + np.array([offset, 0]))
        offset += len(one.rows)
    return Contributions(tokenised.fields, tokenised.spans, scores, np.concatenate(parts), bias)


def _of_size(size: int, tokenised: Tokenised, vocabulary: NgramVocabulary) -> tuple[Ints, Ints]:
    """The first tokens and the columns of the n-grams of ``size`` words."""
    import numpy as np

    words, numbers = tokenised.words, vocabulary.numbers
    runs = zip(*(words[step:] for step in range(size)), strict=False)
    found = np.array([numbers.get(" ".join(run), -1) for run in runs], dtype=np.int64)
    home = tokenised.spans[:, 0] * len(tokenised.fields) + tokenised.spans[:, 1]
    counted = [tokenised.fields.index(field) for field in vocabulary.fields]
    inside = home[: len(found)] == home[size - 1 :]  # no n-gram reaches into the next text
    inside &= np.isin(tokenised.spans[: len(found), 1], counted)
    first = np.flatnonzero((found >= 0) & inside)
    return first, found[first]


def _count(rows: Ints, columns: Ints, shape: tuple[int, int]) -> tuple[Any, Ints]:
    """Counts as a sparse matrix, and for each occurrence the index of its count in the data."""
    import numpy as np
    from scipy.sparse import csr_array

    keys, entry, counts = np.unique(
        rows * shape[1] + columns, return_inverse=True, return_counts=True
    )
    starts = np.searchsorted(keys, np.arange(shape[0] + 1) * shape[1])
    return csr_array((counts, keys % shape[1], starts), shape=shape), entry.astype(np.int64)
