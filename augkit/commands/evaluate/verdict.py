"""The verdict: what improved, got worse or did not change, and what weakens the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from augkit.commands.evaluate.evaluate import compared_value
from augkit.commands.evaluate.settings import create_metric
from augkit.commands.tested_llm import llm_caveats
from augkit.evaluation.metrics.base import BaseMetric
from augkit.text.printable import counted, shown_p

_FEW = 100
"""Below this many rows an interval is too wide to call a result off."""
_ALPHA = 0.05

Record = Mapping[str, Any]


def verdict(records: Sequence[Record]) -> dict[str, list[str]]:
    """Sentences by heading.

    A change counts where its 95 % interval excludes 0 and its p-value, corrected for the number of
    comparisons, is below 0.05.
    """
    differences = [record for record in records if "difference" in record]
    metrics = {name: create_metric(name) for name in dict.fromkeys(r["metric"] for r in records)}
    found: dict[str, list[str]] = {"improved": [], "worse": [], "no clear change": []}
    for record in differences:
        write = _reference_sentence if record.get("reference") else _sentence
        sentence = write(record, records, metrics[record["metric"]])
        found.setdefault(_heading(record, records), []).append(sentence)
    measured = [
        line for record in records if "scores" in record
        for line in metrics[record["metric"]].summary(record["scores"])
    ]  # fmt: skip
    if measured:
        found["measured"] = measured
    return {**found, "caveats": list(_caveats(records, differences, metrics))}


def _heading(record: Record, records: Sequence[Record]) -> str:
    """A weak test set decides nothing, and one label for all rows is no improvement."""
    if record.get("reference"):
        return "reference"
    if not _is_clear(record):
        return "no clear change"
    if "weak_test" in record:
        return "not decided"
    if record["direction"] == "neither":
        return "changed"
    rose = record["difference"]["value"] > 0
    if rose != (record["direction"] == "higher"):
        return "worse"
    of = (record["to"], record["test"])
    constant = any("one_label" in one and (one["train"], one["test"]) == of for one in records)
    return "changed" if constant else "improved"


def _is_clear(record: Record) -> bool:
    return _excludes_zero(record) and _p_value(record) <= _ALPHA


def _excludes_zero(record: Record) -> bool:
    change = record["difference"]
    return not change["low"] <= 0 <= change["high"]


def _clear_alone(record: Record) -> str:
    """A note where the interval excludes 0 and the corrected p-value does not."""
    if _is_clear(record) or not _excludes_zero(record):
        return ""
    return f" (clear alone, not after Holm's correction: {shown_p(_p_value(record))})"


def _p_value(record: Record) -> float:
    """The corrected p-value; that of a single comparison; 0 where there is none."""
    return float(record.get("p_corrected", record.get("p", 0.0)))


def _sentence(record: Record, records: Sequence[Record], metric: BaseMetric[Any]) -> str:
    before, after = _compared(record, records, metric)
    note = _clear_alone(record)
    if _is_clear(record) and "weak_test" in record:
        note = f", but {'; '.join(record['weak_test'])}"
    where = f"{score_title(record, records)} on {record['test']}"
    return f"{where}: {before} → {after} {_change(record)}{note}"


def _reference_sentence(record: Record, records: Sequence[Record], metric: BaseMetric[Any]) -> str:
    """The reference against the result, and which is better where that is clear."""
    result, reference = _compared(record, records, metric)
    names = (record["to"], record["from"])
    outcome = f"no clear difference{_clear_alone(record)}"
    if _is_clear(record) and "weak_test" in record:
        outcome = f"not decided: {'; '.join(record['weak_test'])}"
    elif _is_clear(record) and record["direction"] == "neither":
        outcome = "they differ"
    elif _is_clear(record):
        rose = record["difference"]["value"] > 0
        outcome = f"{names[rose != (record['direction'] == 'higher')]} is better"
    where = f"{score_title(record, records)} on {record['test']}"
    return f"{where}: {names[1]} {result}, {names[0]} {reference} {_change(record)}: {outcome}"


def _compared(record: Record, records: Sequence[Record], metric: BaseMetric[Any]) -> list[str]:
    """The scores of the two classifiers of a difference."""
    unit = " %" if metric.is_share else ""
    values = [compared_value(record, record[side], records) for side in ("from", "to")]
    return [
        f"{100 * value:.1f}{unit}" if value == value else "?"  # noqa: PLR0124 - NaN: not measured
        for value in values
    ]


def _change(record: Record) -> str:
    change = record["difference"]
    return (
        f"({_points(change['value'])} points, 95 % interval {_points(change['low'])} to "
        f"{_points(change['high'])}, {change['n']:,} rows{_over_seeds(record)})"
    )


def score_title(record: Record, records: Sequence[Record]) -> str:
    """The metric, and which of its scores is compared where that is not the main one."""
    own = [one for one in records if one["metric"] == record["metric"] and "scores" in one]
    main = next(iter(own[0]["scores"])) if own else record["score"]
    name = record["metric"]
    return name if record["score"] == main else f"{name}, {record['score']}"


def _over_seeds(record: Record) -> str:
    """The range over seeds, and what they are trained on: it need not contain the change itself."""
    if "over_seeds" not in record:
        return ""
    values, of = record["over_seeds"]["values"], record["over_seeds"]["of"]
    title = counted(len(values), "seed") + (" " + of if of.startswith("without") else "")
    if len(values) == 1:
        return f"; {title}: {_points(values[0])}"
    return f"; {title}: {_points(min(values))} to {_points(max(values))}"


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def _caveats(
    records: Sequence[Record], differences: Sequence[Record], metrics: Mapping[str, BaseMetric[Any]]
) -> Iterator[str]:
    few = sorted({r["test"] for r in differences if r["difference"]["n"] < _FEW})
    if few:
        yield f"fewer than {_FEW} rows were compared on {', '.join(few)}: weak evidence"
    yield from _few_perturbed([one for one in records if one["test"] not in few], metrics)
    yield from dict.fromkeys(line for one in records for line in one.get("weak_test", ()))
    yield from _one_label(records)
    yield from _trained_rows(records)
    if len(differences) > 1:
        yield (
            f"{len(differences)} comparisons: where nothing changed, one in twenty is significant "
            "by chance; a change counts only where it is significant after Holm's correction"
        )
    for record in differences:
        values = record.get("over_seeds", {}).get("values", [0.0])
        if min(values) < 0 < max(values):
            what = "the difference from the reference" if record.get("reference") else "the change"
            yield f"{record['metric']} on {record['test']}: {what} differs in sign over seeds"
    for name, metric in metrics.items():
        own = [one["scores"] for one in records if one["metric"] == name and "scores" in one]
        yield from metric.caveats(own[0] if own else {})
    yield from llm_caveats(records[-1].get("llm") if records else None)
    for record in records:
        for part, reason in record.get("skipped", {}).items():
            yield f"not measured: {part}: {reason}"


def _few_perturbed(
    records: Sequence[Record], metrics: Mapping[str, BaseMetric[Any]]
) -> Iterator[str]:
    """Test sets with few rows that a method could perturb: no more are in the main score."""
    found: dict[str, int] = {}
    for record in records:
        metric = metrics[record["metric"]]
        if metric.inputs == "perturbed" and metric.main in record.get("scores", {}):
            found[record["test"]] = record["scores"][metric.main]["n"]
    for test, rows in found.items():
        if rows < _FEW:
            yield f"only {counted(rows, 'row')} of {test} could be perturbed: weak evidence"


def comparison_caveats(record: Record, records: Sequence[Record]) -> list[str]:
    """What weakens one difference of a run, in words that do not name the run."""
    names = {record["from"]: "the originals' classifier", record["to"]: "the result's classifier"}
    own = [
        {**one, "train": names[one["train"]]}
        for one in records
        if (one["metric"], one["test"]) == (record["metric"], record["test"])
        and one.get("train") in names
    ]
    metrics = {record["metric"]: create_metric(record["metric"])}
    return list(_caveats([*own, record], [record], metrics))


def _one_label(records: Sequence[Record]) -> Iterator[str]:
    """Each classifier that gives one label to nearly all rows of a test set, once."""
    found = {
        (one["train"], one["test"]): one["one_label"]
        for one in reversed(records)
        if "one_label" in one
    }
    for (train, test), about in reversed(found.items()):
        yield (
            f"{train} predicts '{about['label']}' for {about['rows']:,} of {about['of']:,} rows of "
            f"{test}: always that label is right for {100 * about['right']:.1f} %"
        )


def _trained_rows(records: Sequence[Record]) -> Iterator[str]:
    """Each classifier that was trained on texts of a test set, or may have been, once."""
    found = {
        (one["train"], one["test"]): one["rows"]
        for one in records
        if "in_train" in one.get("rows", {})
    }
    for (train, test), rows in found.items():
        if rows["in_train"] is not None:
            yield (
                f"{train} was trained on the texts of {rows['in_train']:,} of {rows['test']:,} "
                f"rows of {test}: its score there says too much about new texts"
            )
    for train in dict.fromkeys(one for (one, _), rows in found.items() if rows["in_train"] is None):
        yield (
            f"the training rows of {train} cannot be read here: whether they include test rows is "
            "not known"
        )
