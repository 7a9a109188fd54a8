"""``evaluate``: train classifiers, score them on test sets, compare each with the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from augkit.commands.evaluate.classifiers import (
    NamedClassifier,
    load_named,
    load_training_set,
    train_named,
)
from augkit.commands.evaluate.evaluated_rows import prediction_lines, with_trained_rows
from augkit.commands.evaluate.inputs import (
    Case,
    EvaluationSet,
    cases,
    load_evaluation_set,
    match_test,
)
from augkit.commands.evaluate.llm_classifier import name_llm
from augkit.commands.evaluate.match_columns import reading_for, with_fields
from augkit.commands.evaluate.predictions import RecordingClassifier
from augkit.commands.evaluate.run_variants import read_run_variants
from augkit.commands.evaluate.settings import EvaluateSettings, create_metrics
from augkit.commands.evaluate.training_sets import TrainingSet, run_training_sets
from augkit.commands.tested_llm import Answers
from augkit.core.errors import DataError
from augkit.core.progress import report_progress
from augkit.core.results import Difference, Score, Skipped
from augkit.evaluation.metrics.base import BaseMetric, Predictions
from augkit.models.classifiers.labels import class_labels
from augkit.runs.manifest import read_manifest
from augkit.text.features.statistics import corrected

Record = dict[str, Any]
_NEARLY_ALL = 0.95
"""From this share of the rows on, a classifier gives one label to all but a few."""
_FEW_TEXTS = 20
"""A test set with fewer different texts decides nothing."""


@dataclass(frozen=True)
class Evaluation:
    """The results, and the predictions for the rows of the test sets that they come from."""

    records: list[Record]
    predictions: list[Record]


def evaluate(settings: EvaluateSettings, llm: Answers | None = None) -> list[Record]:
    """The records of ``measure``."""
    return measure(settings, llm).records


def measure(settings: EvaluateSettings, llm: Answers | None = None) -> Evaluation:
    """One record per metric, test set and classifier, and the differences between classifiers.

    ``llm`` answers where the settings name an LLM under test.
    """
    metrics = create_metrics(settings)
    tests = [load_evaluation_set(spec, settings) for spec in settings.tests]
    classifiers: list[NamedClassifier] = []
    if any(metric.inputs != "variants" for metric in metrics):
        classifiers, tests = _classifiers(settings, tests, llm)
        tests = with_trained_rows(tests, classifiers)
    recording = [RecordingClassifier(one.classifier) for one in classifiers]
    classifiers = [
        replace(one, classifier=kept) for one, kept in zip(classifiers, recording, strict=True)
    ]
    records: list[Record] = []
    for metric in metrics:
        if metric.inputs == "variants" and settings.run is not None:
            records.append(_variants_record(metric, settings.run, settings))
            continue
        for case in cases(metric, tests, classifiers, settings):
            report_progress(f"measuring {metric.name} on {case.name}")
            records += _case_records(metric, case, classifiers)
    _correct(records)
    given = {one.name: kept.given for one, kept in zip(classifiers, recording, strict=True)}
    return Evaluation(records, list(prediction_lines(tests, given)))


def _classifiers(
    settings: EvaluateSettings, tests: list[EvaluationSet], llm: Answers | None
) -> tuple[list[NamedClassifier], list[EvaluationSet]]:
    """The classifiers, and the test sets matched to them before anything is trained."""
    if settings.tested_llm is not None and llm is not None:
        asked = name_llm(settings.tested_llm, llm, tests)
        labels = set(asked.classifier.labels)
        return [asked], [match_test(asked.name, labels, asked.fields, test) for test in tests]
    if settings.classifiers:
        found = [load_named(folder, settings.reading) for folder in settings.classifiers]
        if len({one.name for one in found}) < len(found):  # two folders of the same name
            paths = map(str, settings.classifiers)
            found = [replace(one, name=path) for one, path in zip(found, paths, strict=True)]
        _check_alike(found)
        for one in found:
            labels = set(one.classifier.labels)
            tests = [match_test(one.name, labels, one.fields, test) for test in tests]
        return found, tests
    if settings.run is not None:
        data_folder = settings.reading.data_folder
        training_sets = run_training_sets(settings.run, settings.train_on, data_folder)
        if settings.train is not None:
            training_sets.append(_reference(settings.train, settings, training_sets[0]))
    else:
        training_sets = [load_training_set(settings.train or "", settings.reading)]
    for training_set in training_sets:
        labels, fields = _labels(training_set), tuple(training_set.examples[0].fields)
        tests = [match_test(training_set.name, labels, fields, test) for test in tests]
    trained = [train_named(one, settings.model, settings.seeds) for one in training_sets]
    if settings.run is not None and settings.train is not None:
        trained[-1] = replace(trained[-1], is_reference=True)
    return trained, tests


def _reference(spec: str, settings: EvaluateSettings, like: TrainingSet) -> TrainingSet:
    """The rows to compare a run with, read as its dataset and with the fields of its rows."""
    of_run = read_manifest(settings.run).settings if settings.run else {}
    found = load_training_set(spec, reading_for(spec, settings.reading, of_run))
    fields = tuple(like.examples[0].fields)
    rows = with_fields(found.examples, fields, like.name, spec)
    return replace(found, name=spec, examples=rows)


def _check_alike(classifiers: Sequence[NamedClassifier]) -> None:
    fields = {tuple(sorted(one.fields)) for one in classifiers}
    if len(fields) > 1:
        listed = " against ".join(", ".join(one) for one in sorted(fields))
        raise DataError(f"the two classifiers read different text fields: {listed}")


def _labels(training_set: TrainingSet) -> set[str]:
    try:
        return set(class_labels(training_set.examples))
    except DataError as error:
        raise DataError(f"{training_set.name}: {error}") from None


def _variants_record(metric: BaseMetric[Any], folder: Path, settings: EvaluateSettings) -> Record:
    found = read_run_variants(folder, settings.reading.data_folder, settings.model)
    judge = {"members": found.judge.held_out_accuracy, "warnings": found.judge.warnings}
    return {
        **_scores_record(metric, metric.score(found)),
        "train": folder.name,
        "test": f"{len(found.variants):,} variants",
        "judge": judge,
    }


def _case_records(
    metric: BaseMetric[Any], case: Case, classifiers: Sequence[NamedClassifier]
) -> Iterator[Record]:
    """A record for each classifier, and the difference of each from the one before it."""
    weak = _weak_test(metric, case)
    data = [case.predict(one.classifier) for one in classifiers]
    sampled = [[case.predict_main(each) for each in one.samples] for one in classifiers]
    for one, own, samples in zip(classifiers, data, sampled, strict=True):
        record = _scores_record(metric, metric.score(own)) | _about(one, case) | weak
        if samples:
            mains = [_main(metric.score(each)) for each in samples]
            record["seeds"] = _spread(mains, one.sampling)
        if about := one.record():
            record["llm"] = dict(about)
        rows = own if metric.inputs == "predictions" else getattr(own, "pairs", ())
        if constant := _one_label(rows):
            record["one_label"] = constant
        yield record
    for first, second in pairwise(range(len(classifiers))):
        over_seeds = [
            metric.compare(*both) for both in zip(sampled[first], sampled[second], strict=False)
        ]
        compared = (classifiers[first], classifiers[second])
        for index, difference in enumerate(metric.compare(data[first], data[second])):
            record = _difference_record(metric, difference, case.name, compared) | weak
            if over_seeds:
                values = [several[index].score.value for several in over_seeds]
                record["over_seeds"] = _spread(values, compared[0].sampling)
            yield record


def _one_label(predictions: Predictions) -> Record:
    """The label that all rows get, or all but a few, where it is the true one of some only."""
    known = [one for one in predictions if one.gold is not None]
    if not known:
        return {}
    label, given = Counter(one.original for one in known).most_common(1)[0]
    right, nearly_all = sum(one.gold == label for one in known), _NEARLY_ALL * len(known)
    if given < nearly_all or not 0 < right < nearly_all:
        return {}
    return {"label": label, "rows": given, "of": len(known), "right": right / len(known)}


def _scores_record(metric: BaseMetric[Any], scores: Sequence[Score | Skipped]) -> Record:
    skipped = {one.name: one.reason for one in scores if isinstance(one, Skipped)}
    return {
        "metric": metric.name,
        "direction": metric.direction,
        "scores": {one.name: _score_record(one) for one in scores if isinstance(one, Score)},
        **({"skipped": skipped} if skipped else {}),
    }


def _weak_test(metric: BaseMetric[Any], case: Case) -> Record:
    """Why a test set decides nothing: one label, few texts, or mostly copies."""
    rows = case.test.rows
    labels = {row.label for row in rows} - {None}
    texts = len({tuple(row.fields.values()) for row in rows})
    found = []
    if metric.inputs == "predictions" and len(labels) == 1:
        found.append(f"all rows of {case.name} have the label '{labels.pop()}': weak evidence")
    copies = f"{case.name} has {texts:,} different texts in {len(rows):,} rows"
    if 2 * texts < len(rows):
        found.append(f"{copies}: intervals and p-values count copies, so they say too much")
    elif texts < _FEW_TEXTS:
        found.append(f"{copies}: too few for a decision")
    return {"weak_test": found} if found else {}


def _about(one: NamedClassifier, case: Case) -> Record:
    return {
        **case.details,
        "model": one.model,
        "train": one.name,
        **({"reference": True} if one.is_reference else {}),
        "test": case.name,
        "rows": {
            "train": one.rows,
            "test": len(case.test.rows),
            "left_out_of_train": one.left_out,
            "left_out_of_test": case.test.left_out,
            **({"in_train": count} if (count := case.test.in_train.get(one.name, 0)) != 0 else {}),
            **case.rows,
        },
    }


def _difference_record(
    metric: BaseMetric[Any],
    difference: Difference,
    test: str,
    compared: tuple[NamedClassifier, NamedClassifier],
) -> Record:
    return {
        "metric": metric.name,
        "direction": difference.direction or metric.direction,
        "score": difference.name,
        "difference": _score_record(difference.score),
        "p": difference.p,
        "from": compared[0].name,
        "to": compared[1].name,
        **({"reference": True} if compared[1].is_reference else {}),
        "test": test,
    }


def _main(scores: Sequence[Score | Skipped]) -> float:
    return next(one.value for one in scores if isinstance(one, Score))


def _score_record(score: Score) -> Record:
    return {"value": score.value, "low": score.low, "high": score.high, "n": score.n}


def _spread(values: Sequence[float], sampling: str) -> Record:
    """The scores of several classifiers, and what these differ in."""
    deviation = stdev(values) if len(values) > 1 else None
    return {"values": list(values), "mean": fmean(values), "deviation": deviation, "of": sampling}


def _correct(records: Sequence[Record]) -> None:
    """Add to each of several p-values the one corrected for their number, by Holm's method."""
    import numpy as np

    tested = [record for record in records if "p" in record]
    if len(tested) > 1:
        adjusted = corrected(np.array([record["p"] for record in tested]), "holm")
        for record, p in zip(tested, adjusted.tolist(), strict=True):
            record["p_corrected"] = p


def compared_value(
    record: Mapping[str, Any], name: str, records: Sequence[Mapping[str, Any]]
) -> float:
    """The score of one of the two classifiers that a difference compares; NaN where absent."""
    for other in records:
        same = (other["metric"], other["test"], other.get("train"))
        if same == (record["metric"], record["test"], name):
            scores = other["scores"]
            return float(scores.get(record["score"], next(iter(scores.values())))["value"])
    return float("nan")
