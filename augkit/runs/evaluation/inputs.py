"""What each metric is given: predictions on a test set in the form that its ``inputs`` name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from augkit.augmenters.create import create
from augkit.core.errors import ConfigError
from augkit.core.protocols import Classifier, Metric, Tools
from augkit.core.types import EMPTY, Example
from augkit.evaluation.metrics.base import PerturbedPredictions
from augkit.evaluation.metrics.ood_auroc import Confidences
from augkit.runs.evaluation.classifiers import NamedClassifier
from augkit.runs.evaluation.evaluation_sets import EvaluationSet, load_ood_rows
from augkit.runs.evaluation.perturbation import PerturbedRows, perturb_rows
from augkit.runs.evaluation.predictions import (
    counterfactual_predictions,
    pair_predictions,
    row_predictions,
)
from augkit.runs.evaluation.settings import EvaluateSettings
from augkit.runs.models import open_models
from augkit.runs.settings import RunSettings

Predict = Callable[[Classifier], Any]


@dataclass(frozen=True)
class Case:
    """One test of all classifiers: ``predict`` gives what the metric scores.

    ``predict_main`` gives as much of it as the main score needs; ``details`` and ``rows`` are
    written to the record.
    """

    name: str
    test: EvaluationSet
    predict: Predict
    predict_main: Predict
    details: Mapping[str, Any] = EMPTY
    rows: Mapping[str, int] = EMPTY


def cases(
    metric: Metric[Any],
    tests: Sequence[EvaluationSet],
    classifiers: Sequence[NamedClassifier],
    settings: EvaluateSettings,
) -> Iterator[Case]:
    """All test sets, prepared as the metric needs them."""
    if metric.inputs not in _PREPARE:
        known = ", ".join([*_PREPARE, "variants"])
        raise ConfigError(
            f"the metric '{metric.name}' needs '{metric.inputs}', which is unknown. Known: {known}"
        )
    return _PREPARE[metric.inputs](tests, classifiers, settings)


def _rows(
    predict: Callable[..., Any],
    tests: Sequence[EvaluationSet],
    _classifiers: Sequence[NamedClassifier],
    _settings: EvaluateSettings,
) -> Iterator[Case]:
    for test in tests:
        predict_rows = partial(predict, rows=test.rows)
        yield Case(test.name, test, predict_rows, predict_rows)


def _perturbed(
    tests: Sequence[EvaluationSet],
    classifiers: Sequence[NamedClassifier],
    settings: EvaluateSettings,
) -> Iterator[Case]:
    """All classifiers see the same perturbed rows and the same controls."""
    corpus = classifiers[0].corpus()
    for test in tests:
        with _tools(settings) as tools:
            step = create(settings.method, tools, **settings.options).fit(corpus)
            found = perturb_rows(step, test.rows, corpus, settings.options.get("seed", 0))
        details = {
            "rejected": dict(found.rejected.most_common()),
            "control_rejected": dict(found.control_rejected.most_common()),
            "method": settings.method,
        }
        pairs = partial(_perturbed_predictions, test.rows, found, with_control=False)
        both = partial(_perturbed_predictions, test.rows, found, with_control=True)
        yield Case(test.name, test, both, pairs, details)


def _perturbed_predictions(
    rows: Sequence[Example], found: PerturbedRows, classifier: Classifier, *, with_control: bool
) -> PerturbedPredictions:
    pairs = pair_predictions(classifier, rows, found.pairs)
    if not with_control or not found.controls:
        return PerturbedPredictions(pairs)
    return PerturbedPredictions(pairs, pair_predictions(classifier, rows, found.controls))


def _ood(
    tests: Sequence[EvaluationSet],
    classifiers: Sequence[NamedClassifier],
    settings: EvaluateSettings,
) -> Iterator[Case]:
    for spec in settings.ood:
        outside = load_ood_rows(spec, settings.reading, classifiers[0].fields)
        for test in tests:
            name = f"{test.name} against {spec}"
            predict = partial(_confidences, test.rows, outside)
            yield Case(name, test, predict, predict, rows={"ood": len(outside)})


def _confidences(
    inside: Sequence[Example], outside: Sequence[Example], classifier: Classifier
) -> Confidences:
    first, second = (classifier.predict(rows).max(axis=1) for rows in (inside, outside))
    return Confidences(first, second)


_PREPARE: dict[str, Callable[..., Iterator[Case]]] = {
    "predictions": partial(_rows, row_predictions),
    "counterfactuals": partial(_rows, counterfactual_predictions),
    "perturbed": _perturbed,
    "ood": _ood,
}


@contextmanager
def _tools(settings: EvaluateSettings) -> Iterator[Tools]:
    """The model of ``--llm``, where one is named; ``--cache`` keeps its replies."""
    run = RunSettings(llm=settings.llm, connection=settings.connection)
    with TemporaryDirectory() as folder, open_models(run, Path(folder)) as models:
        yield models.tools
