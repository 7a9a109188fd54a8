"""What each metric is given: predictions on a test set in the form that its ``inputs`` name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from augkit.augmenters.base import keyed_random
from augkit.augmenters.baselines.random_edit import fit_corpus_words, matched_control
from augkit.augmenters.compose import outcomes_of
from augkit.augmenters.create import create
from augkit.commands.evaluate.classifiers import NamedClassifier
from augkit.commands.evaluate.match_columns import reading_for, with_fields
from augkit.commands.evaluate.predictions import (
    counterfactual_predictions,
    pair_predictions,
    row_predictions,
)
from augkit.commands.evaluate.settings import EvaluateSettings
from augkit.commands.evaluate.training_sets import load_rows, usable
from augkit.core.errors import ConfigError, DataError
from augkit.core.protocols import Classifier, Step, Tools
from augkit.core.types import Example, NoItems, Outcome, Pair
from augkit.evaluation.metrics.base import BaseMetric, PerturbedPredictions
from augkit.evaluation.metrics.ood_auroc import Confidences
from augkit.runs.manifest import read_manifest
from augkit.runs.models import open_models
from augkit.runs.settings import RunSettings
from augkit.text.tokens import words


@dataclass(frozen=True)
class EvaluationSet:
    """The rows of a test set that have a label and a text; ``left_out`` counts the others."""

    name: str
    rows: Sequence[Example]
    left_out: int
    labels: frozenset[str] = frozenset()
    """All labels of the dataset, whatever rows are selected."""
    numbers: Mapping[str, int] = field(default_factory=NoItems)
    """Id of a row → its number in the dataset, from 1."""
    id_column: str | None = None
    in_train: Mapping[str, int | None] = field(default_factory=NoItems)
    """Name of a classifier → how many of the rows have a text that it was trained on; None: not
    known."""


def load_evaluation_set(spec: str, settings: EvaluateSettings) -> EvaluationSet:
    """The labelled rows of a dataset."""
    every = _load_test_rows(spec, settings, settings.id_column)
    rows = settings.of(every)
    kept = usable(rows)
    if not kept:
        raise DataError(
            f"{spec}: none of its {len(rows)} rows has a label to compare a prediction with. "
            "Choose another split, or name the column with --label-column"
        )
    labels = frozenset(str(row.label) for row in usable(every))
    numbers = {row.id: number for number, row in enumerate(every, 1)}
    id_column = settings.id_column or _id_column_of_run(settings, rows)
    return EvaluationSet(spec, kept, len(rows) - len(kept), labels, numbers, id_column=id_column)


def _id_column_of_run(settings: EvaluateSettings, rows: Sequence[Example]) -> str | None:
    """The id column of the run's dataset, where all rows of the test set have one of that name."""
    named = read_manifest(settings.run).settings.get("id_column") if settings.run else None
    return named if named and all(named in row.columns for row in rows) else None


def _load_ood_rows(spec: str, settings: EvaluateSettings, fields: Sequence[str]) -> list[Example]:
    """Rows out of distribution: they need no label, but the fields that the classifier reads."""
    rows = settings.of(_load_test_rows(spec, settings))
    kept = [row for row in rows if not row.fault]
    return with_fields(kept, fields, "the classifier", spec)


def _load_test_rows(
    spec: str, settings: EvaluateSettings, id_column: str | None = None
) -> list[Example]:
    reading = settings.reading
    if settings.run is not None:
        reading = reading_for(spec, reading, read_manifest(settings.run).settings)
    if id_column is not None:
        reading = reading.model_copy(update={"id_column": id_column})
    return load_rows(spec, reading)


def match_test(
    name: str, known: set[str], fields: Sequence[str], test: EvaluationSet
) -> EvaluationSet:
    """The test set with the fields of the training rows; its labels must be among theirs."""
    labels = {str(row.label) for row in test.rows}
    if labels - known:
        raise DataError(
            f"{name} and {test.name} have different labels: {_listed(known)} against "
            f"{_listed(labels)}. A classifier can only be evaluated on labels it was trained on"
        )
    return replace(test, rows=with_fields(test.rows, fields, name, test.name))


def _listed(labels: set[str]) -> str:
    shown = sorted(labels)
    return ", ".join(shown[:6]) + (" ..." if len(shown) > 6 else "")


@dataclass(frozen=True)
class PerturbedRows:
    """Perturbed pairs of test rows, a control for each, and the reasons of rejections."""

    pairs: Sequence[Pair]
    rejected: Counter[str]
    controls: Sequence[Pair]
    control_rejected: Counter[str]


def perturb_rows(
    step: Step, rows: Sequence[Example], corpus: Sequence[Example], seed: int
) -> PerturbedRows:
    """Perturb the test rows and make a control of the same size for each perturbed pair.

    The control's words come from the training ``corpus``; no word that the perturbation removed
    or inserted anywhere is removed or inserted by it.
    """
    pairs, rejected = _split(outcomes_of(step, rows))
    _check(pairs, rejected, len(rows))
    vocabulary = fit_corpus_words(corpus).without(_edited_words(pairs))
    controls, control_rejected = _split(
        matched_control(pair, vocabulary, keyed_random(seed, pair.variant.id, "control", 0))
        for pair in pairs
    )
    return PerturbedRows(pairs, rejected, controls, control_rejected)


def _split(outcomes: Iterable[Outcome]) -> tuple[list[Pair], Counter[str]]:
    pairs, rejected = [], Counter[str]()
    for outcome in outcomes:
        if isinstance(outcome, Pair):
            pairs.append(outcome)
        else:
            rejected[outcome.reason] += 1
    return pairs, rejected


def _check(pairs: Sequence[Pair], rejected: Counter[str], rows: int) -> None:
    if not pairs:
        reasons = ", ".join(f"{reason}: {n}" for reason, n in rejected.most_common(3))
        raise DataError(
            f"nothing to compare: the method changed none of the {rows} test rows ({reasons}). "
            "Choose a test set with references to people, or another --method"
        )
    for pair in pairs:
        if pair.provenance.contract != "kept":
            raise DataError(
                f"'{pair.provenance.method}' does not promise to keep the label "
                f"({pair.provenance.contract}), so a changed prediction may be the right one. "
                "Choose a --method that keeps it"
            )


def _edited_words(pairs: Sequence[Pair]) -> set[str]:
    edits = (edit for pair in pairs for edit in pair.provenance.edits)
    return {word for edit in edits for word in words(edit.before) + words(edit.after)}


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
    details: Mapping[str, Any] = field(default_factory=NoItems)
    rows: Mapping[str, int] = field(default_factory=NoItems)


def cases(
    metric: BaseMetric[Any],
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
    controls = found.controls if with_control else ()
    return PerturbedPredictions(
        pair_predictions(classifier, found.pairs),
        pair_predictions(classifier, controls),
        unchanged=len({row.id for row in rows} - {pair.original.id for pair in found.pairs}),
    )


def _ood(
    tests: Sequence[EvaluationSet],
    classifiers: Sequence[NamedClassifier],
    settings: EvaluateSettings,
) -> Iterator[Case]:
    for spec in settings.ood:
        outside = _load_ood_rows(spec, settings, classifiers[0].fields)
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
