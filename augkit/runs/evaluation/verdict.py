"""The verdict: what improved, what did not, what got worse, and what to mind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from augkit.runs.evaluation.comparisons import arm_value

_FEW = 100
"""Below so many rows an interval is too wide to call a result off."""
_ALPHA = 0.05
_LOWER_IS_BETTER = frozenset({"fairscore", "gap"})
_NO_SHARE = frozenset({"matthews", "pearson"})
_FAULTS = {
    "fairscore": "a low fairscore does not mean that a classifier is fair, and it measures the "
    "perturber as well: read it beside its control",
    "ood-auroc": "ood-auroc hangs on how sure a classifier is of itself, not on how right it is",
    "worst-group": "the worst of several groups is partly the unluckiest one",
    "quality": "label agreement is that of a linear judge which learnt the originals, shortcuts "
    "and all, not of people; BLEU and self-BLEU compare words, not meanings",
}
"""What is known to be wrong with a metric, told wherever it was measured."""

Record = Mapping[str, Any]


def verdict(records: Sequence[Record]) -> dict[str, list[str]]:
    """Sentences by heading.

    A change counts where its 95 % interval leaves out 0 and its p-value, corrected for the number
    of comparisons, is below 0.05.
    """
    differences = [record for record in records if "difference" in record]
    told: dict[str, list[str]] = {"improved": [], "worse": [], "no clear change": []}
    for record in differences:
        told[_heading(record)].append(_sentence(record, records))
    if variants := [line for record in records for line in _variants(record)]:
        told["variants"] = variants
    return {**told, "mind": list(_warnings(records, differences))}


def _heading(record: Record) -> str:
    if not _apart(record) or _chance(record) > _ALPHA:
        return "no clear change"
    lower = record["metric"] in _LOWER_IS_BETTER or record.get("what") in _LOWER_IS_BETTER
    return "improved" if (record["difference"]["value"] < 0) == lower else "worse"


def _apart(record: Record) -> bool:
    change = record["difference"]
    return not change["low"] <= 0 <= change["high"]


def _chance(record: Record) -> float:
    """The corrected p-value; the plain one of a single comparison; 0 where none was made."""
    return float(record.get("p_corrected", record.get("p", 0.0)))


def _sentence(record: Record, records: Sequence[Record]) -> str:
    before, after = (
        _shown(arm_value(record, record[side], records), record) for side in ("from", "to")
    )
    change, what = record["difference"], record.get("what", record["metric"])
    name = record["metric"] if what in _named(record["metric"]) else f"{record['metric']}, {what}"
    unclear = _apart(record) and _heading(record) == "no clear change"
    alone = " (clear alone, not among all comparisons)" if unclear else ""
    return (
        f"{name} on {record['test']}: {before} → {after} "
        f"({_points(change['value'])} points, 95 % interval {_points(change['low'])} to "
        f"{_points(change['high'])}, {change['n']:,} rows{_over_seeds(record)}){alone}"
    )


def _over_seeds(record: Record) -> str:
    """The change of classifiers that miss a tenth of the rows each, where there are some."""
    if "over_seeds" not in record:
        return ""
    values = record["over_seeds"]["values"]
    ends = f"{_points(min(values))} to {_points(max(values))}"
    return f"; {len(values)} seeds: {ends}"


def _named(metric: str) -> set[str]:
    """Names of scores that say no more than the metric's own."""
    return {metric, metric.replace("-", "_"), "changed_rows", "consistency"}


def _shown(value: float, record: Record) -> str:
    if value != value:  # noqa: PLR0124 - not a number: the arm was not measured
        return "?"
    return f"{100 * value:.1f}" + ("" if record["metric"] in _NO_SHARE else " %")


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def _variants(record: Record) -> Iterator[str]:
    """What the quality of variants comes to, in a few sentences."""
    scores = record["scores"] if record["metric"] == "quality" else {}
    if "label agreement" in scores:
        own, bound = scores["label agreement"], scores["label agreement, originals"]
        yield (
            f"a judge that saw neither gives {100 * own['value']:.1f} % of {own['n']:,} variants "
            f"their label (of their originals {100 * bound['value']:.1f} %)"
        )
    if "minimality" in scores:
        changed, likeness = (scores[name]["value"] for name in ("minimality", "similarity"))
        yield f"{100 * changed:.1f} % of the words changed; cosine {likeness:.2f}"
    for what in ("negation gap", "n-gram association"):
        sides = [scores.get(f"{what}, {side}") for side in ("before", "after")]
        if all(sides):
            before, after = (f"{side['value']:.3f}" for side in sides if side)
            yield f"{what}: {before} in the originals, {after} in the result"


def _warnings(records: Sequence[Record], differences: Sequence[Record]) -> Iterator[str]:
    few = sorted({r["test"] for r in differences if r["difference"]["n"] < _FEW})
    if few:
        yield f"fewer than {_FEW} rows were compared on {', '.join(few)}: little follows"
    if len(differences) > 1:
        yield (
            f"{len(differences)} comparisons: each alone is wrong one time in twenty where nothing "
            "changed; a change is called one only where it holds after Holm's correction"
        )
    for record in differences:
        values = record.get("over_seeds", {}).get("values", [0.0])
        if min(values) < 0 < max(values):
            yield (
                f"{record['metric']} on {record['test']}: over seeds the change is not of one sign"
            )
    for metric in dict.fromkeys(record["metric"] for record in records):
        if metric in _FAULTS:
            yield _FAULTS[metric]
    for record in records:
        yield from (
            f"not measured: {part}: {why}" for part, why in record.get("skipped", {}).items()
        )
