"""The paper's score: surface features (Eq. 7-10), scores (Eq. 11-12) and the objective (Eq. 14).

The vector ĝ of a document holds how much weight stands at which position; which tokens they are is
lost. The score of a document is how far its ĝ is from those of other labels. Per label four sums
are kept, so that a score costs O(λ) and so does replacing a document:

    n      documents                      U = Σ u      unit vectors u = ĝ / ‖ĝ‖ (0 where ĝ is 0)
    P = Σ p, L = Σ ln p, E = Σ p · ln p   with p = softmax(ĝ)

The AAAI paper maximises the similarity of documents of different labels, the arXiv version
minimises their divergence; both follow from these sums. With ``score: token`` the objective is the
mean token score instead. That is Eq. 14 too, but for constants: for two labels
Σ score_i = n - (1/n_0 + 1/n_1) · Eq. 14.

Reference: yang2024razor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
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

    def positions(self, length: int, first: int = 1) -> Floats:
        """τ(1) ... τ(length), or as many from ``first`` on: float[length, λ] (Eq. 8 and 9)."""
        import numpy as np

        k = np.arange(self.dimensions)
        power = 2 * (k if self.exponent == "paper" else k // 2) / self.dimensions
        angles = np.arange(first, length + first)[:, None] / 10000.0**power
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
        return _weighted_positions(ids % len(weights), ends, weights, self.encoding)


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
        first = tokens.ends[start]
        last = tokens.ends[end]
        ends = tokens.ends[start : end + 1] - first
        ids = tokens.ids[first:last]
        vectors[start:end] = _weighted_positions(ids, ends, space.idf, space.encoding)
    return vectors


def _blocks(documents: int) -> list[tuple[int, int]]:
    return [(start, min(start + _BLOCK, documents)) for start in range(0, documents, _BLOCK)]


def _weighted_positions(ids: Ints, ends: Ints, idf: Floats, encoding: PositionalEncoding) -> Floats:
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


def unit_vectors(vectors: Floats) -> Floats:
    """Rows of length 1; a row of zeros stays, so that its cosine with anything is 0."""
    import numpy as np

    length = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    return np.asarray(vectors / np.where(length > 0, length, 1.0))


def log_distribution(vectors: Floats) -> Floats:
    """Log softmax of each row, which makes a distribution of ĝ (it has negative entries)."""
    import numpy as np

    shifted = vectors - vectors.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))


class LabelSums:
    """The four sums of every label; documents can be replaced one at a time."""

    def __init__(self, vectors: Floats, labels: Ints, classes: int) -> None:
        """Sum over ``vectors``: float[documents, λ]; ``labels`` are numbers below ``classes``."""
        import numpy as np

        self.counts = np.bincount(labels, minlength=classes)
        logs = log_distribution(vectors)
        shares = np.exp(logs)
        self.units = _summed(unit_vectors(vectors), labels, classes)
        self.shares = _summed(shares, labels, classes)
        self.logs = _summed(logs, labels, classes)
        self.entropy = np.bincount(labels, (shares * logs).sum(axis=1), minlength=classes)
        self._total = self.units.sum(axis=0)

    def scores(self, vectors: Floats, labels: Ints) -> Floats:
        """Eq. 11-12: 1 minus the mean cosine of each document with the documents of other labels.

            score_i = 1 - u_i · (Σ_all U - U_own) / (n - n_own)

        Without a document of another label the score is 0.
        """
        import numpy as np

        outside = int(self.counts.sum()) - self.counts  # documents of other labels
        mean = (self._total - self.units) / np.maximum(outside, 1)[:, None]
        cosines = np.einsum("ik,ik->i", unit_vectors(vectors), mean[labels])
        return np.asarray(np.where(outside[labels] > 0, 1 - cosines, 0.0))

    def replace(self, label: int, before: Floats, after: Floats) -> None:
        """Replace the vector ``before`` of a document of this label by ``after``: O(λ)."""
        import numpy as np

        vectors = np.stack((before, after))
        units = unit_vectors(vectors)
        logs = log_distribution(vectors)
        shares = np.exp(logs)
        entropy = (shares * logs).sum(axis=-1)
        self._total += units[1] - units[0]
        sums = (self.units, self.shares, self.logs, self.entropy)
        for total, pair in zip(sums, (units, shares, logs, entropy), strict=True):
            total[label] += pair[1] - pair[0]


def _summed(rows: Floats, labels: Ints, classes: int) -> Floats:
    import numpy as np

    return np.stack([np.bincount(labels, column, minlength=classes) for column in rows.T], axis=1)


def cosine_similarity(sums: LabelSums) -> float:
    """Eq. 14 as published at AAAI, to be maximised: Σ_{a<b} U_a · U_b.

    It is the sum of cosines over all pairs of documents with different labels.
    """
    total = sums.units.sum(axis=0)
    within = (sums.units * sums.units).sum()
    return float((total @ total - within) / 2)


def kl_divergence(sums: LabelSums) -> float:
    """Eq. 14 as on arXiv, to be minimised: Σ_{a<b} n_b E_a - P_a · L_b.

    It is the sum of KL(p_i, p_j) over all pairs with label a before label b.
    """
    return float(
        sum(
            sums.counts[b] * sums.entropy[a] - sums.shares[a] @ sums.logs[b]
            for a, b in combinations(range(len(sums.counts)), 2)
        )
    )
