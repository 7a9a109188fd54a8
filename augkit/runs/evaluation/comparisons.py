"""Differences between two classifiers as records, and the score of one of them beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from augkit.evaluation.statistics.significance import Difference
from augkit.runs.evaluation.predictions import plain
from augkit.text.association import corrected


def difference_records(
    metric: str,
    test: str,
    arms: tuple[str, str],
    differences: Sequence[Difference],
    again: Sequence[Sequence[Difference]] = (),
) -> list[dict[str, Any]]:
    """One record for each difference: second arm minus first, over the same test rows.

    ``again`` are the same differences of the classifiers of each seed.
    """
    records: list[dict[str, Any]] = []
    for place, one in enumerate(differences):
        record = {
            "metric": metric,
            "what": one.what,
            "difference": plain(one.score),
            "p": one.p,
            "from": arms[0],
            "to": arms[1],
            "test": test,
        }
        if again:
            values = [several[place].score.value for several in again]
            record["over_seeds"] = spread(values, "each seed")
        records.append(record)
    return records


def correct(records: Sequence[dict[str, Any]]) -> None:
    """Beside each of several p-values the one corrected for their number, by Holm's method."""
    import numpy as np

    tested = [record for record in records if "p" in record]
    if len(tested) > 1:
        adjusted = corrected(np.array([record["p"] for record in tested]), "holm")
        for record, p in zip(tested, adjusted.tolist(), strict=True):
            record["p_corrected"] = p


def arm_value(record: Mapping[str, Any], arm: str, records: Sequence[Mapping[str, Any]]) -> float:
    """The score of one arm that a difference is of; not a number where it was not measured."""
    what = record.get("what")
    for other in records:
        same = (other["metric"], other.get("test"), other.get("train"))
        if same == (record["metric"], record["test"], arm):
            scores = other.get("scores") or {"changed_rows": other["changed_rows"]}
            return float(scores.get(what, next(iter(scores.values())))["value"])
    return float("nan")


def spread(values: Sequence[float], sampled: str) -> dict[str, Any]:
    """How far the scores of several classifiers lie apart, and what these differ in."""
    deviation = stdev(values) if len(values) > 1 else None
    return {"values": list(values), "mean": fmean(values), "deviation": deviation, "of": sampled}
