"""Settings of ``evaluate``, checked against what the metrics need."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from augkit.commands.evaluate.classifiers import parse_model
from augkit.commands.evaluate.llm_config import LLMClassifierConfig
from augkit.commands.evaluate.training_sets import TrainOn
from augkit.commands.tested_llm import PREFIX
from augkit.core import registry
from augkit.core.config import validate
from augkit.core.errors import ConfigError
from augkit.datasets.settings import ReadOptions, RowSelection
from augkit.evaluation.metrics.base import BaseMetric
from augkit.evaluation.statistics.intervals import Interval
from augkit.llm.settings import ConnectOptions
from augkit.models.classifiers.linear import LinearConfig
from augkit.models.classifiers.train import ClassifierConfig


class EvaluateSettings(RowSelection):
    """What is trained on, tested on and measured; rows are selected in each test set."""

    run: Path | None = Field(None, description="a finished run folder")
    train: str | None = Field(
        None,
        description="a dataset or a run folder to train on, instead of a run; beside a run, a "
        "reference that its result is compared with",
    )
    classifiers: tuple[Path, ...] = Field(
        (), description="folders of `augkit train`, instead of training; two are compared"
    )
    train_on: TrainOn = Field("both", description="of a run: its originals, its result, or both")
    tests: tuple[str, ...] = Field((), description="test sets")
    ood: tuple[str, ...] = Field((), description="datasets out of distribution")
    metrics: tuple[str, ...] = Field(("accuracy",), min_length=1, description="what is measured")
    model: ClassifierConfig = Field(
        default_factory=LinearConfig, description="the classifier's settings"
    )
    tested_llm: LLMClassifierConfig | None = Field(
        None, description="an LLM that is measured itself, instead of a classifier that is trained"
    )
    id_column: str | None = Field(
        None, description="a column of the test sets with a unique id for each row"
    )
    out: Path | None = Field(
        None,
        description="the folder of scores.json and predictions.jsonl; default: the run folder, of "
        "an LLM runs/evaluate-MODEL-..., otherwise none",
    )
    method: str = Field("panda", description="the method that perturbs the test rows")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of that method")
    interval: Interval = Field("exact", description="of shares: exact, or bootstrap over rows")
    seeds: int = Field(
        3, ge=0, description="further models, each without a random tenth of the originals"
    )
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")
    llm: str = Field("offline", description="for a method that needs one to perturb the test rows")
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="the LLM's server, prices, cache and budget"
    )


def evaluation_settings(values: dict[str, Any]) -> EvaluateSettings:
    """Validate the options of the command line; None means the default."""
    given = {key: value for key, value in values.items() if value is not None}
    kind = given.pop("model_kind", None) or ""
    prompts = given.pop("prompts", None)
    if kind.startswith(PREFIX):
        chosen = {"spec": kind.removeprefix(PREFIX), "prompts": prompts, **given.pop("model", {})}
        given["tested_llm"] = chosen
    elif prompts is not None:
        raise ConfigError("--prompts is for an LLM under test: --model llm:openai:NAME")
    elif kind:
        given["model"] = {**parse_model(kind), **given.get("model", {})}
    return validate(EvaluateSettings, given, "evaluate settings")


def create_metrics(settings: EvaluateSettings) -> list[BaseMetric[Any]]:
    """The metrics by name, after a check that the settings have what each of them needs."""
    given = [settings.run is not None, settings.train is not None, bool(settings.classifiers)]
    if settings.tested_llm is not None:
        _check_llm(settings, others=any(given))
    elif not any(given):
        raise ConfigError(
            "nothing to evaluate: pass a run folder, --train, --classifier or --model llm:..."
        )
    if settings.classifiers and sum(given) > 1:
        raise ConfigError("--classifier goes alone: with it, pass no run folder and no --train")
    if len(settings.classifiers) > 2:
        raise ConfigError("at most two classifiers can be compared: pass --classifier twice")
    metrics = [create_metric(name, settings.interval) for name in settings.metrics]
    _check_inputs(metrics, settings)
    return metrics


def _check_llm(settings: EvaluateSettings, *, others: bool) -> None:
    if others:
        raise ConfigError(
            "an LLM is not trained: with --model llm:... give no run folder, --train or "
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
    if needs and not settings.tests:
        raise ConfigError("no test set: pass --test DATASET, as in --test sst2:dev")
    if "ood" in needs and not settings.ood:
        raise ConfigError(
            f"--metric {needs['ood'][0]} needs rows out of distribution: pass --ood DATASET"
        )
    if settings.ood and "ood" not in needs:
        known = {name: registry.find("metrics", name).inputs for name in registry.names("metrics")}
        usable = [name for name, inputs in known.items() if inputs == "ood"]
        raise ConfigError(f"--ood is read by --metric {' or '.join(usable)}, which is not given")
