"""Two classifiers on the same rows: how far their scores lie apart, and whether by chance.

Every metric has its own difference. Where a row is right or wrong, p is McNemar's; elsewhere it is
that of the paired bootstrap: twice the share of resamples in which the difference has the other
sign, or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from augkit.core.errors import DataError
from augkit.core.types import PredictedPair
from augkit.evaluation.metrics.confusion import Statistic, correlation, mean_f1
from augkit.evaluation.metrics.fairscore import row_shares
from augkit.evaluation.metrics.pearson import number_of, pearson_statistic
from augkit.evaluation.statistics.intervals import percentile_score, resampled_counts
from augkit.evaluation.statistics.significance import (
    Difference,
    bootstrap_p,
    mcnemar,
    paired_difference,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Answers = Sequence[PredictedPair]


def compare(metric: str, first: Answers, second: Answers) -> list[Difference]:
    """The differences of a metric's main scores; none for a metric that has no comparison.

    ``first`` and ``second`` are the answers of two classifiers to the same rows in the same order.
    """
    if len(first) != len(second):
        raise DataError(f"{metric}: {len(first)} and {len(second)} rows cannot be compared")
    way = _COMPARED.get(metric)
    return [] if way is None else way(first, second)


def _accuracy(first: Answers, second: Answers) -> list[Difference]:
    known = [(one, two) for one, two in zip(first, second, strict=True) if one.gold is not None]
    return [_shares("accuracy", *_right(known))]


def _fairscore(first: Answers, second: Answers) -> list[Difference]:
    shares = [list(row_shares(answers).values()) for answers in (first, second)]
    return [_shares("changed_rows", *shares)]


def _consistency(first: Answers, second: Answers) -> list[Difference]:
    return [_shares("consistency", _both_right(first), _both_right(second))]


def _counter_examples(first: Answers, second: Answers) -> list[Difference]:
    known = [
        (one, two)
        for one, two in zip(first, second, strict=True)
        if one.gold is not None and "shortcut" in one.about
    ]
    counter = [both for both in known if both[0].about["shortcut"] != both[0].gold]
    misled = [one.about["shortcut"] != one.gold for one, _ in known]
    cells = list(zip(misled, *_right(known), strict=True))
    return [_shares("counter", *_right(counter)), _resampled("gap", cells, _gap)]


def _worst_group(first: Answers, second: Answers) -> list[Difference]:
    known = [(one, two) for one, two in zip(first, second, strict=True) if one.gold is not None]
    named = any("group" in one.about for one, _ in known)
    groups = [str(one.about.get("group", "(none)") if named else one.gold) for one, _ in known]
    cells = list(zip(groups, *_right(known), strict=True))
    return [_resampled("worst_group", cells, _worst)]


def _confusion(what: str, statistic: Statistic) -> Callable[[Answers, Answers], list[Difference]]:
    def compared(first: Answers, second: Answers) -> list[Difference]:
        cells = [
            (str(one.gold), one.original, two.original)
            for one, two in zip(first, second, strict=True)
            if one.gold is not None
        ]
        return [_resampled(what, cells, lambda kinds: _confused(kinds, statistic), span=2.0)]

    return compared


def _pearson(first: Answers, second: Answers) -> list[Difference]:
    cells = [
        (number_of(one.gold), number_of(one.original), number_of(two.original))
        for one, two in zip(first, second, strict=True)
        if one.gold is not None
    ]
    return [_resampled("pearson", cells, _correlated, span=2.0)]


_COMPARED: dict[str, Callable[[Answers, Answers], list[Difference]]] = {
    "accuracy": _accuracy,
    "fairscore": _fairscore,
    "pair-consistency": _consistency,
    "counter-examples": _counter_examples,
    "worst-group": _worst_group,
    "macro-f1": _confusion("macro_f1", mean_f1),
    "matthews": _confusion("matthews", correlation),
    "pearson": _pearson,
}

Contrast = Callable[["Floats"], "Floats"]
"""From counts float[draws, kinds] to second minus first: float[draws]."""


def _shares(what: str, first: Sequence[float], second: Sequence[float]) -> Difference:
    """Means of shares row by row; McNemar's p where each row is right or wrong."""
    score = paired_difference(f"{what} difference", first, second)
    if all(share in {0.0, 1.0} for share in (*first, *second)):
        return Difference(what, score, mcnemar(list(map(bool, first)), list(map(bool, second))))
    cells = [(two - one,) for one, two in zip(first, second, strict=True)]
    return Difference(what, score, _resampled(what, cells, _mean).p)


def _resampled(
    what: str, cells: Sequence[tuple[Any, ...]], contrast: Callable[[list[Any]], Contrast],
    span: float = 1.0,
) -> Difference:  # fmt: skip
    """The difference over resampled rows; rows of one kind are counted together."""
    import numpy as np

    kinds: Counter[Hashable] = Counter(cells)
    if not kinds:
        raise DataError(f"{what}: no row has a true label to hold the predicted one against")
    names, counts = list(kinds), list(kinds.values())
    statistic = contrast(names)
    value = float(statistic(np.array([counts], dtype=np.float64))[0])
    drawn = statistic(resampled_counts(f"{what} difference", counts))
    score = percentile_score(f"{what} difference", value, drawn, sum(counts), (-span, span))
    return Difference(what, score, bootstrap_p(drawn))


def _right(pairs: Sequence[tuple[PredictedPair, PredictedPair]]) -> tuple[list[float], list[float]]:
    first, second = (
        [float(both[side].original == both[side].gold) for both in pairs] for side in (0, 1)
    )
    return first, second


def _both_right(answers: Answers) -> list[float]:
    """For each row the share of its counterfactual pairs of which both members are right."""
    found: dict[str, list[bool]] = {}
    for place, pair in enumerate(answers):
        if None not in {pair.variant, pair.gold, pair.variant_gold}:
            both = pair.original == pair.gold and pair.variant == pair.variant_gold
            found.setdefault(pair.row or f"#{place}", []).append(both)
    return [sum(several) / len(several) for several in found.values()]


def _mean(kinds: list[Any]) -> Contrast:
    import numpy as np

    values = np.array([value for (value,) in kinds])
    return lambda drawn: drawn @ values / drawn.sum(axis=1)


def _gap(kinds: list[Any]) -> Contrast:
    """Accuracy where the shortcut is right less accuracy where it is wrong, second minus first."""
    import numpy as np

    misled, first, second = (np.array(column) for column in zip(*kinds, strict=True))

    def of(right: Floats, drawn: Floats) -> Floats:
        sides = [
            (drawn @ (right * where)) / np.maximum(drawn @ where.astype(float), 1)
            for where in (~misled, misled)
        ]
        return np.asarray(sides[0] - sides[1])

    return lambda drawn: of(second, drawn) - of(first, drawn)


def _worst(kinds: list[Any]) -> Contrast:
    import numpy as np

    groups, first, second = zip(*kinds, strict=True)
    inside = np.array([[group == one for one in sorted(set(groups))] for group in groups], float)

    def of(right: Any, drawn: Floats) -> Floats:
        rows = drawn @ inside
        hits = drawn @ (inside * np.array(right)[:, None])
        share = np.divide(hits, rows, out=np.ones_like(hits), where=rows > 0)
        return np.asarray(share.min(axis=1))

    return lambda drawn: of(second, drawn) - of(first, drawn)


def _confused(kinds: list[Any], statistic: Statistic) -> Contrast:
    import numpy as np

    labels = sorted({label for kind in kinds for label in kind})
    gold, first, second = (
        np.array([[kind[side] == label for label in labels] for kind in kinds], float)
        for side in range(3)
    )

    def of(said: Floats, drawn: Floats) -> Floats:
        # Labels that neither occur nor are predicted play no part.
        return statistic(drawn @ (gold * said), drawn @ gold, drawn @ said)

    return lambda drawn: of(second, drawn) - of(first, drawn)


def _correlated(kinds: list[Any]) -> Contrast:
    import numpy as np

    gold, first, second = (np.array(column) for column in zip(*kinds, strict=True))
    return lambda drawn: (
        pearson_statistic(drawn, gold, second) - pearson_statistic(drawn, gold, first)
    )
