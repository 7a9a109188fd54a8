"""Means over items that come in units: units are resampled, never single items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat

from augkit.core.arrays import Floats
from augkit.core.results import Score
from augkit.evaluation.statistics.intervals import percentile_score, resampled_counts
from augkit.evaluation.statistics.significance import bootstrap_p

UnitValue = tuple[str, str, float | None]
"""The unit of an item, the group whose mean it is in, and its value; None: it has none."""


def unit_table(
    items: Sequence[UnitValue], units: Iterable[str] = (), weights: Sequence[float] | None = None
) -> Floats:
    """Sums and counts of values by unit and group: float[units, 2 * groups].

    ``units`` are those of other tables that are combined with this one. ``weights`` say what each
    item counts; 1 unless given.
    """
    import numpy as np

    unit_names = {*units, *(unit for unit, _, _ in items)}
    group_names = {g for _, g, _ in items}
    unit_of, group_of = (
        {name: number for number, name in enumerate(sorted(names))}
        for names in (unit_names, group_names)
    )
    table = np.zeros((len(unit_of), 2, len(group_of)))
    counted = repeat(1.0) if weights is None else weights
    for (unit, group, share), weight in zip(items, counted, strict=False):
        if share is not None:
            table[unit_of[unit], :, group_of[group]] += share * weight, weight
    return table.reshape(len(unit_of), -1)


def resampled_units(
    name: str,
    tables: Sequence[Floats],
    combine: Callable[..., Floats],
    bounds: tuple[float, float] = (0.0, 1.0),
) -> tuple[Score, float]:
    """What is made of the means of tables with the same units, which are resampled; and its p.

    The mean of a table is the average of its groups' means. Resamples without any item of a table
    say nothing.

    >>> table = unit_table([("a", "", 1.0), ("a", "", 1.0), ("b", "", 0.0)])
    >>> score, p = resampled_units("mean", [table], lambda mean: mean)
    >>> round(score.value, 4), score.n
    (0.6667, 2)
    """
    import numpy as np

    def statistic(drawn: Floats) -> Floats:
        ends = np.cumsum([table.shape[1] for table in tables])[:-1]
        return combine(*map(_means, np.split(drawn @ kinds, ends, axis=1)))

    kinds, counts = np.unique(np.hstack(tables), axis=0, return_counts=True)
    drawn = statistic(resampled_counts(name, counts.tolist()))
    drawn = drawn[np.isfinite(drawn)]
    n = int(counts.sum())
    value = float(statistic(counts[None].astype(np.float64))[0])
    return percentile_score(name, value, drawn, n, bounds), bootstrap_p(drawn)


def _means(totals: Floats) -> Floats:
    """The mean of each group, averaged over those that are there: float[resamples]."""
    import numpy as np

    sums, counts = np.split(totals, 2, axis=1)
    present = counts > 0
    means = np.divide(sums, counts, out=np.zeros_like(sums), where=present)
    groups = present.sum(axis=1)
    return np.asarray(means.sum(axis=1) / np.where(groups, groups, np.nan))
