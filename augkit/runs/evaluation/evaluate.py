"""``evaluate``: train classifiers, measure them on test sets, compare what they were trained on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import Field

from augkit.core import registry
from augkit.core.config import StrictModel, validate
from augkit.core.errors import ConfigError
from augkit.core.protocols import Classifier, Tools
from augkit.core.types import PredictedPair
from augkit.datasets.columns import ReadOptions
from augkit.evaluation.statistics.comparison import compare
from augkit.evaluation.statistics.intervals import Interval
from augkit.llm.settings import ConnectOptions
from augkit.models.classifiers.linear import LinearConfig
from augkit.models.classifiers.train import ClassifierConfig
from augkit.runs.evaluation.classifiers import Subject, about, arm_labels, saved, taught
from augkit.runs.evaluation.comparisons import correct, difference_records, spread
from augkit.runs.evaluation.fairness import (
    Perturbed,
    fairscore_record,
    perturb,
    perturber,
    predicted_pairs,
)
from augkit.runs.evaluation.ood import AUROC, auroc_records
from augkit.runs.evaluation.predictions import counterfactual_answers, plain, row_answers
from augkit.runs.evaluation.quality import QUALITY, quality_records
from augkit.runs.evaluation.test_rows import HeldOut, check_same_task, foreign_rows, held_out
from augkit.runs.evaluation.training_sets import Arm, TrainOn, dataset_arm, run_arms
from augkit.runs.models import open_models
from augkit.runs.settings import RunSettings

_PAIRED = frozenset({"pair-consistency"})
"""Metrics of counterfactual pairs that the test set itself holds."""
_KINDS = ("linear", "encoder", "transformers")


class EvaluateSettings(StrictModel):
    """What is trained on, tested on and measured."""

    run: Path | None = Field(None, description="a finished run folder")
    train: str | None = Field(None, description="a dataset, in the place of a run")
    classifiers: tuple[Path, ...] = Field(
        (), description="folders of `augkit train`, in the place of training; two are compared"
    )
    train_on: TrainOn = Field("both", description="of a run: its originals, its result, or both")
    tests: tuple[str, ...] = Field((), description="datasets to measure on")
    foreign: tuple[str, ...] = Field(
        (), description="datasets of another distribution, for ood-auroc"
    )
    metrics: tuple[str, ...] = Field(("accuracy",), min_length=1, description="what is measured")
    model: ClassifierConfig = Field(
        default_factory=LinearConfig, description="the classifier's settings"
    )
    method: str = Field("panda", description="what perturbs the test rows for fairscore")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of that method")
    interval: Interval = Field("exact", description="of shares: exact, or bootstrap over rows")
    seeds: int = Field(
        3, ge=0, description="further models, each without a random tenth of the originals"
    )
    limit: int | None = Field(None, ge=1, description="only the first rows of each test set")
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")
    llm: str = Field("offline", description="for a method that needs one to perturb the test rows")
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="how that model is reached, and the budget"
    )


def evaluate(settings: EvaluateSettings) -> list[dict[str, Any]]:
    """One record per metric, test set and arm; then the differences, where there are two arms."""
    _check_asked(settings)
    tests = [held_out(spec, settings.reading, settings.limit) for spec in settings.tests]
    subjects = _subjects(settings, tests)
    records = [
        record
        for name in settings.metrics
        if name != QUALITY
        for record in _by_metric(name, tests, subjects, settings)
    ]
    if QUALITY in settings.metrics and settings.run is not None:
        records += quality_records(settings.run, settings.reading.data_folder, settings.model)
    correct(records)
    return records


def _check_asked(settings: EvaluateSettings) -> None:
    given = [settings.run is not None, settings.train is not None, bool(settings.classifiers)]
    if sum(given) != 1:
        raise ConfigError(
            "who is to be measured? Give a run folder, or --train DATASET, or --classifier DIR"
        )
    for name in settings.metrics:
        registry.find("metrics", name)
    if QUALITY in settings.metrics and settings.run is None:
        raise ConfigError("quality is that of a run's variants: give the run folder")
    if not settings.tests and set(settings.metrics) != {QUALITY}:
        raise ConfigError("what is to be measured on? Give --test DATASET, as --test sst2:dev")
    if (AUROC in settings.metrics) != bool(settings.foreign):
        raise ConfigError(
            f"--metric {AUROC} and --foreign DATASET belong together: the rows of --test are the "
            "familiar ones, those of --foreign the others"
        )
    if len(settings.classifiers) > 2:
        raise ConfigError("one classifier is measured, or two are compared: --classifier twice")


def _subjects(settings: EvaluateSettings, tests: Sequence[HeldOut]) -> list[Subject]:
    """The classifiers, each checked against the test sets before anything is trained."""
    if settings.metrics == (QUALITY,):
        return []
    if settings.classifiers:
        found = [saved(folder, settings.reading) for folder in settings.classifiers]
        for one in found:
            for test in tests:
                check_same_task(one.name, set(one.classifier.labels), one.fields, test)
        return found
    arms = _arms(settings)
    for arm in arms:
        known = arm_labels(arm)
        for test in tests:
            check_same_task(arm.name, known, tuple(arm.examples[0].fields), test)
    return [taught(arm, settings.model, settings.seeds) for arm in arms]


def _arms(settings: EvaluateSettings) -> list[Arm]:
    if settings.run is not None:
        return run_arms(settings.run, settings.train_on, settings.reading.data_folder)
    return [dataset_arm(settings.train or "", settings.reading)]


def _by_metric(
    name: str, tests: Sequence[HeldOut], subjects: Sequence[Subject], settings: EvaluateSettings
) -> Iterator[dict[str, Any]]:
    if name == AUROC:
        for spec in settings.foreign:
            rows = foreign_rows(spec, settings.reading, subjects[0].fields)
            for test in tests:
                yield from auroc_records(subjects, test, spec, rows)
        return
    for test in tests:
        yield from _measured(name, test, subjects, settings)


def _measured(
    name: str, test: HeldOut, subjects: Sequence[Subject], settings: EvaluateSettings
) -> list[dict[str, Any]]:
    perturbed = None
    if name == "fairscore":
        # All meet the same perturbed rows and the same controls.
        corpus = subjects[0].corpus()
        with _tools(settings) as tools:
            step = perturber(settings.method, settings.options, corpus, tools)
            perturbed = perturb(step, test.rows, corpus, settings.options.get("seed", 0))
    answers = [_answers(name, one.classifier, test, perturbed) for one in subjects]
    sampled = [
        [_answers(name, classifier, test, perturbed) for classifier in one.samples]
        for one in subjects
    ]
    records = []
    for one, told, several in zip(subjects, answers, sampled, strict=True):
        if perturbed is None:
            scores = registry.find("metrics", name)(told)
            record = {"metric": name, "scores": {score.name: plain(score) for score in scores}}
        else:
            record = fairscore_record(one.classifier, perturbed, settings.interval)
            record["method"] = settings.method
        records.append(record | about(one, test))
        if several:
            values = [registry.find("metrics", name)(each)[0].value for each in several]
            records[-1]["seeds"] = spread(values, one.sampled)
    if len(subjects) == 2:
        arms = (subjects[0].name, subjects[1].name)
        again = [compare(name, *both) for both in zip(*sampled, strict=False)]
        found = compare(name, *answers)
        records += difference_records(name, test.name, arms, found, again)
    return records


@contextmanager
def _tools(settings: EvaluateSettings) -> Iterator[Tools]:
    """The model of ``--llm``, where one is named; its answers last as long as the evaluation.

    What is to outlast it is kept in the file of ``--cache``.
    """
    named = RunSettings(llm=settings.llm, connection=settings.connection)
    with TemporaryDirectory() as folder, open_models(named, Path(folder)) as models:
        yield models.tools


def _answers(
    name: str, classifier: Classifier, test: HeldOut, perturbed: Perturbed | None = None
) -> list[PredictedPair]:
    if perturbed is not None:
        return predicted_pairs(classifier, test.rows, perturbed.pairs)
    asked = counterfactual_answers if name in _PAIRED else row_answers
    return asked(classifier, test.rows)


def settings_of(values: dict[str, Any]) -> EvaluateSettings:
    """Validate what the command line gathered; what was not given takes its default."""
    given = {key: value for key, value in values.items() if value is not None}
    if kind := given.pop("model_kind", None):
        given["model"] = {**model_of(kind), **given.get("model", {})}
    return validate(EvaluateSettings, given, "evaluate settings")


def model_of(spec: str) -> dict[str, str]:
    """What ``linear``, ``encoder:PATH`` or ``transformers:PATH`` names."""
    kind, _, path = spec.partition(":")
    if kind not in _KINDS or bool(path) == (kind == "linear"):
        raise ConfigError(
            f"no model '{spec}': give linear, encoder:PATH or transformers:PATH, where PATH is a "
            "folder with a saved model or a hub id"
        )
    return {"kind": kind, **({"model": path} if path else {})}
