"""The verdict: what improved, what did not, what got worse, and what to mind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_FEW = 100
"""Below so many rows an interval is too wide to call a result off."""
_LOWER_IS_BETTER = frozenset({"fairscore"})


def verdict(records: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Sentences by heading; a change counts where its 95 % interval leaves out 0."""
    differences = [record for record in records if "difference" in record]
    told: dict[str, list[str]] = {"improved": [], "worse": [], "no clear change": []}
    for record in differences:
        told[_heading(record)].append(_sentence(record, records))
    return {**told, "mind": _warnings(differences)}


def _heading(record: Mapping[str, Any]) -> str:
    change = record["difference"]
    if change["low"] <= 0 <= change["high"]:
        return "no clear change"
    better = (change["value"] < 0) == (record["metric"] in _LOWER_IS_BETTER)
    return "improved" if better else "worse"


def _sentence(record: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> str:
    before, after = (_value(record, record[side], records) for side in ("from", "to"))
    change = record["difference"]
    return (
        f"{record['metric']} on {record['test']}: {before} → {after} "
        f"({_points(change['value'])} points, 95 % interval {_points(change['low'])} to "
        f"{_points(change['high'])}, {change['n']:,} rows)"
    )


def _value(record: Mapping[str, Any], arm: str, records: Sequence[Mapping[str, Any]]) -> str:
    """The score of one arm on the same test set, in per cent."""
    same = (record["metric"], record["test"], arm)
    for other in records:
        if "scores" in other and (other["metric"], other["test"], other["train"]) == same:
            return f"{100 * next(iter(other['scores'].values()))['value']:.1f} %"
    return "?"


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def _warnings(differences: Sequence[Mapping[str, Any]]) -> list[str]:
    told = []
    few = sorted({r["test"] for r in differences if r["difference"]["n"] < _FEW})
    if few:
        told.append(f"fewer than {_FEW} rows were compared on {', '.join(few)}: little follows")
    if len(differences) > 1:
        told.append(
            f"{len(differences)} comparisons: each is wrong one time in twenty where nothing "
            "changed"
        )
    return told
