"""The best line of a study on each test set, compared with every other line row by row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from augkit.commands.evaluate.scores import NAME as SCORES
from augkit.commands.evaluate.scores import PREDICTIONS
from augkit.commands.evaluate.settings import create_metric
from augkit.commands.sweep.settings import Trial
from augkit.core.results import PredictedPair
from augkit.evaluation.metrics.base import BaseMetric
from augkit.evaluation.statistics.paired import sign_flip_p
from augkit.evaluation.statistics.significance import paired_difference
from augkit.report.shortcut_lines import shortcut_caveats
from augkit.runs.folder import write_atomically
from augkit.text.features.statistics import corrected

COMPARISONS = "comparisons.json"
ORIGINALS = "originals"
"""The line of the classifier that is trained on the originals."""

Record = dict[str, Any]
RowValues = Mapping[int, float]
"""Number of a row of the test set → its value by the metric."""
Lines = dict[str, dict[int, RowValues]]
"""Line of the table → seed → values."""


def write_comparisons(
    folder: Path, done: Sequence[tuple[Trial, Path]], metrics: Sequence[str]
) -> list[Record]:
    """Write ``comparisons.json``: a record for each metric, dataset and test set.

    Only metrics that give a value to each row of a test set, such as accuracy, have records.
    """
    found: list[Record] = []
    for metric in map(create_metric, metrics):
        if metric.inputs == "predictions" and metric.direction != "neither" and _has_rows(metric):
            for (dataset, test), lines in _by_test(done, metric).items():
                about: Record = {"metric": metric.name, "dataset": dataset, "test": test}
                about |= _weak_test(done, about)
                found += [
                    about | one | {"shortcuts": _shortcuts(done, dataset, one["best"])}
                    for one in _compared(lines, metric)
                ]
    write_atomically(folder / COMPARISONS, json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    return found


def _shortcuts(done: Sequence[tuple[Trial, Path]], dataset: str, best: str) -> list[str]:
    """What the results of the best line have of shortcuts, over its seeds, each once."""
    own = (
        path for trial, path in done if (trial.settings.dataset, trial.method) == (dataset, best)
    )
    return list(dict.fromkeys(caveat for path in own for caveat in shortcut_caveats(path)))


def _weak_test(done: Sequence[tuple[Trial, Path]], about: Record) -> Record:
    """Why the test set decides nothing, where the evaluation of a trial says so."""
    for trial, path in done:
        if trial.settings.dataset == about["dataset"] and (path / SCORES).is_file():
            records = json.loads((path / SCORES).read_text(encoding="utf-8"))["results"]
            for one in records:
                if "weak_test" in one and one["test"] == about["test"]:
                    return {"weak_test": one["weak_test"]}
    return {}


def _has_rows(metric: BaseMetric[Any]) -> bool:
    return type(metric).row_values is not BaseMetric.row_values


def _by_test(
    done: Sequence[tuple[Trial, Path]], metric: BaseMetric[Any]
) -> dict[tuple[str, str], Lines]:
    """Dataset and test set → the values of every line; the originals are the first one."""
    found: dict[tuple[str, str], Lines] = {}
    for trial, path in done:
        for (test, name), rows in _predictions(path).items():
            line = trial.method if name == f"{path.name} (result)" else ORIGINALS
            if line != ORIGINALS or name == f"{path.name} (originals)":
                lines = found.setdefault((trial.settings.dataset, test), {ORIGINALS: {}})
                seeds = lines.setdefault(line, {})
                seeds.setdefault(trial.settings.seed, _values(metric, rows))
    return found


def _predictions(folder: Path) -> dict[tuple[str, str], dict[int, PredictedPair]]:
    """Test set and classifier → number of a row → its prediction."""
    found: dict[tuple[str, str], dict[int, PredictedPair]] = {}
    if not (folder / PREDICTIONS).is_file():
        return found
    with (folder / PREDICTIONS).open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            for name, label in line["predicted"].items():
                rows = found.setdefault((line["test"], name), {})
                rows[line["row"]] = PredictedPair(label, gold=line["label"])
    return found


def _values(metric: BaseMetric[Any], rows: Mapping[int, PredictedPair]) -> RowValues:
    """The values of the rows that have one."""
    each = ((number, metric.row_values([pair]).values()) for number, pair in rows.items())
    return {number: value for number, values in each for value in values}


def _compared(lines: Lines, metric: BaseMetric[Any]) -> Iterator[Record]:
    """The best line, and its difference from each other one, the best of these first.

    The best is chosen after the fact, so Holm's correction counts all pairs of lines.
    """
    seeds = set.intersection(*(set(line) for line in lines.values()))
    means = _mean_values(lines, sorted(seeds)) if seeds else {}
    if len(next(iter(means.values()), ())) == 0:
        return  # trials failed, or their test rows differ
    sign = 1 if metric.direction == "higher" else -1
    ranked = sorted(means, key=lambda name: -sign * fmean(means[name]))
    p = {
        pair: _p_value(metric, *(means[name] for name in pair)) for pair in combinations(ranked, 2)
    }
    adjusted = _holm(p)
    best, *others = ranked
    yield {
        "best": best,
        "value": fmean(means[best]),
        "rows": len(means[best]),
        "seeds": len(seeds),
        "others": [
            {
                "method": other,
                "value": fmean(means[other]),
                **_interval(metric, means[other], means[best]),
                "p": p[best, other],
                "p_corrected": adjusted[best, other],
            }
            for other in others
        ],
    }


def _mean_values(lines: Lines, seeds: Sequence[int]) -> dict[str, list[float]]:
    """Line → the mean over seeds of each row that all of them have, in one order."""
    several = {name: [line[seed] for seed in seeds] for name, line in lines.items()}
    rows = set.intersection(*(set(one) for values in several.values() for one in values))
    return {
        name: [fmean(one[row] for one in values) for row in sorted(rows)]
        for name, values in several.items()
    }


def _p_value(metric: BaseMetric[Any], first: Sequence[float], second: Sequence[float]) -> float:
    """Of one seed McNemar's test where a row counts 0 or 1; else random signs."""
    return sign_flip_p(metric.name, [two - one for one, two in zip(first, second, strict=True)])


def _holm(p: Mapping[tuple[str, str], float]) -> dict[tuple[str, str], float]:
    import numpy as np

    return dict(zip(p, corrected(np.array(list(p.values())), "holm").tolist(), strict=True))


def _interval(
    metric: BaseMetric[Any], first: Sequence[float], second: Sequence[float]
) -> dict[str, float]:
    score = paired_difference(f"{metric.main} difference", first, second)
    return {"difference": score.value, "low": score.low, "high": score.high}
