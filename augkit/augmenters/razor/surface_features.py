"""Surface features of documents: RAZOR's vectors of token weights and positions (Eq. 7-10).

Token identity is lost in these vectors: they hold how much weight stands at which position. The
codes of ``feature_codes`` keep the tokens.

Reference: yang2024razor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from augkit.core.arrays import Floats, Ints
from augkit.text.features.kinds import lowered_words
from augkit.text.features.numbering import NumberedTexts

Exponent = Literal["paper", "usual"]

_BLOCK = 20_000
"""Documents counted at a time: the arrays of one block stay in the processor's cache."""


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

        numbers = [[self.vocabulary.get(word, -1) for word in lowered_words(t)] for t in texts]
        ids = np.array(list(chain.from_iterable(numbers)), dtype=np.int64)
        ends = np.cumsum([0, *map(len, numbers)])
        weights = np.append(self.idf, self.unseen)  # -1 is the last
        return _vectors(ids % len(weights), ends, weights, self.encoding)


def surface_space(tokens: NumberedTexts[str], encoding: PositionalEncoding) -> SurfaceSpace:
    """The document frequencies of a corpus.

    idf(t) = ln(|D| / df(t)) as in Eq. 7, without smoothing: a word in every document weighs 0.
    """
    import numpy as np

    frequencies = np.zeros(len(tokens.numbers), dtype=np.int64)
    for start, end in _blocks(len(tokens)):
        ends = tokens.ends[start : end + 1]
        rows = np.repeat(np.arange(end - start), np.diff(ends))
        keys = np.sort(rows * len(frequencies) + tokens.ids[ends[0] : ends[-1]])
        first = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
        present = keys[first] % max(len(frequencies), 1)
        frequencies += np.bincount(present, minlength=len(frequencies))
    documents = max(len(tokens), 1)
    idf = np.log(documents / np.maximum(frequencies, 1))
    return SurfaceSpace(encoding, tokens.numbers, idf, float(np.log(documents)))


def surface_vectors(tokens: NumberedTexts[str], space: SurfaceSpace) -> Floats:
    """ĝ of every document of the corpus: float[documents, λ]."""
    import numpy as np

    vectors = np.empty((len(tokens), space.encoding.dimensions))
    for start, end in _blocks(len(tokens)):
        first, last = tokens.ends[start], tokens.ends[end]
        ends = tokens.ends[start : end + 1] - first
        vectors[start:end] = _vectors(tokens.ids[first:last], ends, space.idf, space.encoding)
    return vectors


def _blocks(documents: int) -> list[tuple[int, int]]:
    return [(start, min(start + _BLOCK, documents)) for start in range(0, documents, _BLOCK)]


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
