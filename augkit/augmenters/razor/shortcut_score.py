"""The shortcut score of a document: how far it is from the documents of other labels (Eq. 11-12).

Per label four sums are kept, so that a score costs O(λ) and so does replacing a document. The
objective (Eq. 14) follows from the same sums:

    n      documents                      U = Σ u      unit vectors u = ĝ / ‖ĝ‖ (0 where ĝ is 0)
    P = Σ p, L = Σ ln p, E = Σ p · ln p   with p = softmax(ĝ)

Reference: yang2024razor.
"""

from __future__ import annotations

from augkit.core.arrays import Floats, Ints


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

        others = int(self.counts.sum()) - self.counts
        mean = (self._total - self.units) / np.maximum(others, 1)[:, None]
        cosines = np.einsum("ik,ik->i", unit_vectors(vectors), mean[labels])
        return np.asarray(np.where(others[labels] > 0, 1 - cosines, 0.0))

    def replace(self, label: int, before: Floats, after: Floats) -> None:
        """Replace the vector ``before`` of a document of this label by ``after``: O(λ)."""
        import numpy as np

        both = np.stack((before, after))
        units, logs = unit_vectors(both), log_distribution(both)
        shares = np.exp(logs)
        entropy = (shares * logs).sum(axis=-1)
        self._total += units[1] - units[0]
        sums = (self.units, self.shares, self.logs, self.entropy)
        for total, pair in zip(sums, (units, shares, logs, entropy), strict=True):
            total[label] += pair[1] - pair[0]


def _summed(rows: Floats, labels: Ints, classes: int) -> Floats:
    import numpy as np

    return np.stack([np.bincount(labels, column, minlength=classes) for column in rows.T], axis=1)
