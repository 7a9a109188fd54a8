"""Classifiers to evaluate: trained for the occasion, saved by ``train``, or an LLM.

An LLM is asked which label a text has, with the labels in several orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from augkit.commands.evaluate.choices import (
    LLMReward,
    hold_out,
    own_reward,
    train_reward_classifier,
    unit_names,
)
from augkit.commands.evaluate.compared import load_compared
from augkit.commands.evaluate.evaluation_sets import (
    EvaluationSet,
    match_test,
    reading_for,
    with_fields,
)
from augkit.commands.evaluate.settings import (
    EvaluateSettings,
    LLMClassifierConfig,
    create_metric,
)
from augkit.commands.evaluate.training_sets import (
    TrainingSet,
    load_training_set,
    run_training_sets,
)
from augkit.commands.robust_training import RobustChoice, robust_training
from augkit.core.arrays import Floats
from augkit.core.characters import other_spelling
from augkit.core.choices import holds_choice
from augkit.core.errors import ConfigError, DataError
from augkit.core.json_files import load_json, naming_damage
from augkit.core.progress import report_progress, reported
from augkit.core.protocols import Classifier, SavedClassifier
from augkit.core.results import LLMAnswers
from augkit.core.types import Example
from augkit.datasets.settings import ReadOptions, RowSelection
from augkit.evaluation.llm_answers import Answers
from augkit.labels.judge import UNDECIDED, judge_request
from augkit.models.classifiers.labels import class_labels, is_number, is_scale
from augkit.models.classifiers.multiple_choice import are_multiple_choice, place_labels
from augkit.models.classifiers.settings import ClassifierConfig
from augkit.models.classifiers.train import train_classifier
from augkit.models.reward.base import RewardClassifier, RewardModel
from augkit.models.saved import load_classifier
from augkit.prompts.choice_question import ChoiceQuestion
from augkit.runs.settings import recorded_settings

TRAINING_FILE = "training.json"
_RETRAIN = "Restore it from a copy, or train again: augkit train"
_PROMPT = "evaluate/label"
_MOST_LABELS = 50
_NO_LABEL = f"({UNDECIDED})"


@dataclass(frozen=True)
class NamedClassifier:
    """A classifier, others like it that show its spread, and what it was trained on."""

    name: str
    classifier: Classifier
    samples: Sequence[Classifier]
    sampling: str
    """What the samples differ in."""
    fields: Sequence[str]
    model: dict[str, Any]
    rows: int
    left_out: int
    corpus: Callable[[], Sequence[Example]]
    """The training rows; read only where they are needed."""
    answers: Callable[[], LLMAnswers | None] = lambda: None
    """How an LLM has answered so far."""
    is_reference: bool = False
    """Whether the result of a run is compared with it."""
    units: Sequence[str] = ()
    """Of choices, what each training row belongs to."""


def open_classifiers(
    settings: EvaluateSettings, tests: list[EvaluationSet], llm: Answers | None
) -> tuple[list[NamedClassifier], list[EvaluationSet]]:
    """The classifiers, and the test sets matched to them before anything is trained."""
    if settings.reading.choices:
        return _reward_models(settings, tests, llm)
    if settings.tested_llm is not None and llm is not None:
        classifiers = [_name_llm(settings.tested_llm, llm, tests)]
    elif settings.classifiers:
        classifiers = _load_classifiers(settings)
    else:
        return _train_classifiers(settings, tests)
    for named in classifiers:
        labels = set(named.classifier.labels)
        tests = [match_test(named.name, labels, named.fields, test) for test in tests]
    return classifiers, tests


def _train_classifiers(
    settings: EvaluateSettings, tests: list[EvaluationSet]
) -> tuple[list[NamedClassifier], list[EvaluationSet]]:
    """A classifier for each training set: those of a run and its reference, or a dataset."""
    training_sets = _training_sets(settings)
    tests, numeric = match_tests(training_sets, tests, settings.metrics)
    result = f"{settings.run.name} (result)" if settings.run is not None else None
    trained = [
        train_named(
            training_set,
            settings.model,
            settings.seeds,
            numeric=numeric,
            robust=settings.robust if training_set.name == result else None,
        )
        for training_set in training_sets
    ]
    if settings.run is not None and settings.train is not None:
        trained[-1] = replace(trained[-1], is_reference=True)
    return trained, tests


def _training_sets(settings: EvaluateSettings) -> list[TrainingSet]:
    if settings.data:
        return load_compared(settings)
    if settings.run is None:
        return [load_training_set(settings.train or "", settings.reading)]
    data_folder = settings.reading.data_folder
    training_sets = run_training_sets(settings.run, settings.train_on, data_folder)
    if settings.train is not None:  # to compare with: read as the run's dataset is
        spec = settings.train
        like = training_sets[0]
        of_run = recorded_settings(settings.run)
        reading = reading_for(spec, settings.reading, of_run)
        reference = load_training_set(spec, reading)
        rows = None
        if not settings.reading.choices:
            fields = tuple(like.examples[0].fields)
            rows = with_fields(reference.examples, fields, like.name, spec)
        training_sets.append(replace(reference, name=spec, examples=rows or reference.examples))
    return training_sets


def _reward_models(
    settings: EvaluateSettings, tests: list[EvaluationSet], llm: Answers | None
) -> tuple[list[NamedClassifier], list[EvaluationSet]]:
    """Reward models in place of classifiers: one for each training set, the user's, or an LLM."""
    if settings.tested_llm is not None and llm is not None:
        config = settings.tested_llm
        model = {"kind": "llm", **config.model_dump(mode="json", exclude_defaults=True)}
        judge = _own(config.spec, LLMReward(llm), model, tests)
        return [replace(judge, answers=llm.summary)], tests
    if settings.reward is not None:
        name, reward = own_reward(settings)
        config = reward.config
        model = config if isinstance(config, dict) else config.model_dump(mode="json")
        return [_own(name, reward, model, tests)], tests
    training_sets = _training_sets(settings)
    if not tests:
        originals = training_sets[0]
        if settings.run is not None:
            data_folder = settings.reading.data_folder
            originals = run_training_sets(settings.run, "originals", data_folder)[0]
        training_sets, test = hold_out(training_sets, originals)
        tests = [test]
    trained = [train_named(part, settings.model, settings.seeds) for part in training_sets]
    if settings.run is not None and settings.train is not None:
        trained[-1] = replace(trained[-1], is_reference=True)
    return trained, tests


def _own(
    name: str, model: RewardModel, settings: dict[str, Any], tests: Sequence[EvaluationSet]
) -> NamedClassifier:
    """A reward model that is not trained here."""
    rows = [row for test in tests for row in test.rows]
    return NamedClassifier(
        name=name,
        classifier=RewardClassifier(model),
        samples=(),
        sampling="",
        fields=tuple(rows[0].fields),
        model=settings,
        rows=0,
        left_out=0,
        corpus=lambda: rows,
    )


def match_tests(
    training_sets: Sequence[TrainingSet], tests: list[EvaluationSet], metrics: Sequence[str]
) -> tuple[list[EvaluationSet], bool]:
    """The test sets with the fields of the training rows, and whether labels are numbers.

    An error where labels or fields of a test set are not those of the training rows.
    """
    predictable = {
        str(row.label) for training_set in training_sets for row in training_set.examples
    }
    reads_numbers = all(create_metric(name).reads_numbers for name in metrics)
    numeric = reads_numbers and is_scale(predictable)
    if numeric:  # any number can be predicted
        predictable |= {label for test in tests for label in test.labels if is_number(label)}
    for training_set in training_sets:
        try:
            labels = predictable if numeric else set(_predictable(training_set.examples))
        except DataError as error:
            raise DataError(f"{training_set.name}: {error}") from None
        fields = tuple(training_set.examples[0].fields)
        tests = [match_test(training_set.name, labels, fields, test) for test in tests]
    return tests, numeric


def _predictable(examples: Sequence[Example]) -> tuple[str, ...]:
    """The labels of the rows; of multiple choice, all places."""
    labels = class_labels(examples)
    return place_labels(examples) if are_multiple_choice(examples) else labels


def train_named(
    training_set: TrainingSet,
    model: ClassifierConfig,
    seeds: int,
    *,
    numeric: bool = False,
    robust: RobustChoice | None = None,
) -> NamedClassifier:
    """A classifier of all training rows, and one per seed without a tenth of them.

    Where labels are ``numeric``, regressors. With ``robust``, trained against a bias.
    """
    are_choices = holds_choice(training_set.examples[0].fields)

    def train(rows: Sequence[Example]) -> Classifier:
        if are_choices:
            return train_reward_classifier(rows, model)
        if robust is None:
            return train_classifier(rows, model, numeric=numeric)
        if numeric:
            raise ConfigError("robust training is for labels that are names, not for numbers")
        from augkit.models.robust.train import train_robust

        return train_robust(rows, model, robust_training(robust, rows))

    try:
        report_progress(f"training on {training_set.name}")
        whole = train(training_set.examples)
        samples = [
            train(training_set.sample(seed))
            for seed in reported(f"training seeds on {training_set.name}", range(seeds))
        ]
    except DataError as error:
        raise DataError(f"{training_set.name}: {error}") from None
    config: ClassifierConfig = getattr(whole, "config", model)  # CLEVER's holds two models
    return NamedClassifier(
        name=training_set.name,
        classifier=whole,
        samples=samples,
        sampling="without a tenth of the rows",
        fields=tuple(training_set.examples[0].fields),
        model=config.model_dump(mode="json") | ({"robust": robust.method} if robust else {}),
        rows=len(training_set.examples),
        left_out=training_set.left_out,
        corpus=lambda: training_set.examples,
        units=tuple(unit_names(training_set)) if are_choices else (),
    )


def _load_classifiers(settings: EvaluateSettings) -> list[NamedClassifier]:
    """The classifiers of folders of ``augkit train``, which must read the same fields."""
    classifiers = [_load_named(folder, settings.reading) for folder in settings.classifiers]
    if len({named.name for named in classifiers}) < len(classifiers):
        # Two folders of the same name are told apart by their paths.
        paths = map(str, settings.classifiers)
        classifiers = [
            replace(named, name=path) for named, path in zip(classifiers, paths, strict=True)
        ]
    fields = {tuple(sorted(named.fields)) for named in classifiers}
    if len(fields) > 1:
        listed = " against ".join(", ".join(names) for names in sorted(fields))
        raise DataError(f"the two classifiers read different text fields: {listed}")
    return classifiers


class TrainingSetRecord(BaseModel):
    """The rows that a saved classifier was trained on."""

    spec: str
    rows: int
    left_out: int


class SavedSeed(BaseModel):
    """One of the seeds of a training."""

    folder: str


class TrainingRecord(BaseModel):
    """What is read of ``training.json``."""

    kind: str = ""
    best: str | int = ""
    """The folder of a classifier, or the epoch of a language model."""
    seeds: list[SavedSeed] = Field(default_factory=list)
    train: TrainingSetRecord
    model: dict[str, Any]
    robust: dict[str, Any] | None = None
    settings: dict[str, Any]


@dataclass(frozen=True)
class SavedTraining:
    """A folder of ``augkit train``: the best classifier by validation, all seeds, the record."""

    folder: Path
    best: SavedClassifier
    seeds: Sequence[SavedClassifier]
    record: TrainingRecord


def _load_named(folder: Path, reading: ReadOptions) -> NamedClassifier:
    """The best classifier of a folder of ``augkit train``, and all its seeds."""
    saved = load_training(folder)
    train = saved.record.train
    robust = saved.record.robust
    return NamedClassifier(
        name=folder.name,
        classifier=saved.best,
        samples=saved.seeds if len(saved.seeds) > 1 else (),
        sampling="each seed",
        fields=tuple(saved.best.fields),
        model={**saved.record.model, **({"robust": robust.get("method")} if robust else {})},
        rows=train.rows,
        left_out=train.left_out,
        corpus=lambda: _saved_rows(saved, reading.data_folder),
    )


def _saved_rows(saved: SavedTraining, data_folder: Path | None) -> Sequence[Example]:
    """The rows that a saved classifier was trained on, read and selected as they were then."""
    settings = saved.record.settings
    with naming_damage(saved.folder / TRAINING_FILE, _RETRAIN):
        reading = ReadOptions(**settings["reading"])
        selection = RowSelection(**{key: settings[key] for key in RowSelection.model_fields})
    reading = reading.model_copy(update={"data_folder": data_folder or reading.data_folder})
    return selection.of(load_training_set(saved.record.train.spec, reading).examples)


def load_training(folder: Path) -> SavedTraining:
    """Read the classifiers of a folder that ``augkit train`` wrote."""
    path = folder / TRAINING_FILE
    if not path.exists():
        raise DataError(
            f"{folder}: no trained classifier ({TRAINING_FILE}) there. Train one: augkit train "
            f"DATASET --out {folder}"
        )
    record = load_json(path, TrainingRecord.model_validate, _RETRAIN)
    if record.kind == "mlm":
        raise ConfigError(
            f"{folder} is a masked language model, not a classifier. Fine-tune it: --model "
            f"transformers:{folder}, or measure it: augkit benchmark NAME --model {folder}"
        )
    seeds = {seed.folder: load_classifier(folder / seed.folder) for seed in record.seeds}
    with naming_damage(path, _RETRAIN):
        return SavedTraining(folder, seeds[str(record.best)], list(seeds.values()), record)


@dataclass(frozen=True)
class LLMClassifier:
    """Label probabilities from an LLM's answers, averaged over the orders of the labels.

    The last label, "(undecided)", is for texts that the model did not answer or whose answers
    contradict each other: it never is the true one.
    """

    answers: Answers
    options: tuple[str, ...]
    descriptions: Mapping[str, str]

    @property
    def labels(self) -> Sequence[str]:
        """The labels, and "(undecided)"."""
        return (*self.options, _NO_LABEL)

    def predict(self, examples: Sequence[Example]) -> Floats:
        """float[examples, labels]; undecided rows have the lowest confidence that there can be."""
        import numpy as np

        ask = partial(judge_request, prompt_id=_PROMPT, descriptions=self.descriptions)
        questions = [ChoiceQuestion(self.options, partial(ask, row.fields)) for row in examples]
        least = 1 / (len(self.options) + 1)
        rows = []
        for answer in self.answers.answer(questions):
            shares = answer.probabilities
            if answer.option is None:
                rows.append([least * (1 - 1e-6)] * len(self.options) + [least])
            else:
                rows.append([*(shares[label] for label in self.options), 0.0])
        return np.array(rows).reshape(len(examples), len(self.labels))


def _name_llm(
    config: LLMClassifierConfig, answers: Answers, tests: Sequence[EvaluationSet]
) -> NamedClassifier:
    """The LLM as a classifier of the test sets; it has no training rows, so theirs stand in."""
    labels = config.labels or tuple(sorted({label for test in tests for label in test.labels}))
    if not 2 <= len(labels) <= _MOST_LABELS:
        raise ConfigError(
            f"an LLM chooses between 2 to {_MOST_LABELS} labels, and the test sets have "
            f"{len(labels)}. Name the labels with --set model.labels=[...]"
        )
    known = {label for test in tests for label in test.labels}
    if same := other_spelling([*config.labels, *config.descriptions], known):
        raise ConfigError(f"model: {same}")
    unknown = [label for label in config.descriptions if label not in labels]
    if unknown:
        raise ConfigError(f"model.descriptions: no label '{unknown[0]}'; there are: {labels}")
    rows = [row for test in tests for row in test.rows]
    return NamedClassifier(
        name=config.spec,
        classifier=LLMClassifier(answers, labels, config.descriptions),
        samples=(),
        sampling="",
        fields=tuple(rows[0].fields),
        model={"kind": "llm", **config.model_dump(mode="json", exclude_defaults=True)},
        rows=0,
        left_out=0,
        corpus=lambda: rows,
        answers=answers.summary,
    )
