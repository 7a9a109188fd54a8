"""One test of a feature and a label: exact, corrected by Tarone's count, with an effect size.

N texts, K of them with the label (base b = K/N); n have the feature, c of those have the label.

    share = c / n      gain = (share - b) / (1 - b)

p is the upper tail of the hypergeometric distribution (Fisher's exact test), times the number m of
tests that could fail at all. A feature and a label are a cue where p·m is at most alpha and the
effect is large: the gain, or φ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from augkit.core.arrays import Floats, Ints
from augkit.shortcuts.cues import Feature
from augkit.shortcuts.features import CountedField, is_amount
from augkit.text.features.statistics import exact_p, phi_coefficients

ALPHA = 0.01
LEAST_GAIN = 0.5
LEAST_PHI = 0.2
LEAST_CUE = 20
_LEAST_SHARE = 0.003
"""A cue is in so many texts, and in this share of them, or has a high φ."""


@dataclass(frozen=True)
class LabelAssociation:
    """A feature and a label that it goes with; the figures are those of ``cues.Cue``."""

    field: CountedField
    number: int
    """Of the feature in the field."""
    label: int
    rows: int
    of_label: int
    base: float
    phi: float
    p: float

    @property
    def feature(self) -> Feature:
        """The feature."""
        return self.field.features[self.number]

    @property
    def share(self) -> float:
        """The share of the label among the texts with the feature."""
        return self.of_label / self.rows

    @property
    def gain(self) -> float:
        """How much of the doubt about the label it takes away."""
        return (self.share - self.base) / (1 - self.base)

    @property
    def strength(self) -> float:
        """Log-likelihood of its texts' labels by its share, less that by the base.

        c · ln(share / b) + (n - c) · ln((1 - share) / (1 - b))
        """
        others = self.rows - self.of_label
        strength = self.of_label * log(self.share / self.base)
        if others:
            strength += others * log((1 - self.share) / (1 - self.base))
        return strength


@dataclass(frozen=True)
class Tests:
    """All tests of a dataset."""

    found: tuple[LabelAssociation, ...]
    """The cues, the strongest first."""
    features: int
    corrected_for: int
    """Tarone's count."""


def run_tests(fields: Sequence[CountedField], alpha: float = ALPHA) -> Tests:
    """Test every feature of every field against every label, as one family."""
    import numpy as np

    least_p = np.concatenate([_least_p(field.counts, field.texts.totals) for field in fields])
    count = tarone_count(least_p.ravel(), alpha)
    found = [cue for field in fields for cue in _cues(field, count, alpha)]
    found.sort(key=lambda cue: (-cue.strength, -len(cue.feature.name), cue.feature.name))
    return Tests(tuple(found), sum(len(field.features) for field in fields), count)


def tarone_count(least_p: Floats, alpha: float) -> int:
    """Count the tests that could fail: the smallest m with at most m tests of least p ≤ alpha/m.

    ``least_p`` is the smallest p that each test can have, given how often its feature and its label
    occur. Tests that cannot fail need no correction (tarone1990modified).

    >>> import numpy as np
    >>> tarone_count(np.array([0.001, 0.004, 0.5, 0.5]), 0.01)
    2
    """
    import numpy as np

    ordered = np.sort(least_p)
    # The number of tests that could fail falls as m rises, so that the first m is found by halving.
    low = 1
    high = max(1, len(ordered))
    while low < high:
        middle = (low + high) // 2
        if np.searchsorted(ordered, alpha / middle, side="right") <= middle:
            high = middle
        else:
            low = middle + 1
    return low


def least_texts(texts: int, of_label: int, tests: int, alpha: float = ALPHA) -> int | None:
    """Find the fewest texts in which a cue of one label alone is seen; None where none would be.

    >>> least_texts(1000, 500, 5000), least_texts(12, 6, 1)
    (20, None)
    """
    import numpy as np

    def is_seen(size: int) -> bool:
        held = np.array([size])
        p = exact_p(held, held, np.array([of_label]), texts)
        return float(p[0]) * tests <= alpha

    low = max(LEAST_CUE, int(_LEAST_SHARE * texts))
    high = of_label
    if low > high or not is_seen(high):
        return None
    # The more texts, the less likely by chance: the fewest are found by halving.
    while low < high:
        middle = (low + high) // 2
        if is_seen(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _least_p(counts: Ints, totals: Ints) -> Floats:
    """Compute the p of each test if the rarer of its feature and its label were all in the other.

    C(larger, smaller) / C(N, smaller), by logarithms: float[features, labels].
    """
    import numpy as np
    from scipy.special import gammaln

    size = int(totals.sum())
    held = counts.sum(axis=1, keepdims=True)
    smaller = np.minimum(held, totals)
    larger = np.maximum(held, totals)
    of_larger = gammaln(larger + 1) - gammaln(larger - smaller + 1)
    of_all = gammaln(size + 1) - gammaln(size - smaller + 1)
    least: Floats = np.exp(of_larger - of_all)
    return least


def _cues(field: CountedField, count: int, alpha: float) -> list[LabelAssociation]:
    """The features of a field that go with a label."""
    import numpy as np

    totals = field.texts.totals
    counts = field.counts
    size = int(totals.sum())
    base = totals / size
    held = counts.sum(axis=1)
    phi = phi_coefficients(counts, totals)
    gain = (counts / np.maximum(held, 1)[:, None] - base) / np.maximum(1 - base, 1e-12)
    amounts = np.array([is_amount(feature.kind) for feature in field.features], dtype=bool)
    is_enough = held >= max(LEAST_CUE, _LEAST_SHARE * size)
    is_pure = (gain >= LEAST_GAIN) & (is_enough & ~amounts)[:, None]
    numbers, labels = np.nonzero((is_pure | (phi >= LEAST_PHI)) & (counts > 0))
    together = counts[numbers, labels]
    p = np.minimum(1.0, exact_p(together, held[numbers], totals[labels], size) * count)
    return [
        LabelAssociation(
            field,
            number,
            label,
            int(held[number]),
            int(counts[number, label]),
            float(base[label]),
            float(phi[number, label]),
            float(p[index]),
        )
        for index, (number, label) in enumerate(zip(numbers.tolist(), labels.tolist(), strict=True))
        if p[index] <= alpha
    ]
