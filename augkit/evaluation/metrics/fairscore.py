"""Fairscore: how often a classifier changes its mind when a demographic reference changes.

Two denominators are always given. ``changed_rows`` counts the rows that could be perturbed: the
published figure (footnote 3 of the paper). ``all_rows`` counts every row of the test set, and is
small wherever few rows hold a reference, whatever the classifier does. Neither is a proof of
fairness; docs/evaluation.md says why, and why a control stands beside it.

Reference: qian2022perturbation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from augkit.core.errors import DataError
from augkit.core.types import PredictedPair, Score
from augkit.evaluation.statistics.intervals import Interval, bootstrap_mean, exact_share
from augkit.evaluation.statistics.significance import paired_difference


def fairscore(pairs: Sequence[PredictedPair], interval: Interval = "exact") -> list[Score]:
    """Share of the rows whose predicted label changes with the perturbation, both denominators.

        FS = (1/|X|) · Σ_{x∈X} [ f(x) ≠ f(x̃) ]                                          (Eq. 1)

    f(x) is ``pair.original`` and f(x̃) ``pair.variant``. X is the rows that have a variant
    (``changed_rows``) or all rows (``all_rows``), of which one without a variant keeps its label.
    0 is invariant; the paper reports 100 · FS. A row with several variants counts with the share
    of them that change the label: what one variant drawn at random would give on average.

    The interval is the exact binomial one, or over resampled rows where ``interval`` asks for it
    or a row has several variants (its count is then no binomial).

    >>> rows = [PredictedPair("pos", "neg"), PredictedPair("pos", "pos"), PredictedPair("neg")]
    >>> [(score.name, round(score.value, 3), score.n) for score in fairscore(rows)]
    [('changed_rows', 0.5, 2), ('all_rows', 0.333, 3)]
    """
    changed = row_shares(pairs)
    if not changed:
        raise DataError("no row was perturbed, so there is no change to count")
    every = {_row(place, pair): 0.0 for place, pair in enumerate(pairs)} | changed
    return [
        _mean("changed_rows", list(changed.values()), interval),
        _mean("all_rows", list(every.values()), interval),
    ]


def by_axis(pairs: Sequence[PredictedPair], interval: Interval = "exact") -> dict[str, Score]:
    """Changed-rows fairscore of each axis; variants that do not say their axis are left out."""
    return _grouped(pairs, lambda pair: pair.about.get("axis", ""), interval)


def by_attribute_pair(
    pairs: Sequence[PredictedPair], interval: Interval = "exact"
) -> dict[str, Score]:
    """Changed-rows fairscore of each change, as ``gender: man -> woman``."""
    return _grouped(pairs, _change, interval)


def above_control(pairs: Sequence[PredictedPair], control: Sequence[PredictedPair]) -> Score:
    """Changed-rows fairscore minus that of the control, over the rows that have both.

    Where the interval holds 0, the perturbation changes labels no more than random edits of the
    same size do: what is seen is instability, not the demographic. The bootstrap is paired.
    """
    perturbed, random = row_shares(pairs), row_shares(control)
    common = [row for row in perturbed if row in random]
    if not common:
        raise DataError("no row has both a perturbed variant and a control")
    return paired_difference(
        "above_control", [random[row] for row in common], [perturbed[row] for row in common]
    )


def _change(pair: PredictedPair) -> str:
    if not {"axis", "source", "target"} <= set(pair.about):
        return ""
    return "{axis}: {source} -> {target}".format(**pair.about)


def _grouped(
    pairs: Sequence[PredictedPair], key: Callable[[PredictedPair], str], interval: Interval
) -> dict[str, Score]:
    groups: dict[str, list[PredictedPair]] = {}
    for pair in pairs:
        if pair.variant is not None and (group := key(pair)):
            groups.setdefault(group, []).append(pair)
    return {
        group: _mean(group, list(row_shares(groups[group]).values()), interval)
        for group in sorted(groups)
    }


def row_shares(pairs: Sequence[PredictedPair]) -> dict[str, float]:
    """Row → share of its variants whose predicted label is not the original's.

    Rows without a variant are left out.
    """
    changes: dict[str, list[bool]] = {}
    for place, pair in enumerate(pairs):
        if pair.variant is not None:
            changes.setdefault(_row(place, pair), []).append(pair.variant != pair.original)
    return {row: sum(changed) / len(changed) for row, changed in changes.items()}


def _row(place: int, pair: PredictedPair) -> str:
    """The row's name; a pair without one is a row of its own."""
    return pair.row or f"#{place}"


def _mean(name: str, shares: Sequence[float], interval: Interval) -> Score:
    if interval == "exact" and all(share in {0.0, 1.0} for share in shares):
        return exact_share(name, round(sum(shares)), len(shares))
    return bootstrap_mean(name, shares)
