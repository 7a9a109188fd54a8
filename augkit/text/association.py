"""The association of surface features with labels: counts, z-scores, and corrected p-values.

A feature is present in a document or not; how often it occurs there does not matter. All statistics
take ``counts``: int[features, labels], the documents of each label that hold the feature, and
``totals``: int[labels], the documents of each label.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from augkit.text.tokens import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

Correction = Literal["benjamini-hochberg", "holm"]
Feature = tuple[str, str]
"""Kind ("token", "2-gram", "first word", "last word", "length") and its text."""

_LENGTHS = (4, 8, 16, 32, 64, 128, 256)


def surface_features(text: str, ngrams: int = 2, *, positions: bool = True) -> Iterator[Feature]:
    """Every feature of a text, as often as it occurs; in lower case.

    >>> list(surface_features("Not good.", ngrams=2, positions=False))
    [('token', 'not'), ('token', 'good'), ('2-gram', 'not good')]
    """
    found = [word.lower() for word in words(text)]
    for word in found:
        yield "token", word
    for size in range(2, ngrams + 1):
        for start in range(len(found) - size + 1):
            yield f"{size}-gram", " ".join(found[start : start + size])
    if positions and found:
        yield "first word", found[0]
        yield "last word", found[-1]
        yield "length", length_band(len(found))


def length_band(length: int) -> str:
    """The band of powers of two that a number of words falls into.

    >>> length_band(3), length_band(9), length_band(1000)
    ('1-4 words', '9-16 words', 'over 256 words')
    """
    low = 1
    for high in _LENGTHS:
        if length <= high:
            return f"{low}-{high} words"
        low = high + 1
    return f"over {_LENGTHS[-1]} words"


def presence_matrix(
    texts: Sequence[str],
    features: Callable[[str], Iterator[Feature]],
    min_count: int,
    also: Collection[Feature] = (),
) -> tuple[Any, list[Feature]]:
    """Which features each text holds, as 0 or 1 (sparse, texts by features), and their names.

    Features of fewer than ``min_count`` texts are left out, but for those in ``also``.
    """
    import numpy as np
    from scipy.sparse import csr_array

    numbers: dict[Feature, int] = {}
    columns_of: list[int] = []
    ends = [0]
    for text in texts:
        columns_of += {numbers.setdefault(feature, len(numbers)) for feature in features(text)}
        ends.append(len(columns_of))
    shape = (len(texts), len(numbers))
    columns = np.array(columns_of, dtype=np.int64)
    ones = np.ones(len(columns_of), dtype=np.int64)
    matrix = csr_array((ones, columns, np.array(ends, dtype=np.int64)), shape=shape)
    names = list(numbers)
    frequent = np.bincount(columns, minlength=len(numbers)) >= min_count
    frequent[[numbers[feature] for feature in also if feature in numbers]] = True
    kept = np.flatnonzero(frequent)
    return matrix[:, kept], [names[index] for index in kept.tolist()]


def label_counts(presence: Any, labels: Integers, kinds: int) -> Integers:
    """Documents of each label that hold each feature: int[features, labels].

    ``presence`` is a sparse matrix, 0 or 1 for documents by features; ``labels`` numbers each
    document's label, from 0 to ``kinds`` - 1.
    """
    import numpy as np
    from scipy.sparse import csr_array

    ones = np.ones(len(labels), dtype=np.int64)
    indicator = csr_array((ones, (np.arange(len(labels)), labels)), shape=(len(labels), kinds))
    return np.asarray((presence.T.astype(np.int64) @ indicator).todense(), dtype=np.int64)


def z_scores(counts: Integers, totals: Integers) -> Floats:
    """How far the share of a label among the holders of a feature is from its share overall.

        z = (p̂ - p0) / √(p0 (1 - p0) / n)

    n is the number of documents with the feature, p̂ the share of them that have the label, and p0
    the share of the label among all documents (the paper takes 1 / |labels|, which is the same for
    balanced labels). A feature that no document holds has z = 0: float[features, labels].

    Reference: gardner2021competency.

    >>> import numpy as np
    >>> z_scores(np.array([[75, 25]]), np.array([500, 500])).tolist()
    [[5.0, -5.0]]
    """
    import numpy as np

    base = totals / max(int(totals.sum()), 1)
    holders = counts.sum(axis=1, keepdims=True)
    spread = np.sqrt(base * (1 - base) * np.maximum(holders, 1))
    gap = counts - holders * base
    z = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0)
    return np.asarray(z, dtype=np.float64)


def p_values(counts: Integers, totals: Integers) -> Floats:
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


def label_numbers(labels: Sequence[str]) -> tuple[tuple[str, ...], Integers]:
    """The different labels in order, and for each document the number of its label.

    >>> names, numbers = label_numbers(["yes", "no", "yes"])
    >>> names, numbers.tolist()
    (('no', 'yes'), [1, 0, 1])
    """
    import numpy as np

    names = tuple(sorted(set(labels)))
    number = {name: index for index, name in enumerate(names)}
    return names, np.array([number[label] for label in labels], dtype=np.int64)
