"""``evaluate``: train classifiers, measure them on test sets, compare what they were trained on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import Field

from augkit import registry
from augkit.config import StrictModel, validate
from augkit.corpora.columns import ReadOptions
from augkit.data import Example, PredictedPair
from augkit.errors import ConfigError, DataError
from augkit.evaluation.fairscore import row_shares
from augkit.evaluation.intervals import Interval
from augkit.evaluation.significance import mcnemar, paired_difference
from augkit.llm.settings import ConnectOptions
from augkit.models.labels import class_labels
from augkit.models.linear import LinearConfig
from augkit.models.members import Member, train_member
from augkit.protocols import Classifier, Tools
from augkit.run.answers import answered, counterfactual_answers, plain, row_answers
from augkit.run.arms import Arm, TrainOn, dataset_arm, load_rows, run_arms, usable
from augkit.run.fairness import Perturbed, fairscore_record, perturb, perturber, predicted_pairs
from augkit.run.models import open_models
from augkit.run.settings import RunSettings
from augkit.text.association import corrected

_PAIRED = frozenset({"pair-consistency"})
"""Metrics of counterfactual pairs that the test set itself holds."""
_KINDS = ("linear", "encoder", "transformers")


class EvaluateSettings(StrictModel):
    """What is trained on, tested on and measured."""

    run: Path | None = Field(None, description="a finished run folder")
    train: str | None = Field(None, description="a dataset, in the place of a run")
    train_on: TrainOn = Field("both", description="of a run: its originals, its result, or both")
    tests: tuple[str, ...] = Field((), description="datasets to measure on")
    metrics: tuple[str, ...] = Field(("accuracy",), min_length=1, description="what is measured")
    model: Member = Field(default_factory=LinearConfig, description="the classifier's settings")
    method: str = Field("panda", description="what perturbs the test rows for fairscore")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of that method")
    interval: Interval = Field("exact", description="of shares: exact, or bootstrap over rows")
    seeds: int = Field(
        0, ge=0, description="further models, each without a random tenth of the originals"
    )
    limit: int | None = Field(None, ge=1, description="only the first rows of each test set")
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")
    llm: str = Field("offline", description="for a method that needs one to perturb the test rows")
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="how that model is reached, and the budget"
    )


@dataclass(frozen=True)
class Trained:
    """An arm, the classifier of all its rows, and those of its samples."""

    arm: Arm
    classifier: Classifier
    samples: Sequence[Classifier]


@dataclass(frozen=True)
class HeldOut:
    """Rows to measure on; ``usable`` ones alone."""

    name: str
    rows: Sequence[Example]
    left_out: int


def evaluate(settings: EvaluateSettings) -> list[dict[str, Any]]:
    """One record per metric, test set and arm; then the differences, where there are two arms."""
    _check_asked(settings)
    arms = _arms(settings)
    tests = [_held_out(spec, settings) for spec in settings.tests]
    for arm in arms:
        known = _labels(arm)
        for test in tests:
            _check_same_task(arm, known, test)
    trained = [_train(arm, settings) for arm in arms]
    records = [
        record
        for name in settings.metrics
        for test in tests
        for record in _measured(name, test, trained, settings)
    ]
    _correct(records)
    return records


def _correct(records: Sequence[dict[str, Any]]) -> None:
    """Beside each of several p-values the one corrected for their number, by Holm's method."""
    import numpy as np

    tested = [record for record in records if "p" in record]
    if len(tested) > 1:
        adjusted = corrected(np.array([record["p"] for record in tested]), "holm")
        for record, p in zip(tested, adjusted.tolist(), strict=True):
            record["p_corrected"] = p


def _check_asked(settings: EvaluateSettings) -> None:
    if (settings.run is None) == (settings.train is None):
        raise ConfigError("what is to be trained on? Give a run folder, or --train DATASET")
    if not settings.tests:
        raise ConfigError("what is to be measured on? Give --test DATASET, as --test sst2:dev")
    for name in settings.metrics:
        registry.find("metrics", name)


def _arms(settings: EvaluateSettings) -> list[Arm]:
    if settings.run is not None:
        return run_arms(settings.run, settings.train_on, settings.reading.data_folder)
    return [dataset_arm(settings.train or "", settings.reading)]


def _train(arm: Arm, settings: EvaluateSettings) -> Trained:
    try:
        whole = train_member(arm.examples, settings.model)
        samples = [train_member(arm.sample(seed), settings.model) for seed in range(settings.seeds)]
    except DataError as error:
        raise DataError(f"{arm.name}: {error}") from None
    return Trained(arm, whole, samples)


def _held_out(spec: str, settings: EvaluateSettings) -> HeldOut:
    rows = load_rows(spec, settings.reading)[: settings.limit]
    kept = usable(rows)
    if not kept:
        raise DataError(
            f"{spec}: none of its {len(rows)} rows has a label to hold a prediction against. "
            "Choose another split, or name the column with --label-column"
        )
    return HeldOut(spec, kept, len(rows) - len(kept))


def _labels(arm: Arm) -> set[str]:
    try:
        return set(class_labels(arm.examples))
    except DataError as error:
        raise DataError(f"{arm.name}: {error}") from None


def _check_same_task(arm: Arm, known: set[str], test: HeldOut) -> None:
    """Labels and fields of the test set must be those of the training rows."""
    asked = {str(row.label) for row in test.rows}
    if asked - known:
        raise DataError(
            f"{arm.name} and {test.name} have different labels: {_listed(known)} against "
            f"{_listed(asked)}. A classifier can only be measured on labels it was taught"
        )
    ours, theirs = (tuple(rows[0].fields) for rows in (arm.examples, test.rows))
    if set(ours) != set(theirs):
        raise DataError(
            f"{arm.name} and {test.name} have different text fields: {', '.join(ours)} against "
            f"{', '.join(theirs)}. Name the columns alike, or use --text-column"
        )


def _measured(
    name: str, test: HeldOut, trained: Sequence[Trained], settings: EvaluateSettings
) -> list[dict[str, Any]]:
    perturbed = None
    if name == "fairscore":
        # Both arms meet the same perturbed rows and the same controls.
        corpus = trained[0].arm.examples
        with _tools(settings) as tools:
            step = perturber(settings.method, settings.options, corpus, tools)
            perturbed = perturb(step, test.rows, corpus, settings.options.get("seed", 0))
    records = [_record(name, test, one, perturbed, settings) for one in trained]
    if len(trained) == 2 and name in {"accuracy", "fairscore"}:
        records.append(_difference(name, test, trained, perturbed))
    return records


@contextmanager
def _tools(settings: EvaluateSettings) -> Iterator[Tools]:
    """The model of ``--llm``, where one is named; its answers last as long as the evaluation.

    What is to outlast it is kept in the file of ``--cache``.
    """
    named = RunSettings(llm=settings.llm, connection=settings.connection)
    with TemporaryDirectory() as folder, open_models(named, Path(folder)) as models:
        yield models.tools


def _record(
    name: str,
    test: HeldOut,
    trained: Trained,
    perturbed: Perturbed | None,
    settings: EvaluateSettings,
) -> dict[str, Any]:
    if perturbed is None:
        scores = registry.find("metrics", name)(_answers(name, trained.classifier, test))
        record = {"metric": name, "scores": {score.name: plain(score) for score in scores}}
    else:
        record = fairscore_record(trained.classifier, perturbed, settings.interval)
        record["method"] = settings.method
    record |= {
        "model": settings.model.model_dump(mode="json"),
        "train": trained.arm.name,
        "test": test.name,
        "rows": {
            "train": len(trained.arm.examples),
            "test": len(test.rows),
            "left_out_of_train": trained.arm.left_out,
            "left_out_of_test": test.left_out,
        },
    }
    if trained.samples:
        record["seeds"] = _spread(name, test, trained, perturbed)
    return record


def _spread(
    name: str, test: HeldOut, trained: Trained, perturbed: Perturbed | None
) -> dict[str, Any]:
    """The metric's first score for each classifier that was taught nine tenths of the rows."""
    metric = registry.find("metrics", name)
    values = [
        metric(_answers(name, classifier, test, perturbed))[0].value
        for classifier in trained.samples
    ]
    deviation = stdev(values) if len(values) > 1 else None
    return {"values": values, "mean": fmean(values), "deviation": deviation}


def _answers(
    name: str, classifier: Classifier, test: HeldOut, perturbed: Perturbed | None = None
) -> list[PredictedPair]:
    if perturbed is not None:
        return predicted_pairs(classifier, test.rows, perturbed.pairs)
    asked = counterfactual_answers if name in _PAIRED else row_answers
    return asked(classifier, test.rows)


def _difference(
    name: str, test: HeldOut, trained: Sequence[Trained], perturbed: Perturbed | None
) -> dict[str, Any]:
    """Second arm minus first, over the same test rows."""
    first, second = (_per_row(name, one.classifier, test, perturbed) for one in trained)
    record: dict[str, Any] = {
        "metric": name,
        "difference": plain(paired_difference(f"{name} difference", first, second)),
        "from": trained[0].arm.name,
        "to": trained[1].arm.name,
        "test": test.name,
    }
    if perturbed is None:
        record["p"] = mcnemar(list(map(bool, first)), list(map(bool, second)))
    return record


def _per_row(
    name: str, classifier: Classifier, test: HeldOut, perturbed: Perturbed | None
) -> list[float]:
    """For each row 1 where the answer is right, or for fairscore the share of changed answers."""
    if perturbed is not None:
        return list(row_shares(_answers(name, classifier, test, perturbed)).values())
    right = zip(answered(classifier, test.rows), test.rows, strict=True)
    return [float(answer == row.label) for answer, row in right]


def _listed(labels: set[str]) -> str:
    shown = sorted(labels)
    return ", ".join(shown[:6]) + (" ..." if len(shown) > 6 else "")


def settings_of(values: dict[str, Any]) -> EvaluateSettings:
    """Validate what the command line gathered; what was not given takes its default."""
    given = {key: value for key, value in values.items() if value is not None}
    if kind := given.pop("model_kind", None):
        given["model"] = {**_model_of(kind), **given.get("model", {})}
    return validate(EvaluateSettings, given, "evaluate settings")


def _model_of(spec: str) -> dict[str, str]:
    """What ``linear``, ``encoder:PATH`` or ``transformers:PATH`` names."""
    kind, _, path = spec.partition(":")
    if kind not in _KINDS or bool(path) == (kind == "linear"):
        raise ConfigError(
            f"no model '{spec}': give linear, encoder:PATH or transformers:PATH, where PATH is a "
            "folder with a saved model or a hub id"
        )
    return {"kind": kind, **({"model": path} if path else {})}
