"""The best line of a study on each test set, compared with every other line row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from augkit.commands.evaluate.scores import PREDICTIONS
from augkit.commands.evaluate.settings import create_metric
from augkit.commands.sweep.results import AGAIN
from augkit.commands.sweep.settings import (
    ModelEntry,
    SweepSettings,
    Trial,
    classifier_folder,
)
from augkit.core.json_files import find_json, load_json_lines, write_json
from augkit.core.results import PredictedPair, read_evaluation
from augkit.core.types import value
from augkit.evaluation.metrics.base import BaseMetric
from augkit.evaluation.run_effects import shortcut_caveats
from augkit.evaluation.statistics.significance import paired_difference, sign_flip_p
from augkit.evaluation.verdict import certainty, points
from augkit.text.features.statistics import corrected
from augkit.text.printable import shown_p

COMPARISONS = "comparisons.json"
ORIGINALS = "originals"
"""The line of the classifier that is trained on the originals."""
NOTE = (
    "Best: compared row by row, in the mean over seeds; p-values are corrected (Holm) for its "
    "comparisons with the others. It was chosen by the same rows, which flatters it a little"
)

RowValues = Mapping[int, float]
"""Number of a row of the test set → its value by the metric."""
Lines = dict[str, dict[int, RowValues]]
"""Line of the table → seed → values."""


@value
class RivalLine:
    """A line that the best one is compared with; ``difference``: the best minus this one."""

    method: str
    value: float
    difference: float
    low: float
    high: float
    p: float
    p_corrected: float


@value
class BestLine:
    """The best line of a metric, dataset and test set, and the others, the best of these first.

    ``shortcuts`` is what its result still has of them. ``weak_test``: why the test set decides
    nothing. The fields are the keys of ``comparisons.json``, which has no empty ``weak_test`` and
    no empty ``model``.
    """

    metric: str
    dataset: str
    test: str
    weak_test: tuple[str, ...]
    best: str
    value: float
    rows: int
    seeds: int
    others: tuple[RivalLine, ...]
    shortcuts: tuple[str, ...]
    model: str = ""
    """The name of the classifier, where a study has several."""


def read_comparisons(folder: Path) -> list[BestLine]:
    """The best lines in ``comparisons.json`` of a study; none where there is no such file."""

    def read(records: Sequence[dict[str, Any]]) -> list[BestLine]:
        complete = [{"weak_test": (), **record} for record in records]
        return TypeAdapter(list[BestLine]).validate_python(complete)

    return find_json(folder / COMPARISONS, read, AGAIN) or []


def write_comparisons(
    folder: Path, done: Sequence[tuple[Trial, Path]], study: SweepSettings
) -> list[BestLine]:
    """Write ``comparisons.json``: the best line for each metric, dataset, test set and classifier.

    Only metrics that give a value to each row of a test set, such as accuracy, have one.
    """
    names = dict.fromkeys(name for dataset in study.datasets for name in study.metrics_of(dataset))
    several = len(study.models) > 1
    best_lines = []
    for metric, entry in product(map(create_metric, names), study.models):
        if (
            metric.inputs != "predictions"
            or metric.direction == "neither"
            or type(metric).row_values is BaseMetric.row_values
        ):
            continue
        measured = [
            (trial, path)
            for trial, path in done
            if metric.name in study.metrics_of(trial.settings.dataset)
        ]
        by_test = _by_test(measured, metric, study, entry)
        for (dataset, test), lines in by_test.items():
            line = _best_line(metric, dataset, test, lines, done)
            if line is not None:
                best_lines.append(replace(line, model=entry.display_name if several else ""))
    records = [asdict(line) for line in best_lines]
    for record in records:
        for key in ("weak_test", "model"):
            if not record[key]:
                del record[key]
    write_json(folder / COMPARISONS, records)
    return best_lines


def _by_test(
    done: Sequence[tuple[Trial, Path]],
    metric: BaseMetric[Any],
    study: SweepSettings,
    entry: ModelEntry,
) -> dict[tuple[str, str], Lines]:
    """Dataset and test set → the values of every line; the originals are the first one."""
    by_test: dict[tuple[str, str], Lines] = {}
    for trial, path in done:
        for (test, name), rows in _predictions(classifier_folder(path, study, entry)).items():
            line = trial.method if name == f"{path.name} (result)" else ORIGINALS
            if line != ORIGINALS or name == f"{path.name} (originals)":
                lines = by_test.setdefault((trial.settings.dataset, test), {ORIGINALS: {}})
                seeds = lines.setdefault(line, {})
                values = {
                    number: row_value
                    for number, pair in rows.items()
                    for row_value in metric.row_values([pair]).values()
                }
                seeds.setdefault(trial.settings.seed, values)
    return by_test


@value
class PredictionRecord:
    """What is read of a line of ``predictions.jsonl``."""

    test: str
    row: int
    label: str | None
    predicted: Mapping[str, str]


def _predictions(folder: Path) -> dict[tuple[str, str], dict[int, PredictedPair]]:
    """Test set and classifier → number of a row → its prediction."""
    predictions: dict[tuple[str, str], dict[int, PredictedPair]] = {}
    if not (folder / PREDICTIONS).exists():
        return predictions
    read = TypeAdapter(PredictionRecord).validate_python
    for line in load_json_lines(folder / PREDICTIONS, read, "Delete it and repeat augkit sweep"):
        for name, label in line.predicted.items():
            rows = predictions.setdefault((line.test, name), {})
            rows[line.row] = PredictedPair(label, gold=line.label)
    return predictions


def _best_line(
    metric: BaseMetric[Any],
    dataset: str,
    test: str,
    lines: Lines,
    done: Sequence[tuple[Trial, Path]],
) -> BestLine | None:
    """The best line and its difference from each other one; None where no rows are shared."""
    import numpy as np

    seeds = set.intersection(*(set(line) for line in lines.values()))
    means = _mean_values(lines, sorted(seeds)) if seeds else {}
    if len(next(iter(means.values()), ())) == 0:
        return None  # trials failed, or their test rows differ
    sign = 1 if metric.direction == "higher" else -1
    best, *worse_lines = sorted(means, key=lambda name: -sign * fmean(means[name]))
    p = []
    for rival in worse_lines:
        values = zip(means[best], means[rival], strict=True)
        p.append(sign_flip_p(metric.name, [after - before for before, after in values]))
    adjusted = corrected(np.array(p), "holm").tolist()
    others = []
    for rival, p_value, p_corrected in zip(worse_lines, p, adjusted, strict=True):
        change = paired_difference(f"{metric.main} difference", means[rival], means[best])
        difference = (change.value, change.low, change.high)
        others.append(RivalLine(rival, fmean(means[rival]), *difference, p_value, p_corrected))
    of_dataset = [(trial, path) for trial, path in done if trial.settings.dataset == dataset]
    of_best = [path for trial, path in of_dataset if trial.method == best and trial.changes_rows]
    return BestLine(
        metric=metric.name,
        dataset=dataset,
        test=test,
        weak_test=_weak_test([path for _, path in of_dataset], test),
        best=best,
        value=fmean(means[best]),
        rows=len(means[best]),
        seeds=len(seeds),
        others=tuple(others),
        shortcuts=tuple(
            dict.fromkeys(caveat for path in of_best for caveat in shortcut_caveats(path))
        ),
    )


def _weak_test(paths: Sequence[Path], test: str) -> tuple[str, ...]:
    """Why the test set decides nothing, where the evaluation of a trial says so."""
    for evaluation in map(read_evaluation, paths):
        for record in evaluation.records if evaluation else ():
            if record.weak_test and record.test == test:
                return record.weak_test
    return ()


def _mean_values(lines: Lines, seeds: Sequence[int]) -> dict[str, list[float]]:
    """Line → the mean over seeds of each row that all of them have, in one order."""
    by_line = {name: [line[seed] for seed in seeds] for name, line in lines.items()}
    rows = set.intersection(*(set(values) for by_seed in by_line.values() for values in by_seed))
    return {
        name: [fmean(values[row] for values in by_seed) for row in sorted(rows)]
        for name, by_seed in by_line.items()
    }


class BestSentences(NamedTuple):
    """The best line of a test set and how sure that is, its caveats, and the other lines."""

    title: str
    caveats: list[str]
    rivals: list[str]


def best_sentences(best_lines: Sequence[BestLine]) -> Iterator[BestSentences]:
    """The best line of each test set, in words."""
    for line in best_lines:
        trained = "" if line.test.startswith(line.dataset) else f", trained on {line.dataset}"
        trained += f", {line.model}" if line.model else ""
        outcomes = [certainty(rival.low, rival.high, rival.p_corrected) for rival in line.others]
        clear = outcomes.count("clear")
        outcome = _outcome(clear, len(outcomes))
        possessive = "but its" if clear else "its"
        if line.weak_test:
            outcome = f"not decided: {'; '.join(line.weak_test)}"
        yield BestSentences(
            f"Best {line.metric} on {line.test} ({line.rows:,} rows){trained}: "
            f"{line.best} {line.value:.3f}, {outcome}",
            [f"{possessive} result {caveat}" for caveat in line.shortcuts],
            list(map(_rival_sentence, line.others, outcomes)),
        )


def shown_best(best_lines: Sequence[BestLine], most: int) -> Iterator[str]:
    """For each test set the best line, its caveats, and at most so many of the others."""
    for sentences in best_sentences(best_lines):
        yield sentences.title
        yield from (f"  {line}" for line in (*sentences.caveats, *sentences.rivals[:most]))
        if (left := len(sentences.rivals) - most) > 0:
            yield f"  and {left} more: comparisons.json"


def _outcome(clear: int, rivals: int) -> str:
    """How many of the others are clearly worse.

    >>> _outcome(0, 3), _outcome(2, 3), _outcome(1, 1)
    ('but not clearly better than any other', 'clearly better than 2 of 3', 'clearly the best')
    """
    if not clear:
        return "but not clearly better than any other"
    return "clearly the best" if clear == rivals else f"clearly better than {clear} of {rivals}"


def _rival_sentence(rival: RivalLine, outcome: str) -> str:
    return (
        f"against {rival.method} {rival.value:.3f}: {points(rival.difference)} points (95 % "
        f"interval {points(rival.low)} to {points(rival.high)}), {outcome} "
        f"({shown_p(rival.p_corrected)})"
    )
