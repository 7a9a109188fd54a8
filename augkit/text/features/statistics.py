"""The association of surface features with labels: z, φ, exact p-values, and their correction.

All statistics take ``counts``: int[features, labels], the documents of each label that hold the
feature, and ``totals``: int[labels], the documents of each label.
"""

from __future__ import annotations

from typing import Literal

from augkit.core.arrays import Flags, Floats, Ints

Correction = Literal["benjamini-hochberg", "holm"]
_Z = 1.96
"""Half the width of a 95 % interval, in standard errors."""


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
    return _phi(counts, counts.sum(axis=1, keepdims=True), totals)


def phi_error(phi: Floats, holders: Floats, labelled: Floats, size: int) -> Floats:
    """How far the association of a sample is from that of all documents, at most, in 95 % of them.

        ± 1.96 √(V / size),  with the feature in a share h and the label in a share k of documents,
        V = 1 - φ² + φ (1 + φ²/2) a b - ¾ φ² (a² + b²),
        a = (1 - 2h) / √(h (1 - h)),  b = (1 - 2k) / √(k (1 - k))

    The large-sample variance of φ (bishop1975discrete, section 11.3). ``size`` is that of the
    sample; ``holders`` and ``labelled`` are shares.

    >>> import numpy as np
    >>> phi_error(np.array([0.0]), np.array([0.5]), np.array([0.5]), 10_000).round(4).tolist()
    [0.0196]
    """
    import numpy as np

    skews = [(1 - 2 * share) / np.sqrt(share * (1 - share)) for share in (holders, labelled)]
    squares = phi**2 * (skews[0] ** 2 + skews[1] ** 2)
    variance = 1 - phi**2 + phi * (1 + phi**2 / 2) * skews[0] * skews[1] - 0.75 * squares
    return np.asarray(_Z * np.sqrt(np.maximum(variance, 0) / size))


def testable(counts: Ints, totals: Ints, limit: float) -> Flags:
    """Whether any distribution of the labels could bring a feature over the limit.

    It depends on how often the feature and the label occur, not on whether they occur together:
    what cannot fail is no test, and need not be corrected for (tarone1990modified): bool[features,
    labels].
    """
    import numpy as np

    holders = counts.sum(axis=1, keepdims=True)
    return np.asarray(_phi(np.minimum(holders, totals), holders, totals) > limit)


def _phi(with_label: Ints, holders: Ints, totals: Ints) -> Floats:
    import numpy as np

    size, holders = float(totals.sum()), holders.astype(float)
    spread = np.sqrt(holders * (size - holders) * totals * (size - totals))
    gap = size * with_label - holders * totals
    phi = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0)
    return np.asarray(phi, dtype=np.float64)


def least_holders(totals: Ints, limit: float) -> int:
    """A feature in fewer documents cannot reach the limit for any label."""
    import numpy as np

    size, square = float(totals.sum()), limit**2
    needed = size * square * totals / (size - totals + square * totals)
    return max(1, int(np.floor(needed.min())))


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


def exact_p(counts: Ints, holders: Ints, labelled: Ints, size: int) -> Floats:
    """The chance of so many documents with both, or more, if labels were dealt out at random.

    The upper tail of the hypergeometric distribution (Fisher's exact test, one-sided).
    """
    import numpy as np
    from scipy.stats import hypergeom

    return np.asarray(hypergeom.sf(counts - 1, size, labelled, holders), dtype=np.float64)


def smallest_found(totals: Ints, tests: int, alpha: float) -> float:
    """The smallest association that so many tests of so few documents can find.

    It is that of a feature which is in as many documents as a label; infinite where even a feature
    that occurs in all documents of the label, and in no other, could be chance.

    >>> import numpy as np
    >>> [round(smallest_found(np.array([n, n]), 10, 0.01), 2) for n in (4, 10, 100)]
    [inf, 0.8, 0.24]
    """
    import numpy as np
    from scipy.stats import hypergeom

    size = float(totals.sum())
    totals = totals[(totals > 0) & (totals < size)]
    both = hypergeom.isf(alpha / max(1, tests), size, totals, totals) + 1
    phi = (size * both - totals**2) / (totals * (size - totals))
    return float(np.where(both <= totals, phi, np.inf).min(initial=np.inf))


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
    ranked, tests = flat[order], flat.size
    if correction == "holm":
        scaled = np.maximum.accumulate(ranked * (tests - np.arange(tests)))
    else:
        scaled = ranked * tests / np.arange(1, tests + 1)
        scaled = np.minimum.accumulate(scaled[::-1])[::-1]
    adjusted = np.empty_like(flat)
    adjusted[order] = np.minimum(scaled, 1.0)
    return adjusted.reshape(p.shape)
