"""Errors on the rarest label: a metric as an augkit plug-in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from augkit.evaluation.metrics.base import BaseMetric, Predictions


class RareLabelErrors(BaseMetric[Predictions]):
    """Share of the rows of the rarest label that are predicted wrong.

        E = (1/|D_r|) · Σ_{x∈D_r} [ f(x) ≠ y ],   D_r: the rows whose true label is the rarest

    A value for each row is all that is defined here. The interval, the difference of two
    classifiers with its p-value, and the lines in the verdict and the report follow from it.
    """

    name = "rare-label-errors"
    main = "rare_label_errors"
    direction = "lower"
    caveat = "the rarest label has few rows, so the interval of rare-label-errors is wide"

    def row_values(self, data: Predictions) -> Mapping[str, float]:
        """1 where a row of the rarest label is predicted wrong, 0 where it is right."""
        counts = Counter(pair.gold for pair in data if pair.gold is not None)
        rarest = min(counts, key=lambda label: (counts[label], label), default=None)
        return {
            str(index): float(pair.original != pair.gold)
            for index, pair in enumerate(data)
            if pair.gold is not None and pair.gold == rarest
        }
