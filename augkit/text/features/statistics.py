"""The association of surface features with labels: z, φ, exact p-values, and their correction.

All statistics take ``counts``: int[features, labels], the documents of each label that hold the
feature, and ``totals``: int[labels], the documents of each label.
"""

from __future__ import annotations

from typing import Literal

from augkit.core.arrays import Floats, Ints

Correction = Literal["benjamini-hochberg", "holm"]


def z_scores(counts: Ints, totals: Ints) -> Floats:
    """How far the share of a label among the holders of a feature is from its share overall.

    Reference: gardner2021competency. float[features, labels].

    >>> import numpy as np
    >>> z_scores(np.array([[75, 25]]), np.array([500, 500])).tolist()
    [[5.0, -5.0]]
    """
    return z_score(counts, counts.sum(axis=1, keepdims=True), totals / max(int(totals.sum()), 1))


def z_score(with_label: Ints, holders: Ints, share: Floats) -> Floats:
    """The z of single features and labels, which may be counted without a document.

        z = (p̂ - p0) / √(p0 (1 - p0) / n) = (c - n p0) / √(n p0 (1 - p0))

    n is the number of documents with the feature, c of those with the label too, p̂ = c / n, and p0
    the share of the label among all documents (the paper takes 1 / |labels|, which is the same for
    balanced labels). A feature that no document holds has z = 0.
    """
    import numpy as np

    spread = np.sqrt(np.maximum(holders, 0) * share * (1 - share))
    gap = with_label - holders * share
    return np.asarray(np.where(spread > 0, gap / np.where(spread > 0, spread, 1), 0.0))


def phi_coefficients(counts: Ints, totals: Ints) -> Floats:
    """The correlation of holding a feature with having a label: float[features, labels].

        φ = (N·c - n·K) / √( n (N - n) K (N - K) )

    N is the number of documents, n those with the feature, K those with the label, c those with
    both. It is 1 where the feature is in all documents of the label and in no other.

    >>> import numpy as np
    >>> phi_coefficients(np.array([[50, 0], [30, 20]]), np.array([50, 50])).round(2).tolist()
    [[1.0, -1.0], [0.2, -0.2]]
    """
    import numpy as np

    size = float(totals.sum())
    holders = counts.sum(axis=1, keepdims=True).astype(float)
    spread = np.sqrt(holders * (size - holders) * totals * (size - totals))
    gap = size * counts - holders * totals
    phi = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0)
    return np.asarray(phi, dtype=np.float64)


def p_values(counts: Ints, totals: Ints) -> Floats:
    """The chance of at least so many holders with the label, if the feature were independent of it.

    Exact, from the binomial distribution with n trials and p0: the normal curve would make rare
    features far too surprising. float[features, labels].
    """
    import numpy as np
    from scipy.special import bdtrc

    base = totals / max(int(totals.sum()), 1)
    holders = counts.sum(axis=1, keepdims=True)
    # bdtrc(k, n, p) is the chance of more than k; of at least none it is 1.
    tail = bdtrc(np.maximum(counts - 1, 0).astype(float), holders.astype(np.int_), base)
    return np.asarray(np.where(counts == 0, 1.0, tail), dtype=np.float64)


def exact_p(counts: Ints, holders: Ints, labelled: Ints, size: int | Ints) -> Floats:
    """The chance of so many documents with both, or more, if labels were dealt out at random.

    The upper tail of the hypergeometric distribution (Fisher's exact test, one-sided).
    """
    import numpy as np
    from scipy.stats import hypergeom

    return np.asarray(hypergeom.sf(counts - 1, size, labelled, holders), dtype=np.float64)


def corrected(p: Floats, correction: Correction) -> Floats:
    """p-values corrected for their number, in the shape they came in.

    ``benjamini-hochberg`` bounds the share of false ones among those called significant, ``holm``
    the chance that there is any.

    >>> import numpy as np
    >>> corrected(np.array([0.01, 0.04, 0.03]), "holm").round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    import numpy as np

    flat = p.ravel()
    order = np.argsort(flat, kind="stable")
    ranked = flat[order]
    tests = flat.size
    if correction == "holm":
        scaled = np.maximum.accumulate(ranked * (tests - np.arange(tests)))
    else:
        scaled = ranked * tests / np.arange(1, tests + 1)
        scaled = np.minimum.accumulate(scaled[::-1])[::-1]
    adjusted = np.empty_like(flat)
    adjusted[order] = np.minimum(scaled, 1.0)
    return adjusted.reshape(p.shape)
