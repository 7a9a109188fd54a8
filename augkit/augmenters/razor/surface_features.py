"""Surface features of documents: RAZOR's vectors of token weights and positions (Eq. 7-10).

Token identity is lost in these vectors: they hold how much weight stands at which position. The
codes of ``feature_codes`` keep the tokens.

Reference: yang2024razor.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from augkit.core.arrays import Floats, Ints
from augkit.english.rewriting.marks import find_marks
from augkit.text.tokens import words

Exponent = Literal["paper", "usual"]

_BLOCK = 20_000
"""Documents counted at a time: the arrays of one block stay in the processor's cache."""


@dataclass(frozen=True)
class TokenIds:
    """Tokenized documents: all token ids in a row, and where each document ends; marks likewise.

    Marks are the features that are no words: repeated punctuation, emoji, capitals and the like.
    """

    ids: Ints
    ends: Ints
    vocabulary: Mapping[str, int]
    marks: Ints
    mark_ends: Ints

    @property
    def documents(self) -> int:
        """How many there are."""
        return len(self.ends) - 1


@dataclass(frozen=True)
class PositionalEncoding:
    """The encoding of positions: λ, and the exponent of Eq. 9.

    As printed the exponent is 2k/λ; the usual sine and cosine pairs have 2⌊k/2⌋/λ.
    """

    dimensions: int = 8
    exponent: Exponent = "paper"

    def positions(self, length: int) -> Floats:
        """τ(1) ... τ(length): float[length, λ] (Eq. 8 and 9)."""
        import numpy as np

        k = np.arange(self.dimensions)
        power = 2 * (k if self.exponent == "paper" else k // 2) / self.dimensions
        angles = np.arange(1, length + 1)[:, None] / 10000.0**power
        return np.asarray(np.where(k % 2 == 0, np.sin(angles), np.cos(angles)), dtype=np.float64)


@dataclass(frozen=True)
class SurfaceSpace:
    """Document frequencies, fixed for one round, and the encoding: maps texts to vectors."""

    encoding: PositionalEncoding
    vocabulary: Mapping[str, int]
    idf: Floats
    unseen: float
    """The idf of a word that no document holds: that of a word in one document."""

    def vectors(self, texts: Sequence[str]) -> Floats:
        """ĝ of each text: float[texts, λ]."""
        import numpy as np

        numbers = [[self.vocabulary.get(word, -1) for word in surface_words(t)] for t in texts]
        ids = np.array(list(chain.from_iterable(numbers)), dtype=np.int64)
        ends = np.cumsum([0, *map(len, numbers)])
        weights = np.append(self.idf, self.unseen)  # -1 is the last
        return _vectors(ids % len(weights), ends, weights, self.encoding)


def surface_words(text: str) -> list[str]:
    """The tokens of a document: its words, case folded."""
    return words(text.lower())


def tokenize(texts: Sequence[str], *, marks: bool = False) -> TokenIds:
    """Give every token of all documents an id; so too every mark, if asked."""
    import numpy as np

    vocabulary: defaultdict[str, int] = defaultdict()
    vocabulary.default_factory = vocabulary.__len__
    number = vocabulary.__getitem__
    ends, mark_ends = (np.zeros(len(texts) + 1, dtype=np.int64) for _ in range(2))
    blocks, mark_blocks = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for start in range(0, len(texts), _BLOCK):
        block = texts[start : start + _BLOCK]
        kinds = [(surface_words, blocks, ends), (find_marks, mark_blocks, mark_ends)]
        for features, numbers, stops in kinds if marks else kinds[:1]:
            found = list(map(features, block))
            stops[start + 1 : start + 1 + len(found)] = list(map(len, found))
            numbers.append(np.fromiter(map(number, chain.from_iterable(found)), dtype=np.int64))
    return TokenIds(
        np.concatenate(blocks),
        np.cumsum(ends),
        dict(vocabulary),
        np.concatenate(mark_blocks),
        np.cumsum(mark_ends),
    )


def surface_space(tokens: TokenIds, encoding: PositionalEncoding) -> SurfaceSpace:
    """The document frequencies of a corpus.

    idf(t) = ln(|D| / df(t)) as in Eq. 7, without smoothing: a word in every document weighs 0.
    """
    import numpy as np

    frequencies = np.zeros(len(tokens.vocabulary), dtype=np.int64)
    for start, end in _blocks(tokens.documents):
        keys = np.sort(_keys(tokens, start, end))
        first = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
        present = keys[first] % max(len(frequencies), 1)
        frequencies += np.bincount(present, minlength=len(frequencies))
    documents = max(tokens.documents, 1)
    idf = np.log(documents / np.maximum(frequencies, 1))
    return SurfaceSpace(encoding, tokens.vocabulary, idf, float(np.log(documents)))


def surface_vectors(tokens: TokenIds, space: SurfaceSpace) -> Floats:
    """ĝ of every document of the corpus: float[documents, λ]."""
    import numpy as np

    vectors = np.empty((tokens.documents, space.encoding.dimensions))
    for start, end in _blocks(tokens.documents):
        first, last = tokens.ends[start], tokens.ends[end]
        ends = tokens.ends[start : end + 1] - first
        vectors[start:end] = _vectors(tokens.ids[first:last], ends, space.idf, space.encoding)
    return vectors


def _blocks(documents: int) -> list[tuple[int, int]]:
    return [(start, min(start + _BLOCK, documents)) for start in range(0, documents, _BLOCK)]


def _keys(tokens: TokenIds, start: int, end: int) -> Ints:
    """Document and token in one number, for the documents of a block."""
    import numpy as np

    ends = tokens.ends[start : end + 1]
    rows = np.repeat(np.arange(end - start), np.diff(ends))
    return np.asarray(rows * len(tokens.vocabulary) + tokens.ids[ends[0] : ends[-1]])


def _vectors(ids: Ints, ends: Ints, idf: Floats, encoding: PositionalEncoding) -> Floats:
    """Eq. 7 and 10 for some documents.

        S(t) = n(t, d) / |d| · idf(t)
        ĝ(d) = Σ_j S(t_j) τ(j) / (|d| - 1)

    The sum runs over the positions j = 1 ... |d|. A document of one token, for which the paper
    divides by zero, is divided by 1; an empty one is 0.
    """
    import numpy as np
    from scipy.sparse import csr_array

    lengths = np.diff(ends)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    _, inverse, counts = np.unique(rows * len(idf) + ids, return_inverse=True, return_counts=True)
    weights = counts[inverse] * idf[ids] / (lengths * np.maximum(lengths - 1, 1))[rows]
    positions = np.arange(len(ids)) - ends[:-1][rows]
    longest = int(lengths.max(initial=0))
    matrix = csr_array((weights, positions, ends), shape=(len(lengths), longest))
    return np.asarray(matrix @ encoding.positions(longest))
