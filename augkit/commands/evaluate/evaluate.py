"""``evaluate``: train classifiers, score them on test sets, compare each with the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from augkit.commands.evaluate.choices import blind_items, for_choices
from augkit.commands.evaluate.classifiers import NamedClassifier, open_classifiers
from augkit.commands.evaluate.evaluation_sets import (
    EvaluationSet,
    load_evaluation_set,
    note_skew,
    tests_of,
)
from augkit.commands.evaluate.inputs import (
    Case,
    RecordingClassifier,
    cases,
    read_run_variants,
)
from augkit.commands.evaluate.settings import EvaluateSettings, create_metrics
from augkit.core.errors import UserError
from augkit.core.progress import report_progress
from augkit.core.results import (
    Comparison,
    Difference,
    LengthBin,
    OneLabel,
    Result,
    RowCounts,
    Score,
    Skipped,
    Spread,
)
from augkit.evaluation.choices import length_bins
from augkit.evaluation.llm_answers import Answers
from augkit.evaluation.metrics.base import BaseMetric, Predictions
from augkit.evaluation.metrics.choice_accuracy import JudgedChoices
from augkit.text.features.statistics import corrected
from augkit.text.same_text import content_digest

Record = Result | Comparison
_NEARLY_ALL = 0.95
"""From this share of the rows on, a classifier gives one label to all but a few."""
_TRAINING_ITEMS = "the training items"
_FEW_TEXTS = 20
"""A test set with fewer different texts decides nothing."""


@dataclass(frozen=True)
class Measured:
    """The results, and the lines of ``predictions.jsonl`` that they come from."""

    records: list[Record]
    predictions: list[dict[str, Any]]


def evaluate(settings: EvaluateSettings, llm: Answers | None = None) -> list[Record]:
    """The results of ``measure``."""
    return measure(settings, llm).records


def measure(settings: EvaluateSettings, llm: Answers | None = None) -> Measured:
    """A result for each metric, test set and classifier, and the differences of classifiers.

    ``llm`` answers where the settings name an LLM under test.
    """
    settings = for_choices(settings)
    metrics = create_metrics(settings)
    tests = [load_evaluation_set(spec, settings) for spec in settings.tests]
    classifiers: list[NamedClassifier] = []
    if any(metric.inputs != "variants" for metric in metrics):
        classifiers, tests = open_classifiers(settings, tests, llm)
        tests = _with_trained_rows(tests, classifiers)
        if settings.chooses_by_skew:
            note_skew(tests)
    compared = _compared(len(classifiers), with_first=bool(settings.data))
    labels: dict[str, dict[str, str]] = {named.name: {} for named in classifiers}
    classifiers = [
        replace(named, classifier=RecordingClassifier(named.classifier, labels[named.name]))
        for named in classifiers
    ]
    records: list[Record] = []
    for metric in metrics:
        if metric.inputs == "variants" and settings.run is not None:
            records.append(_variants_result(metric, settings.run, settings, tests))
            continue
        if metric.inputs == "training choices":
            records += _training_results(metric, classifiers, compared)
            continue
        measured_tests = tests_of(metric, tests, settings)
        for case in cases(metric, measured_tests, classifiers, settings):
            report_progress(f"measuring {metric.name} on {case.name}")
            records += _case_results(metric, case, classifiers, compared)
    return Measured(_corrected(records), list(_prediction_lines(tests, labels)))


def _compared(count: int, *, with_first: bool) -> list[tuple[int, int]]:
    """Which classifiers are compared: each with the first, or each with the one before it.

    >>> _compared(3, with_first=True), _compared(3, with_first=False)
    ([(0, 1), (0, 2)], [(0, 1), (1, 2)])
    """
    if with_first:
        return [(0, number) for number in range(1, count)]
    return list(pairwise(range(count)))


def _with_trained_rows(
    tests: Sequence[EvaluationSet], classifiers: Sequence[NamedClassifier]
) -> list[EvaluationSet]:
    """The test sets with how many of their rows have a text that a classifier was trained on.

    That is None for a saved classifier whose training rows cannot be read any more.
    """
    keys = [[content_digest(row.fields.values()) for row in test.rows] for test in tests]
    counts: list[dict[str, int | None]] = [{} for _ in tests]
    for named in classifiers:
        if not named.rows:
            continue  # it was not trained here
        try:
            rows = named.corpus()
        except UserError:
            rows = ()
        trained = None
        if len(rows) == named.rows:  # else the file of a saved classifier is gone or has changed
            trained = {content_digest(row.fields.values()) for row in rows}
        for test_keys, in_train in zip(keys, counts, strict=True):
            in_train[named.name] = (
                None if trained is None else sum(key in trained for key in test_keys)
            )
    return [replace(test, in_train=in_train) for test, in_train in zip(tests, counts, strict=True)]


def _variants_result(
    metric: BaseMetric[Any],
    folder: Path,
    settings: EvaluateSettings,
    tests: Sequence[EvaluationSet],
) -> Result:
    rows = [row for test in tests for row in test.rows]
    variants = read_run_variants(folder, settings.reading.data_folder, settings.model, rows)
    judge = {"members": variants.judge.held_out_accuracy, "warnings": variants.judge.warnings}
    test = f"{len(variants.variants):,} variants"
    return replace(_measured(metric, variants, folder.name, test), judge=judge)


def _case_results(
    metric: BaseMetric[Any],
    case: Case,
    classifiers: Sequence[NamedClassifier],
    compared: Sequence[tuple[int, int]],
) -> Iterator[Record]:
    """A result for each classifier, and the differences of those that are compared."""
    weak_test = _weak_test(metric, case)
    predicted = [case.predict(named.classifier) for named in classifiers]
    sampled = [[case.predict_main(sample) for sample in named.samples] for named in classifiers]
    for named, data, samples in zip(classifiers, predicted, sampled, strict=True):
        mains = tuple(
            next(score.value for score in metric.score(sample) if isinstance(score, Score))
            for sample in samples
        )
        yield replace(
            _result(metric, case, named, data),
            weak_test=weak_test,
            seeds=Spread(mains, named.sampling) if mains else None,
        )
    for first, second in compared:
        over_seeds = [
            metric.compare(*samples)
            for samples in zip(sampled[first], sampled[second], strict=False)
        ]
        for index, difference in enumerate(metric.compare(predicted[first], predicted[second])):
            values = tuple(differences[index].score.value for differences in over_seeds)
            yield replace(
                _comparison(metric, difference, classifiers[first], classifiers[second], case.name),
                weak_test=weak_test,
                over_seeds=Spread(values, classifiers[first].sampling) if values else None,
            )


def _comparison(
    metric: BaseMetric[Any],
    difference: Difference,
    first: NamedClassifier,
    second: NamedClassifier,
    test: str,
) -> Comparison:
    return Comparison(
        metric=metric.name,
        direction=difference.direction or metric.direction,
        score=difference.name,
        difference=difference.score,
        p=difference.p,
        first=first.name,
        second=second.name,
        test=test,
        is_reference=second.is_reference,
    )


def _training_results(
    metric: BaseMetric[Any],
    classifiers: Sequence[NamedClassifier],
    compared: Sequence[tuple[int, int]],
) -> Iterator[Record]:
    """A result for the training rows of each model, and the differences of those compared."""
    measured = []
    for named in classifiers:
        report_progress(f"measuring {metric.name} of {named.name}")
        measured.append(blind_items(named.corpus(), named.units))
        yield replace(
            _measured(metric, measured[-1], named.name, _TRAINING_ITEMS),
            is_reference=named.is_reference,
        )
    for first, second in compared:
        for difference in metric.compare(measured[first], measured[second]):
            sides = classifiers[first], classifiers[second]
            yield _comparison(metric, difference, *sides, _TRAINING_ITEMS)


def _result(metric: BaseMetric[Any], case: Case, named: NamedClassifier, data: Any) -> Result:
    """The scores of a classifier, what it was trained on, and how it answered."""
    return replace(
        _measured(metric, data, named.name, case.name),
        perturbation=case.perturbation,
        model=named.model,
        rows=RowCounts(
            train=named.rows,
            test=len(case.test.rows),
            left_out_of_train=named.left_out,
            left_out_of_test=case.test.left_out,
            in_train=case.test.in_train.get(named.name, 0),
            ood=case.ood_rows,
        ),
        is_reference=named.is_reference,
        llm=named.answers(),
        by_length=_by_length(data) if metric.inputs == "choices" else (),
        one_label=_one_label(
            data if metric.inputs == "predictions" else getattr(data, "pairs", ())
        ),
    )


def _measured(metric: BaseMetric[Any], data: Any, train: str, test: str) -> Result:
    """The scores of a metric by name, and the parts that were skipped with the reasons."""
    scores = metric.score(data)
    return Result(
        metric=metric.name,
        direction=metric.direction,
        train=train,
        test=test,
        scores={score.name: score for score in scores if isinstance(score, Score)},
        skipped={part.name: part.reason for part in scores if isinstance(part, Skipped)},
    )


def _by_length(data: JudgedChoices) -> tuple[LengthBin, ...]:
    decided = ((judged.ratio, judged.won, judged.picked) for judged in data)
    return length_bins((ratio, won, picked) for ratio, won, picked in decided if won is not None)


def _one_label(predictions: Predictions) -> OneLabel | None:
    """The label that all rows get, or all but a few, where it is the true one of some only."""
    labelled = [pair for pair in predictions if pair.gold is not None]
    if not labelled:
        return None
    label, count = Counter(pair.original for pair in labelled).most_common(1)[0]
    right = sum(pair.gold == label for pair in labelled)
    nearly_all = _NEARLY_ALL * len(labelled)
    if count < nearly_all or not 0 < right < nearly_all:
        return None
    return OneLabel(label, count, len(labelled), right / len(labelled))


def _weak_test(metric: BaseMetric[Any], case: Case) -> tuple[str, ...]:
    """Why a test set decides nothing: one label, few texts, or mostly copies."""
    rows = case.test.rows
    labels = {row.label for row in rows} - {None}
    texts = len({tuple(row.fields.values()) for row in rows})
    reasons = []
    if metric.inputs == "predictions" and len(labels) == 1:
        reasons.append(f"all rows of {case.name} have the label '{labels.pop()}': weak evidence")
    copies = f"{case.name} has {texts:,} different texts in {len(rows):,} rows"
    if 2 * texts < len(rows):
        reasons.append(f"{copies}: intervals and p-values count copies, so they say too much")
    elif texts < _FEW_TEXTS:
        reasons.append(f"{copies}: too few for a decision")
    return tuple(reasons)


def _corrected(records: Sequence[Record]) -> list[Record]:
    """The results; each of several p-values with the one corrected by Holm's method beside it."""
    import numpy as np

    p_values = [record.p for record in records if isinstance(record, Comparison)]
    if len(p_values) < 2:
        return list(records)
    adjusted = iter(corrected(np.array(p_values), "holm").tolist())
    return [
        replace(record, p_corrected=next(adjusted)) if isinstance(record, Comparison) else record
        for record in records
    ]


def _prediction_lines(
    tests: Sequence[EvaluationSet], labels: Mapping[str, Mapping[str, str]]
) -> Iterator[dict[str, Any]]:
    """Lines of ``predictions.jsonl``, for rows that a metric needed a prediction of.

    ``labels``: name of a classifier → id of a row → the predicted label.
    """
    for test in tests:
        for row in test.rows:
            predicted = {
                name: by_row[row.id] for name, by_row in labels.items() if row.id in by_row
            }
            if predicted:
                row_id = {"row_id": row.columns.get(test.id_column)} if test.id_column else {}
                yield {
                    "test": test.name,
                    "row": test.numbers[row.id],
                    **row_id,
                    "label": row.label,
                    "predicted": predicted,
                }
