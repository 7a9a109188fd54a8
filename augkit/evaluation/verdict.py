"""The verdict: what improved, got worse or did not change, and what weakens the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from augkit.core import registry
from augkit.core.results import Comparison, OneLabel, Result, Verdict
from augkit.evaluation.llm_answers import llm_caveats
from augkit.evaluation.metrics.base import BaseMetric
from augkit.evaluation.run_effects import Replacement
from augkit.evaluation.statistics.intervals import ALPHA
from augkit.text.printable import counted, shown_p

_FEW = 100
"""Below this many rows an interval is too wide to call a result off."""

Record = Result | Comparison
Tone = Literal["good", "caveat", "bad", "even"]
Certainty = Literal["clear", "clear alone, not after Holm's correction", "not clear"]


def certainty(low: float, high: float, p: float) -> Certainty:
    """Whether a difference is clear: its 95 % interval excludes 0 and its p-value is at most 0.05.

    ``p`` is corrected for the number of comparisons. Where the interval alone excludes 0, the
    difference is clear alone.

    >>> certainty(0.05, 0.15, p=0.2)
    "clear alone, not after Holm's correction"
    """
    if low <= 0 <= high:
        return "not clear"
    return "clear" if p <= ALPHA else "clear alone, not after Holm's correction"


def points(share: float) -> str:
    """A difference of shares in percentage points.

    >>> points(-0.0123)
    '-1.2'
    """
    return f"{100 * share:+.1f}"


def verdict(records: Sequence[Record]) -> dict[str, list[str]]:
    """Sentences by heading; a change counts where it is clear."""
    comparisons = [record for record in records if isinstance(record, Comparison)]
    results = [record for record in records if isinstance(record, Result)]
    metrics = _metrics(records)
    sentences: dict[str, list[str]] = {"improved": [], "worse": [], "no clear change": []}
    several = len({one.second for one in comparisons if not one.is_reference}) > 1
    for comparison in comparisons:
        line = _sentence(comparison, results, metrics[comparison.metric])
        if several and not comparison.is_reference:
            line = f"{comparison.second}: {line}"
        sentences.setdefault(_heading(comparison, results), []).append(line)
    measured = [
        line for result in results for line in metrics[result.metric].summary(result.scores)
    ]
    if measured:
        sentences["measured"] = measured
    return {**sentences, "caveats": list(_caveats(records, metrics))}


_IMPROVED_BUT: Mapping[Replacement, str] = {
    "renamed": "improved, but a new shortcut took its place",
    "reversed": "improved, but the shortcut now points the other way",
}
_MIXED = "Better on some test sets, worse on others"
_TONES: Mapping[str, Tone] = {
    "improved": "good",
    **dict.fromkeys(_IMPROVED_BUT.values(), "caveat"),
    "worse": "bad",
    "caveats": "caveat",
}


def with_replacement(sentences: Verdict, replacement: Replacement) -> dict[str, list[str]]:
    """The verdict on a run where something took the place of a shortcut: nothing just improved.

    >>> with_replacement({"improved": ["accuracy on t"], "worse": []}, "renamed")
    {'improved': [], 'improved, but a new shortcut took its place': ['accuracy on t'], 'worse': []}
    """
    headed: dict[str, list[str]] = {}
    for heading, lines in sentences.items():
        headed[heading] = list(lines)
        if heading == "improved" and lines and replacement:
            headed |= {heading: [], _IMPROVED_BUT[replacement]: list(lines)}
    return headed


def mixed_headline(sentences: Verdict) -> str:
    """What improved and worsened test sets say together; "" where only one of the two is there.

    >>> mixed_headline({"improved": ["accuracy on t"], "worse": ["accuracy on u"]})
    'Better on some test sets, worse on others'
    """
    improved = [
        heading for heading in ("improved", *_IMPROVED_BUT.values()) if sentences.get(heading)
    ]
    if not improved or not sentences.get("worse"):
        return ""
    return _MIXED + improved[0].removeprefix("improved").replace(", but", ", and")


def tone(heading: str) -> Tone:
    """The colour of a heading of the verdict: green, amber ("caveat"), red, or grey ("even")."""
    return _TONES.get(heading, "even")


def comparison_caveats(comparison: Comparison, results: Sequence[Result]) -> list[str]:
    """What weakens one difference of a run, in words that do not name the run."""
    names = {
        comparison.first: "the originals' classifier",
        comparison.second: "the result's classifier",
    }
    renamed = [
        replace(result, train=names[result.train])
        for result in results
        if (result.metric, result.test) == (comparison.metric, comparison.test)
        and result.train in names
    ]
    return list(_caveats([*renamed, comparison], _metrics([comparison])))


def compared_values(comparison: Comparison, results: Sequence[Result]) -> tuple[float, float]:
    """The scores of the two classifiers that a difference compares; NaN where absent."""
    values = {
        result.train: result.scores.get(comparison.score, result.main)
        for result in reversed(results)
        if (result.metric, result.test) == (comparison.metric, comparison.test)
    }
    first, second = (values.get(name) for name in (comparison.first, comparison.second))
    return (
        first.value if first is not None else float("nan"),
        second.value if second is not None else float("nan"),
    )


def _metrics(records: Sequence[Record]) -> dict[str, BaseMetric[Any]]:
    """The metrics of the results by name."""
    return {record.metric: registry.find("metrics", record.metric)() for record in records}


def _certainty(comparison: Comparison) -> Certainty:
    change = comparison.difference
    return certainty(change.low, change.high, _decisive_p(comparison))


def _decisive_p(comparison: Comparison) -> float:
    return comparison.p if comparison.p_corrected is None else comparison.p_corrected


def _heading(comparison: Comparison, results: Sequence[Result]) -> str:
    """A weak test set decides nothing, and one label for all rows is no improvement."""
    if comparison.is_reference:
        return "reference"
    if _certainty(comparison) != "clear":
        return "no clear change"
    if comparison.weak_test:
        return "not decided"
    if comparison.direction == "neither":
        return "changed"
    if not _is_better(comparison):
        return "worse"
    constant = any(
        result.one_label and (result.train, result.test) == (comparison.second, comparison.test)
        for result in results
    )
    return "changed" if constant else "improved"


def _is_better(comparison: Comparison) -> bool:
    """Whether the second of the two has the better score."""
    return (comparison.difference.value > 0) == (comparison.direction == "higher")


def _sentence(comparison: Comparison, results: Sequence[Result], metric: BaseMetric[Any]) -> str:
    """The scores of the two classifiers, their difference, and how sure it is.

    Of a reference and the result, which is better where that is clear.
    """
    unit = " %" if metric.is_share else ""
    before, after = (
        f"{100 * value:.1f}{unit}" if value == value else "?"  # noqa: PLR0124 - NaN: not measured
        for value in compared_values(comparison, results)
    )
    outcome = _certainty(comparison)
    weak = "; ".join(comparison.weak_test)
    alone = outcome not in {"clear", "not clear"}
    note = f" ({outcome}: {shown_p(_decisive_p(comparison))})" if alone else ""
    where = f"{_score_title(comparison, results)} on {comparison.test}"
    if not comparison.is_reference:
        note = f", but {weak}" if weak and outcome == "clear" else note
        return f"{where}: {before} → {after} {_change(comparison, metric.counts)}{note}"
    result = comparison.first
    reference = comparison.second
    if outcome != "clear":
        decision = f"no clear difference{note}"
    elif weak:
        decision = f"not decided: {weak}"
    elif comparison.direction == "neither":
        decision = "they differ"
    else:
        decision = f"{reference if _is_better(comparison) else result} is better"
    sides = f"{result} {before}, {reference} {after}"
    return f"{where}: {sides} {_change(comparison, metric.counts)}: {decision}"


def _change(comparison: Comparison, counts: str) -> str:
    """The difference with its interval, and its range over seeds.

    The seeds are trained on other rows, so their range need not contain the change itself.
    """
    change = comparison.difference
    seeds = ""
    if comparison.over_seeds is not None:
        values = comparison.over_seeds.values
        of = comparison.over_seeds.of
        title = counted(len(values), "seed") + (" " + of if of.startswith("without") else "")
        reach = f" to {points(max(values))}" if len(values) > 1 else ""
        seeds = f"; {title}: {points(min(values))}{reach}"
    return (
        f"({points(change.value)} points, 95 % interval {points(change.low)} to "
        f"{points(change.high)}, {change.n:,} {counts}{seeds})"
    )


def _score_title(comparison: Comparison, results: Sequence[Result]) -> str:
    """The metric, and which of its scores is compared where that is not the main one."""
    names = [next(iter(result.scores)) for result in results if result.metric == comparison.metric]
    main = names[0] if names else comparison.score
    name = comparison.metric
    return name if comparison.score == main else f"{name}, {comparison.score}"


def _caveats(records: Sequence[Record], metrics: Mapping[str, BaseMetric[Any]]) -> Iterator[str]:
    comparisons = [record for record in records if isinstance(record, Comparison)]
    results = [record for record in records if isinstance(record, Result)]
    few = sorted({change.test for change in comparisons if change.difference.n < _FEW})
    if few:
        yield f"fewer than {_FEW} rows were compared on {', '.join(few)}: weak evidence"
    yield from _few_perturbed([result for result in results if result.test not in few], metrics)
    yield from dict.fromkeys(reason for record in records for reason in record.weak_test)
    yield from _one_label(results)
    yield from _trained_rows(results)
    if len(comparisons) > 1:
        yield (
            f"{len(comparisons)} comparisons: where nothing changed, one in twenty is significant "
            "by chance; a change counts only where it is significant after Holm's correction"
        )
    for comparison in comparisons:
        values = comparison.over_seeds.values if comparison.over_seeds else (0.0,)
        if min(values) < 0 < max(values):
            what = "the difference from the reference" if comparison.is_reference else "the change"
            yield f"{comparison.metric} on {comparison.test}: {what} differs in sign over seeds"
    for name, metric in metrics.items():
        scores = next((result.scores for result in results if result.metric == name), {})
        yield from metric.caveats(scores)
    if results:
        of_choices = metrics[results[-1].metric].inputs == "choices"
        yield from llm_caveats(
            results[-1].llm, "they count half" if of_choices else "they count as wrong"
        )
    for result in results:
        for part, reason in result.skipped.items():
            yield f"not measured: {part}: {reason}"


def _few_perturbed(
    results: Sequence[Result], metrics: Mapping[str, BaseMetric[Any]]
) -> Iterator[str]:
    """Test sets with few rows that a method could perturb: no more are in the main score."""
    perturbed: dict[str, int] = {}
    for result in results:
        metric = metrics[result.metric]
        if metric.inputs == "perturbed" and metric.main in result.scores:
            perturbed[result.test] = result.scores[metric.main].n
    for test, rows in perturbed.items():
        if rows < _FEW:
            yield f"only {counted(rows, 'row')} of {test} could be perturbed: weak evidence"


def _one_label(results: Sequence[Result]) -> Iterator[str]:
    """Each classifier that gives one label to nearly all rows of a test set, once."""
    constants: dict[tuple[str, str], OneLabel] = {}
    for result in results:
        if result.one_label is not None:
            constants.setdefault((result.train, result.test), result.one_label)
    for (train, test), constant in constants.items():
        yield (
            f"{train} predicts '{constant.label}' for {constant.rows:,} of {constant.of:,} rows of "
            f"{test}: always that label is right for {100 * constant.right:.1f} %"
        )


def _trained_rows(results: Sequence[Result]) -> Iterator[str]:
    """Each classifier that was trained on texts of a test set, or may have been, once."""
    trained = {
        (result.train, result.test): result.rows
        for result in results
        if result.rows is not None and result.rows.in_train != 0
    }
    for (train, test), rows in trained.items():
        if rows.in_train is not None:
            yield (
                f"{train} was trained on the texts of {rows.in_train:,} of {rows.test:,} "
                f"rows of {test}: its score there says too much about new texts"
            )
    for train in dict.fromkeys(
        name for (name, _), rows in trained.items() if rows.in_train is None
    ):
        yield (
            f"the training rows of {train} cannot be read here: whether they include test rows is "
            "not known"
        )
