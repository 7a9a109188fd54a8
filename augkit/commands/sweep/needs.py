"""What a study needs: data, columns, packages and models, checked before its first trial."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augkit.augmenters.create import create
from augkit.commands.evaluate.choices import for_choices, reads_choices
from augkit.commands.evaluate.classifiers import match_tests
from augkit.commands.evaluate.evaluation_sets import (
    load_evaluation_set,
    load_ood_rows,
    reading_for,
)
from augkit.commands.evaluate.inputs import ROW_PREDICTIONS
from augkit.commands.evaluate.scores import chosen_tests
from augkit.commands.evaluate.settings import EvaluateSettings, create_metrics
from augkit.commands.evaluate.training_sets import TrainingSet, load_training_set
from augkit.commands.robust_training import RobustChoice
from augkit.commands.sweep.settings import REQUIRED, ModelEntry, SweepSettings, Trial
from augkit.core import registry
from augkit.core.arrays import Floats
from augkit.core.errors import ConfigError, UserError
from augkit.core.pretrained import checked_name, hub_answers
from augkit.core.protocols import Tools
from augkit.core.types import Example
from augkit.datasets.settings import ReadOptions
from augkit.evaluation.metrics.base import BaseMetric
from augkit.llm.settings import ConnectOptions
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.pretrained import import_transformers
from augkit.runs.plan import make_plan


class Problems(list[str]):
    """The messages of checks that failed, each once."""

    @contextmanager
    def noted(self, prefix: str = "") -> Iterator[None]:
        """Keep the message of an error that the user can fix, and go on."""
        try:
            yield
        except UserError as error:
            if (message := f"{prefix}{error}") not in self:
                self.append(message)


def check_needs(study: SweepSettings, planned: Sequence[Trial], *, to_run: bool) -> None:
    """Raise one error that lists all that is missing or wrong; nothing is trained or spent.

    A dry run (not ``to_run``) asks no language model, so it needs no key.
    """
    problems = Problems()
    if study.llm == REQUIRED:
        problems.append(
            "this study needs a language model: pass --llm openai:MODEL, --llm transformers:PATH "
            "or --llm scripted:FILE"
        )
    for entry in study.models:
        with problems.noted():
            _check_classifier(entry)
    specs = {spec for trial in planned for spec in trial.settings.models.values()} - {REQUIRED}
    for spec in sorted(specs) if to_run else ():
        with problems.noted():
            _check_llm(spec, study.connection)
    of_datasets = {}
    for dataset in study.datasets:
        of_dataset = [trial for trial in planned if trial.settings.dataset == dataset]
        of_datasets[dataset] = _check_evaluation(study, of_dataset)
        problems += [problem for problem in of_datasets[dataset] if problem not in problems]
    for trial in planned:
        if not of_datasets[trial.settings.dataset] and trial.settings.llm != REQUIRED:
            with problems.noted(f"trial {trial.name}: "), make_plan(trial.settings):
                pass
    if problems:
        heading = f"{len(problems)} things are missing or wrong, and nothing was run:"
        raise ConfigError("\n- ".join([heading, *problems]) if len(problems) > 1 else problems[0])


def _check_classifier(entry: ModelEntry) -> None:
    """Packages and files of a classifier; one on the hub must be cached or within reach."""
    config = entry.config
    if isinstance(config, LinearConfig):
        return
    import_transformers(f"the classifier {entry.model}")
    name = checked_name(config.model)
    if Path(name).exists():
        return
    from huggingface_hub import try_to_load_from_cache

    cached = isinstance(try_to_load_from_cache(name, "config.json"), str)
    if not cached and not hub_answers():
        raise ConfigError(
            f"the classifier {entry.model} is not on this machine, and the hub cannot be reached. "
            "Give a folder with a saved model"
        )


def _check_llm(spec: str, connection: ConnectOptions) -> None:
    """The key, the file or the folder that a language model needs; no question is asked."""
    back_end, _, argument = spec.partition(":")
    if back_end == "transformers":
        from augkit.llm.transformers.load import find_model

        find_model(argument)
        return
    llm = registry.find("llms", back_end)(argument, connection)
    getattr(llm, "close", lambda: None)()


def _check_evaluation(study: SweepSettings, of_dataset: Sequence[Trial]) -> Problems:
    """What is missing to evaluate the trials of a dataset: rows, labels, fields, columns."""
    problems = Problems()
    trial = of_dataset[0]
    run = trial.settings
    like_run = trial.settings.model_dump()
    choices = any(reads_choices(t.settings.method, t.settings.options) for t in of_dataset)
    reading = ReadOptions(data_folder=run.data_folder, choices=choices)
    training_sets: list[TrainingSet] = []
    with problems.noted():
        as_run = ReadOptions.model_fields.keys() & like_run.keys() - {"limit", "sample", "seed"}
        options = ReadOptions(**{key: like_run[key] for key in as_run} | {"choices": choices})
        training_sets.append(load_training_set(run.dataset, options))
    specs: tuple[str, ...] = ()
    with problems.noted():
        specs = chosen_tests(run, trial.tests)
    settings = measured_by(study, trial, study.models[0]).model_copy(
        update={"train": run.dataset, "tests": specs, "reading": reading}
    )
    metrics: list[BaseMetric[Any]] = []
    with problems.noted(f"{run.dataset}: "):
        settings = for_choices(settings)
        metrics = create_metrics(settings)
    for spec in specs:
        with problems.noted():
            as_read = {"reading": reading_for(spec, reading, run)}
            test = load_evaluation_set(spec, settings.model_copy(update=as_read))
            if not choices:
                (test,), _ = match_tests(training_sets, [test], settings.metrics)
            for metric in metrics:
                if metric.inputs in ROW_PREDICTIONS:
                    oracle = Oracle(tuple(sorted(test.labels)))
                    with problems.noted(f"{spec}: "):
                        metric.score(ROW_PREDICTIONS[metric.inputs](oracle, rows=test.rows))
    for spec in settings.ood if training_sets else ():
        with problems.noted():
            as_read = {"reading": reading_for(spec, reading, run)}
            fields = tuple(training_sets[0].examples[0].fields)
            load_ood_rows(spec, settings.model_copy(update=as_read), fields)
    if any(metric.inputs == "perturbed" for metric in metrics):
        planned: Any = object()  # stands for a language model that is opened later
        with problems.noted("perturb: "):
            tools = Tools(llm=None if study.perturb_llm == "offline" else planned)
            create(study.perturb.method, tools, **study.perturb.options)
    for trial in of_dataset if training_sets else ():
        if trial.robust is not None:
            with problems.noted(f"robust {trial.robust.method}: "):
                _check_robust(trial.robust, study.models, training_sets[0].examples[:1])
    return problems


def _check_robust(
    choice: RobustChoice, models: Sequence[ModelEntry], rows: Sequence[Example]
) -> None:
    """The learner, the field and the folder of a grammar that robust training needs."""
    from augkit.models.robust.bias_view import BiasView
    from augkit.models.robust.train import RobustTraining, check_robust

    view = None if choice.shortcuts else BiasView(choice.against, choice.words)
    if view is not None:
        view(rows)
    elif not (choice.shortcuts / "trees.npz").is_file():  # type: ignore[operator]
        raise ConfigError(
            f"no grammar in {choice.shortcuts}. Train one on the same rows: augkit shortcuts "
            f"DATASET --by grammar --out {choice.shortcuts}"
        )
    for entry in models:
        check_robust(entry.config, RobustTraining(choice.method, choice.options, view, ()))


@dataclass(frozen=True)
class Oracle:
    """A classifier that is always right: what a metric needs of the rows can be checked with it."""

    labels: Sequence[str]

    def predict(self, examples: Sequence[Example]) -> Floats:
        """float[examples, labels]: 1 for the true label."""
        import numpy as np

        columns = {label: number for number, label in enumerate(self.labels)}
        probabilities = np.zeros((len(examples), len(columns)))
        for row, example in enumerate(examples):
            probabilities[row, columns[str(example.label)]] = 1.0
        return probabilities


def measured_by(study: SweepSettings, trial: Trial, entry: ModelEntry) -> EvaluateSettings:
    """How a trial is measured with a classifier; its folder and test sets are filled in later."""
    dataset = trial.settings.dataset
    return EvaluateSettings(
        ood=tuple(study.ood.get(dataset, ())),
        metrics=study.metrics_of(dataset),
        model=entry.config,
        robust=trial.robust,
        method=study.perturb.method,
        options=study.perturb.options,
        llm=study.perturb_llm,
        connection=trial.settings.connection,
        reading=ReadOptions(data_folder=trial.settings.data_folder),
        seeds=0,
    )
