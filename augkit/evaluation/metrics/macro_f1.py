"""Macro-F1: the mean of the labels' F1."""

from __future__ import annotations

from augkit.core.arrays import Floats
from augkit.evaluation.metrics.label_counts import ConfusionMetric


class MacroF1(ConfusionMetric):
    """The mean over labels of F1, so that a rare label counts as much as a common one.

        F1_c = 2 · TP_c / (true_c + predicted_c),   macro-F1 = (1/|C|) Σ_{c∈C} F1_c

    C are the labels that occur as true or as predicted. Bootstrap interval over rows.

    >>> from augkit.core.results import PredictedPair
    >>> rows = [PredictedPair("a", gold="a"), PredictedPair("a", gold="b")]
    >>> round(MacroF1().score(rows)[0].value, 4)
    0.3333
    """

    name = "macro-f1"
    main = "macro_f1"
    bounds = (0.0, 1.0)

    @staticmethod
    def measure(right: Floats, true: Floats, predicted: Floats) -> Floats:
        """Macro-F1 of each resample, over the labels that occur in it."""
        import numpy as np

        both = true + predicted
        f1 = 2 * right / np.maximum(both, 1)
        return np.asarray(f1.sum(axis=1) / (both > 0).sum(axis=1))
