"""Settings of ``evaluate``, checked against what the metrics need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from augkit.commands.robust_training import RobustChoice
from augkit.core import registry
from augkit.core.config import validate
from augkit.core.errors import ConfigError
from augkit.datasets.named import known_datasets
from augkit.datasets.settings import ReadOptions, RowSelection
from augkit.evaluation.statistics import Interval
from augkit.llm.settings import PREFIX, ConnectOptions, LLMUnderTest
from augkit.models.classifiers.settings import (
    CLASSIFIER_KINDS,
    ClassifierConfig,
    LinearConfig,
    parse_classifier,
)
from augkit.models.reward.functions import is_function_spec
from augkit.runs.manifest import FILE

if TYPE_CHECKING:
    from augkit.evaluation.metrics.base import BaseMetric

BALANCED = "balanced-accuracy"
TrainOn = Literal["originals", "result", "both"]


class LLMClassifierConfig(LLMUnderTest):
    """Which LLM classifies, and how it is asked."""

    labels: tuple[str, ...] = Field((), description="the labels; default: those of the test sets")
    descriptions: dict[str, str] = Field(
        default_factory=dict, description="what a label means, for the prompt: label → description"
    )


class EvaluateSettings(RowSelection):
    """What is trained on, tested on and measured; rows are selected in each test set."""

    data: tuple[str, ...] = Field(
        (),
        description="one finished run folder: its originals and its result are compared; one "
        "dataset: it is measured; several of either: each is compared with the first",
    )
    run: Path | None = Field(None, description="a finished run folder")
    train: str | None = Field(
        None,
        description="a dataset or run folder to train on; beside RUN, a reference that its "
        "result is compared with",
    )
    classifiers: tuple[Path, ...] = Field(
        (), description="a folder of `augkit train`, instead of training; two are compared"
    )
    train_on: TrainOn = Field("both", description="of a run: originals, result or both")
    tests: tuple[str, ...] = Field((), description="a test set, as in sst2:dev")
    ood: tuple[str, ...] = Field((), description="a dataset out of distribution")
    metrics: tuple[str, ...] = Field(
        ("accuracy",), min_length=1, description="what is measured: `augkit list metrics`"
    )
    model: ClassifierConfig = Field(
        default_factory=LinearConfig, description="the classifier's settings"
    )
    robust: RobustChoice | None = Field(
        None, description="train the classifier of a run's result against a bias"
    )
    tested_llm: LLMClassifierConfig | None = Field(
        None, description="an LLM that is measured itself, instead of a classifier that is trained"
    )
    reward: str | Callable[..., float] | None = Field(
        None,
        description="of choices: a reward model that is measured as it is, module:function or "
        "transformers:PATH",
    )
    average_by: str | None = Field(
        None,
        description="of choices: column of the test sets with groups whose scores are averaged, "
        "such as the domains of RM-Bench",
    )
    id_column: str | None = Field(
        None, description="column of the test sets with a unique id for each row"
    )
    out: Path | None = Field(
        None,
        description="folder of scores.json and predictions.jsonl; default: RUN; of an LLM also of "
        "its replies, to continue there (default: one under runs/)",
    )
    method: str = Field("panda", description="the method that perturbs test rows")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of that method")
    interval: Interval = Field("exact", description="of shares: exact or bootstrap")
    seeds: int = Field(
        3,
        ge=0,
        description="train this many more models, each without a random tenth of the training "
        "rows, and show the spread of their scores",
    )
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")
    llm: str = Field(
        "offline",
        description="the language model of a method that needs one to perturb test rows: "
        "openai:MODEL, transformers:PATH, scripted:PATH",
    )
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="the LLM's server, prices, cache and budget"
    )

    @model_validator(mode="before")
    @classmethod
    def _read_one(cls, values: Any) -> Any:
        """One run folder or one dataset is what ``run`` or ``train`` names."""
        if not isinstance(values, dict) or not values.get("data"):
            return values
        given = dict(values)
        data = given.pop("data")
        data = [data] if isinstance(data, str | Path) else list(data)
        if len(data) > 1:
            return {**given, "data": tuple(map(str, data))}
        role = "train" if is_dataset(str(data[0])) else "run"
        if given.get(role) is not None:
            raise ValueError(f"{data[0]} and --{role} {given[role]}: name both without --{role}")
        return {**given, role: str(data[0])}

    @property
    def chooses_by_skew(self) -> bool:
        """Whether accuracy or balanced accuracy is measured, by the labels of each test set."""
        return bool(self.data) and "metrics" not in self.model_fields_set

    @property
    def trains(self) -> bool:
        """Whether classifiers are trained."""
        return self.run is not None or self.train is not None or bool(self.data)


def is_dataset(spec: str) -> bool:
    """Whether this is a file or the name of a dataset, and no folder of a run."""
    path = Path(spec)
    if path.is_dir():
        return spec in known_datasets() and not (path / FILE).is_file()
    named = ":" in spec or bool(path.suffix) or path.is_file()
    return named or spec in known_datasets()


def evaluation_settings(values: dict[str, Any]) -> EvaluateSettings:
    """Validate the options of the command line; None means the default."""
    given = {key: value for key, value in values.items() if value is not None}
    kind = given.pop("model_kind", None) or ""
    asked = given.pop("tested_llm", {})
    if kind.startswith(PREFIX):
        spec = kind.removeprefix(PREFIX)
        given["tested_llm"] = {"spec": spec, **asked, **given.pop("model", {})}
    elif asked:
        raise ConfigError("prompts is for an LLM under test: --model llm:openai:NAME")
    elif is_function_spec(kind) and kind.partition(":")[0] not in CLASSIFIER_KINDS:
        given["reward"] = kind
    elif kind:
        given["model"] = {**parse_classifier(kind), **given.get("model", {})}
    return validate(EvaluateSettings, given, "evaluate settings")


def create_metrics(settings: EvaluateSettings) -> list[BaseMetric[Any]]:
    """The metrics by name, after a check that the settings have what each of them needs."""
    sources = [settings.trains, bool(settings.classifiers)]
    if settings.tested_llm is not None:
        _check_llm(settings, with_source=any(sources))
    elif settings.reward is not None:
        if any(sources):
            raise ConfigError(
                f"--model {settings.reward} is measured as it is: with it, pass no file, run "
                "folder or --classifier. To train, choose linear, encoder:PATH or transformers:PATH"
            )
    elif not any(sources):
        raise ConfigError(
            "nothing to evaluate: name one file or more (augkit evaluate train.csv fixed.csv "
            "--test test.csv), a run folder, --classifier or --model llm:..."
        )
    if settings.classifiers and sum(sources) > 1:
        raise ConfigError("--classifier goes alone: with it, pass no run folder or training set")
    if len(settings.classifiers) > 2:
        raise ConfigError("at most two classifiers can be compared: pass --classifier twice")
    names = settings.metrics
    if settings.chooses_by_skew and not settings.reading.choices:
        names = (*names, BALANCED)
    metrics = [create_metric(name, settings.interval) for name in names]
    _check_inputs(metrics, settings)
    return metrics


def _check_llm(settings: EvaluateSettings, *, with_source: bool) -> None:
    if with_source:
        raise ConfigError(
            "an LLM is not trained: with --model llm:... give no run folder, training set or "
            "--classifier"
        )
    if settings.llm != "offline":
        raise ConfigError(
            "--llm perturbs test rows, and --model llm:... is measured: one budget is for one of "
            "them. Leave --llm out: rows are then perturbed offline"
        )


def create_metric(name: str, interval: Interval = "exact") -> BaseMetric[Any]:
    """A registered metric."""
    metric: BaseMetric[Any] = registry.find("metrics", name)(interval=interval)
    return metric


def _check_inputs(metrics: Sequence[BaseMetric[Any]], settings: EvaluateSettings) -> None:
    needs: dict[str, list[str]] = {}
    for metric in metrics:
        needs.setdefault(metric.inputs, []).append(metric.name)
    variants = needs.pop("variants", [])
    if variants and settings.run is None:
        raise ConfigError(f"{variants[0]} is measured on a run's variants: pass the run folder")
    if not needs and settings.train is not None:
        raise ConfigError(f"--train is not read by --metric {variants[0]}: leave it out")
    of_choices = [
        name
        for names in (needs.get("choices"), needs.get("training choices"))
        if names
        for name in names
    ]
    if of_choices and not settings.reading.choices:
        raise ConfigError(
            f"--metric {of_choices[0]} is for choices (preference pairs, multiple choice), and "
            "these rows have labels. With --set choices=true, they are read as choices"
        )
    if settings.run is not None:
        from augkit.runs.manifest import read_manifest

        read_manifest(settings.run)  # a wrong name is said before what else is missing
    if needs and not settings.tests and not (of_choices and settings.trains):
        raise ConfigError(
            "no test set: pass --test DATASET, as in --test sst2:dev. Its rows need labels, and "
            "nothing may be trained on them; --test can be repeated"
        )
    if "ood" in needs and not settings.ood:
        raise ConfigError(
            f"--metric {needs['ood'][0]} needs rows out of distribution: pass --set ood=DATASET"
        )
    if settings.ood and "ood" not in needs:
        names = registry.names("metrics")
        usable = [name for name in names if registry.find("metrics", name).inputs == "ood"]
        raise ConfigError(f"ood is read by --metric {' or '.join(usable)}, which is not given")
