"""Scores of documents against those of other labels, and the two objectives, from sums alone.

Per label four sums are kept, so that every score costs O(λ) and replacing a document does too:

    n      documents                      U = Σ u      unit vectors u = ĝ / ‖ĝ‖ (0 where ĝ is 0)
    P = Σ p, L = Σ ln p, E = Σ p · ln p   with p = softmax(ĝ)

Reference: yang2024razor, Eq. 11-14 in both published forms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]


def unit(vectors: Floats) -> Floats:
    """Rows of length 1; a row of zeros stays, so that its cosine with anything is 0."""
    import numpy as np

    length = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    return np.asarray(vectors / np.where(length > 0, length, 1.0))


def log_distribution(vectors: Floats) -> Floats:
    """Log softmax of each row: how ĝ, which has negative entries, becomes a distribution."""
    import numpy as np

    moved = vectors - vectors.max(axis=-1, keepdims=True)
    return np.asarray(moved - np.log(np.exp(moved).sum(axis=-1, keepdims=True)))


class ClassSums:
    """The sums of every label; documents can be replaced one at a time."""

    def __init__(self, vectors: Floats, labels: Integers, kinds: int) -> None:
        """Sum over ``vectors``: float[documents, λ]; ``labels`` are numbers below ``kinds``."""
        import numpy as np

        self.counts = np.bincount(labels, minlength=kinds)
        logs = log_distribution(vectors)
        shares = np.exp(logs)
        self.units = _summed(unit(vectors), labels, kinds)
        self.shares = _summed(shares, labels, kinds)
        self.logs = _summed(logs, labels, kinds)
        self.entropy = np.bincount(labels, (shares * logs).sum(axis=1), minlength=kinds)
        self._total = self.units.sum(axis=0)

    def scores(self, vectors: Floats, labels: Integers) -> Floats:
        """Score of each document (Eq. 12): 1 minus its mean cosine with documents of other labels.

            score_i = 1 - u_i · (Σ_all U - U_own) / (n - n_own)

        With no document of another label there is nothing to differ from: it is 0.
        """
        import numpy as np

        others = int(self.counts.sum()) - self.counts
        mean = (self._total - self.units) / np.maximum(others, 1)[:, None]
        cosines = np.einsum("ik,ik->i", unit(vectors), mean[labels])
        return np.asarray(np.where(others[labels] > 0, 1 - cosines, 0.0))

    def similarity(self) -> float:
        """Eq. 14 as published at AAAI, to be maximised: Σ_{a<b} U_a · U_b.

        It is the sum of cosines over all pairs of documents with different labels.
        """
        total = self.units.sum(axis=0)
        own = (self.units * self.units).sum()
        return float((total @ total - own) / 2)

    def divergence(self) -> float:
        """Eq. 14 as on arXiv, to be minimised: Σ_{a<b} n_b E_a - P_a · L_b.

        It is the sum of KL(p_i, p_j) over all pairs with label a before label b.
        """
        kinds = len(self.counts)
        pairs = [(a, b) for a in range(kinds) for b in range(a + 1, kinds)]
        return float(
            sum(self.counts[b] * self.entropy[a] - self.shares[a] @ self.logs[b] for a, b in pairs)
        )

    def replace(self, label: int, before: Floats, after: Floats) -> None:
        """A document of this label, ``before``, gives way to ``after``: O(λ)."""
        import numpy as np

        both = np.stack((before, after))
        change = _difference(unit(both))
        self.units[label] += change
        self._total += change
        logs = log_distribution(both)
        shares = np.exp(logs)
        self.shares[label] += _difference(shares)
        self.logs[label] += _difference(logs)
        self.entropy[label] += float(_difference((shares * logs).sum(axis=-1)))


def _difference(pair: Floats) -> Floats:
    """The second minus the first."""
    made: Floats = pair[1] - pair[0]
    return made


def _summed(rows: Floats, labels: Integers, kinds: int) -> Floats:
    import numpy as np

    return np.stack([np.bincount(labels, column, minlength=kinds) for column in rows.T], axis=1)
