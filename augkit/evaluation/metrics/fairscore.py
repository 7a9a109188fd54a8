"""Fairscore: how often a predicted label changes when a demographic reference changes.

Two denominators are always given. ``changed_rows`` counts the rows that could be perturbed: the
published figure (footnote 3 of the paper). ``all_rows`` counts every row of the test set, and is
small wherever few rows hold a reference, whatever the classifier does. Neither is a proof of
fairness; docs/concepts/fairscore.md says why, and why a control is measured beside it.

Reference: qian2022perturbation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from augkit.core.errors import DataError
from augkit.core.results import PredictedPair, Score
from augkit.evaluation.metrics.accuracy import accuracy_on_both_sides
from augkit.evaluation.metrics.base import (
    BaseMetric,
    PerturbedPredictions,
    Predictions,
    shares_by_row,
)
from augkit.evaluation.statistics.intervals import mean_score
from augkit.evaluation.statistics.significance import paired_difference


class Fairscore(BaseMetric[PerturbedPredictions]):
    """Share of the rows whose predicted label changes with the perturbation, both denominators.

        FS = (1/|X|) · Σ_{x∈X} [ f(x) ≠ f(x̃) ]                                          (Eq. 1)

    f(x) is ``pair.original`` and f(x̃) ``pair.variant``. X are the rows that have a variant
    (``changed_rows``) or all rows (``all_rows``), of which one without a variant keeps its label.
    0 is invariant; the paper reports 100 · FS. A row with several variants counts with the share
    of them that change the label: what one variant chosen at random would give on average.

    After both come the changed rows by axis and by pair of attributes, accuracy on both sides, and
    the control. The interval is the exact binomial one, or over resampled rows where ``interval``
    says so or a row has several variants (its count is then not binomial).

    >>> pairs = [PredictedPair("pos", "neg"), PredictedPair("pos", "pos")]
    >>> scores = Fairscore().score(PerturbedPredictions(pairs, unchanged=1))
    >>> [(score.name, round(score.value, 3), score.n) for score in scores]
    [('changed_rows', 0.5, 2), ('all_rows', 0.333, 3)]
    """

    name = "fairscore"
    main = "changed_rows"
    direction = "lower"
    inputs = "perturbed"
    caveat = (
        "a low fairscore does not mean that a classifier is fair, and it depends on the perturber "
        "as well: compare it with its control"
    )

    def row_values(self, data: PerturbedPredictions) -> Mapping[str, float]:
        """The share of a row's variants whose predicted label is not the original's."""
        return changed_shares(data.pairs)

    def score(self, data: PerturbedPredictions) -> list[Score]:
        """Both denominators, the breakdowns, accuracy on both sides, and the control."""
        changed = changed_shares(data.pairs)
        if not changed:
            raise DataError(f"{self.name}: no row was perturbed, so there is no change to count")
        return [
            self._mean(self.main, changed),
            mean_score("all_rows", [*changed.values(), *[0.0] * data.unchanged], self.interval),
            *self._by_group(data.pairs, lambda pair: pair.about.get("axis", ""), "axis: {}"),
            *self._by_group(data.pairs, _attribute_pair, "{}"),
            *accuracy_on_both_sides(data.pairs),
            *self._control(data, changed),
        ]

    def _mean(self, name: str, shares: Mapping[str, float]) -> Score:
        return mean_score(name, list(shares.values()), self.interval)

    def _by_group(
        self, pairs: Predictions, key: Callable[[PredictedPair], str], name: str
    ) -> Iterator[Score]:
        """The changed rows of each group; variants without one are left out."""
        groups: dict[str, list[PredictedPair]] = {}
        for pair in pairs:
            if pair.variant is not None and (group := key(pair)):
                groups.setdefault(group, []).append(pair)
        for group in sorted(groups):
            score = self._mean(group, changed_shares(groups[group]))
            yield replace(score, name=name.format(group.replace(": ", ", ")))

    def _control(self, data: PerturbedPredictions, changed: Mapping[str, float]) -> Iterator[Score]:
        """Fairscore of random edits, and how far the perturbation is above, over common rows.

        Where the interval of the difference holds 0, the perturbation changes labels no more than
        random edits of the same size do: what is seen is instability, not the demographic. The
        bootstrap is paired.
        """
        if not data.control:
            return
        random = changed_shares(data.control)
        yield replace(self._mean(self.main, random), name="control")
        common = [row for row in changed if row in random]
        if not common:
            raise DataError(f"{self.name}: no row has both a perturbed variant and a control")
        yield paired_difference(
            "above_control", [random[row] for row in common], [changed[row] for row in common]
        )


def changed_shares(pairs: Predictions) -> dict[str, float]:
    """Row → share of its variants whose predicted label is not the original's."""
    return shares_by_row(
        pairs, lambda pair: None if pair.variant is None else pair.variant != pair.original
    )


def _attribute_pair(pair: PredictedPair) -> str:
    if not {"axis", "source", "target"} <= set(pair.about):
        return ""
    return "{axis}: {source} -> {target}".format(**pair.about)
