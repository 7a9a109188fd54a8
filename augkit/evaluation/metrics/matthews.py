"""Matthews' correlation coefficient."""

from __future__ import annotations

from augkit.core.arrays import Floats
from augkit.evaluation.metrics.label_counts import ConfusionMetric


class Matthews(ConfusionMetric):
    """Matthews' correlation of true and predicted labels, of two labels or more.

        R = (s · Σ TP_c - Σ true_c · predicted_c) / √( (s² - Σ predicted_c²) (s² - Σ true_c²) )

    s is the number of rows; 1 is always right, 0 no better than a constant answer (which makes the
    root 0, and R by convention too). Bootstrap interval over rows.

    References: matthews1975comparison, gorodkin2004comparing.

    >>> from augkit.core.results import PredictedPair
    >>> Matthews().score([PredictedPair(label, gold=label) for label in "abab"])[0].value
    1.0
    """

    name = main = "matthews"
    is_share = False

    @staticmethod
    def measure(right: Floats, true: Floats, predicted: Floats) -> Floats:
        """Matthews' coefficient of each resample."""
        import numpy as np

        rows = true.sum(axis=1)
        above = rows * right.sum(axis=1) - (true * predicted).sum(axis=1)
        spread = [rows**2 - (counts**2).sum(axis=1) for counts in (true, predicted)]
        below = np.sqrt(spread[0] * spread[1])
        found = np.divide(above, below, out=np.zeros_like(below), where=below > 0)
        return np.asarray(np.clip(found, -1, 1))  # rounding may lead past the ends
