"""The settings of a study: methods, datasets and seeds, and the trials that follow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator
from typing_extensions import Self

from augkit.augmenters.compose_settings import StepConfig, as_steps
from augkit.commands.robust_training import RobustChoice
from augkit.core import registry
from augkit.core.config import StrictModel, validate
from augkit.core.errors import ConfigError, UserError
from augkit.core.types import EMPTY, digest
from augkit.core.yaml_files import read_yaml
from augkit.datasets.settings import DatasetColumns
from augkit.llm.settings import ConnectOptions
from augkit.models.classifiers.settings import ClassifierConfig, parse_classifier
from augkit.runs.settings import MethodSettings, RunSettings, as_find, check_places


class MethodEntry(MethodSettings):
    """One method of a study, or a composition; each combination under ``grid`` is a trial."""

    method: str | None = Field(None, description="a name of `augkit list methods`")
    chain: tuple[StepConfig, ...] | None = Field(
        None, description="instead of a method: each augments the variants of the one before"
    )
    union: tuple[StepConfig, ...] | None = Field(
        None, description="instead of a method: the variants of all of them"
    )
    one_of: tuple[StepConfig, ...] | None = Field(
        None, description="instead of a method: one of them for each row (options: weights)"
    )
    sometimes: tuple[StepConfig, ...] | None = Field(
        None, description="instead of a method: one, for a share of the rows (options: p)"
    )
    robust: RobustChoice | None = Field(
        None,
        description="train the classifier of the result against a bias: jtt, drift, poe, rew, "
        "clever, or a mapping; without a method the rows stay as they are",
    )
    name: str | None = Field(None, description="its name in the table; default: the method")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of the method")
    grid: dict[str, list[Any]] = Field(
        default_factory=dict,
        description="setting → values; every combination is a trial; also a setting of the run "
        "(per_row, mix), of the finder (find.KEY) or of a check (judge.KEY)",
    )

    @field_validator("chain", "union", "one_of", "sometimes", mode="before")
    @classmethod
    def _names_are_steps(cls, steps: Any) -> Any:
        return as_steps([steps] if isinstance(steps, str | dict) else steps)

    @field_validator("robust", mode="before")
    @classmethod
    def _name_is_choice(cls, robust: Any) -> Any:
        """``robust: poe`` is short for ``robust: {method: poe}``."""
        return {"method": robust} if isinstance(robust, str) else robust

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        compositions = [key for key in _COMPOSITIONS if getattr(self, key)]
        count = len(compositions) + (self.method is not None)
        if count > 1 or (count == 0 and self.robust is None):
            raise ValueError(f"give one of: method, {', '.join(_COMPOSITIONS)}; or robust alone")
        if count == 0 and (self.options or self.grid):
            raise ValueError("options and grid are for a method: those of robust are in 'robust'")
        return self

    @property
    def changes_rows(self) -> bool:
        """Whether it augments; otherwise only the training of the classifier differs."""
        return self.method is not None or any(getattr(self, key) for key in _COMPOSITIONS)

    @property
    def composed(self) -> tuple[str, dict[str, Any]]:
        """The registered method and its settings, also of a composition.

        Where only the training differs, a composition that changes no row.
        """
        if self.method is not None:
            return self.method, self.options
        if not self.changes_rows:
            return "compose", {"how": "sometimes", "steps": [{"method": "typo"}], "p": 0.0}
        how = next(key for key in _COMPOSITIONS if getattr(self, key))
        steps = [step.model_dump() for step in getattr(self, how)]
        return "compose", {"how": how, "steps": steps, **self.options}

    @property
    def writes(self) -> bool:
        """Whether a language model can be of use to it."""
        if not self.changes_rows:
            return False
        method, options = self.composed
        names = [step["method"] for step in options["steps"]] if method == "compose" else [method]
        augmenters = [registry.find("augmenters", name) for name in names]
        return any("llm" in known.needs or known.traits.writing for known in augmenters)

    @property
    def display_name(self) -> str:
        """Its name in the table.

        >>> MethodEntry(chain=["eda", "swap"]).display_name
        'eda then swap'
        >>> MethodEntry(method="mask-words", find="tokens").display_name
        'mask-words, find tokens'
        >>> MethodEntry(method="eda", robust="poe").display_name
        'eda, poe'
        """
        if self.name:
            return self.name
        robust = "" if self.robust is None else self.robust.method
        if not self.changes_rows:
            return robust
        name = str(self.method)
        for how, between in _COMPOSITIONS.items():
            if steps := getattr(self, how):
                name = between.join(step.method for step in steps)
        find = "" if self.find is None else f"find {self.find.name}"
        return ", ".join(filter(None, (name, find, robust)))


REQUIRED = "required"
"""The language model of a study whose file leaves the choice to ``--llm``."""
_COMPOSITIONS = {"chain": " then ", "union": " and ", "one_of": " or ", "sometimes": "?"}


class ModelEntry(StrictModel):
    """A classifier of a study, trained on the originals and on the result of every trial."""

    model: str = Field(description="linear, encoder:PATH or transformers:PATH")
    name: str | None = Field(None, description="its name in the tables; default: the model's")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of the classifier")

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        try:
            _ = self.config
        except ConfigError as error:
            raise ValueError(str(error)) from None
        return self

    @property
    def config(self) -> ClassifierConfig:
        """The settings of the classifier; an unknown one is an error."""
        values = {**parse_classifier(self.model), **self.options}
        return validate(_Classifier, {"config": values}, f"models: {self.model}").config

    @property
    def display_name(self) -> str:
        """Its name in the tables.

        >>> ModelEntry(model="encoder:models/minilm").display_name
        'minilm'
        """
        return self.name or Path(self.model.partition(":")[2]).name or self.model


class _Classifier(StrictModel):
    config: ClassifierConfig


class SweepSettings(DatasetColumns):
    """A study: every method on every dataset with every seed."""

    name: str = Field("study", pattern=r"^[\w.-]+$", description="names the study's folder")
    description: str = Field("", description="what it asks, in a line for `augkit sweep --list`")
    methods: tuple[MethodEntry, ...] = Field(min_length=1, description="names, or mappings")
    datasets: tuple[str, ...] = Field(min_length=1, description="datasets to augment")
    seeds: tuple[int, ...] = Field((0,), min_length=1, description="one trial for each")
    limit: int | None = Field(None, ge=1, description="use only the first N rows")
    sample: int | None = Field(
        None, ge=1, description="use only N rows, drawn by the seed; after the limit"
    )
    keep_rest: bool = Field(
        default=False,
        description="with limit or sample: keep the other rows in the training set as they are",
    )
    tests: dict[str, list[str]] = Field(
        default_factory=dict, description="dataset → test sets; default: its other splits"
    )
    columns: dict[str, DatasetColumns] = Field(
        default_factory=dict, description="dataset → its columns, before those of the study"
    )
    ood: dict[str, list[str]] = Field(
        default_factory=dict,
        description="dataset → datasets out of distribution, for ood-auroc; a list: for all",
    )
    metrics: dict[str, list[str]] = Field(
        default_factory=dict,
        description="dataset → the metrics to compute; a list: for all; default: accuracy",
    )
    perturb: StepConfig = Field(
        default_factory=lambda: StepConfig(method="panda"),
        description="the method, and its options, that perturbs test rows for fairscore",
    )
    models: tuple[ModelEntry, ...] = Field(
        (ModelEntry(model="linear"),),
        min_length=1,
        description="classifiers: linear, encoder:PATH, transformers:PATH, or mappings",
    )
    llm: str = Field(
        "offline",
        description="the language model of methods that can use one and name none; in a file, "
        "required: it must be named by --llm",
    )
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="how models are reached; budget per trial"
    )
    data_folder: Path | None = Field(
        None, description="the data folder, with NAME/SPLIT.jsonl[.gz]"
    )
    engine: Literal["local", "ray"] = Field(
        "local",
        description="where rows are augmented: local, or ray (on a Ray cluster; a language model "
        "is asked from here)",
    )
    ray_address: str | None = Field(
        None, description="a Ray cluster, as HOST:6379 or auto; default: one is started here"
    )

    @field_validator("methods", mode="before")
    @classmethod
    def _names_are_entries(cls, methods: Any) -> Any:
        """``- eda`` is short for ``- method: eda``."""
        if not isinstance(methods, list | tuple):
            return methods
        return [{"method": entry} if isinstance(entry, str) else entry for entry in methods]

    @field_validator("models", mode="before")
    @classmethod
    def _specs_are_entries(cls, models: Any) -> Any:
        """``- linear`` is short for ``- model: linear``."""
        if not isinstance(models, list | tuple):
            return models
        return [{"model": entry} if isinstance(entry, str) else entry for entry in models]

    @field_validator("models")
    @classmethod
    def _are_different(cls, models: tuple[ModelEntry, ...]) -> Any:
        names = [entry.display_name for entry in models]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"two models are called '{twice[0]}'. Give each a name")
        return models

    @field_validator("ood", "metrics", mode="before")
    @classmethod
    def _list_is_for_all(cls, entries: Any, info: ValidationInfo) -> Any:
        if isinstance(entries, dict):
            return entries
        names = [entries] if isinstance(entries, str) else list(entries)
        return dict.fromkeys(info.data.get("datasets", ()), names)

    @field_validator("perturb", mode="before")
    @classmethod
    def _name_is_step(cls, step: Any) -> Any:
        return {"method": step} if isinstance(step, str) else step

    @field_validator("perturb")
    @classmethod
    def _is_a_method(cls, step: StepConfig) -> Any:
        try:
            step.config(seed=0)
        except UserError as error:
            raise ValueError(str(error)) from None
        return step

    @field_validator("tests", "columns", "ood", "metrics")
    @classmethod
    def _of_known_datasets(cls, entries: dict[str, Any], info: ValidationInfo) -> Any:
        if unknown := sorted(set(entries) - set(info.data.get("datasets", ()))):
            raise ValueError(
                f"{info.field_name} of a dataset that is not in 'datasets': {', '.join(unknown)}"
            )
        return entries

    def metrics_of(self, dataset: str) -> tuple[str, ...]:
        """The metrics of a dataset."""
        return tuple(self.metrics.get(dataset, ("accuracy",)))

    @property
    def perturb_llm(self) -> str:
        """The language model that perturbs test rows, where the method needs one."""
        needs = self.perturb.augmenter.needs | self.perturb.config(seed=0).needs
        return self.llm if "llm" in needs else "offline"

    def columns_of(self, dataset: str) -> dict[str, Any]:
        """The columns named for this dataset, completed by those named for all."""
        names = set(DatasetColumns.model_fields)
        for_all, of_dataset = (
            columns.model_dump(include=names, exclude_unset=True)
            for columns in (self, self.columns.get(dataset, DatasetColumns()))
        )
        return for_all | of_dataset


@dataclass(frozen=True)
class Trial:
    """One run of a study and its test sets."""

    name: str
    method: str
    settings: RunSettings
    tests: tuple[str, ...]
    options: Mapping[str, Any]
    """Its settings of the method and those of its grid, as the file has them."""
    robust: RobustChoice | None = None
    changes_rows: bool = True
    """Whether it augments; otherwise only the training of the classifier differs."""


def classifier_folder(trial: Path, study: SweepSettings, entry: ModelEntry) -> Path:
    """Where the scores of a classifier are: those of the first one beside the run."""
    if entry == study.models[0]:
        return trial
    return trial / "classifiers" / re.sub(r"[^\w.=-]+", "-", entry.display_name)


def trials(study: SweepSettings) -> list[Trial]:
    """Every trial, in the order of the file; a repeated trial is an error."""
    planned = [
        _trial(study, entry, options, dataset, seed)
        for entry, dataset in product(study.methods, study.datasets)
        for options in combinations(entry)
        for seed in study.seeds
    ]
    seen: dict[str, str] = {}
    for trial in planned:
        key = trial.name.rpartition("-")[2]
        if key in seen:
            raise ConfigError(
                f"the study has the trial {trial.name} twice ({seen[key]}). List each once"
            )
        seen[key] = trial.name
    return planned


def _trial(
    study: SweepSettings, entry: MethodEntry, options: Mapping[str, Any], dataset: str, seed: int
) -> Trial:
    name = _name(entry, options)
    settings = _settings(study, entry, options, dataset, seed)
    content = settings.affecting_result()
    if entry.robust is not None:
        content["robust"] = entry.robust.model_dump(mode="json")
    key = digest(json.dumps(content, sort_keys=True))[:8]
    slug = re.sub(r"[^\w.=-]+", "-", f"{name}-{dataset}-{seed}")[:80]
    tests = tuple(study.tests.get(dataset, ()))
    chosen = {**entry.options, **options}
    return Trial(f"{slug}-{key}", name, settings, tests, chosen, entry.robust, entry.changes_rows)


def _name(entry: MethodEntry, options: Mapping[str, Any]) -> str:
    """The line of the table that a combination of a grid is in."""
    if not entry.grid:
        return entry.display_name
    chosen = ", ".join(f"{key}={options[key]}" for key in entry.grid)
    return f"{entry.display_name} {chosen}"


def _settings(
    study: SweepSettings, entry: MethodEntry, options: Mapping[str, Any], dataset: str, seed: int
) -> RunSettings:
    """The settings of a trial and of its method and finder, validated as those of any run."""
    source = f"trial {_name(entry, options)}"
    method, base = entry.composed
    in_run = of_run(entry, options)
    if study.llm != "offline" and entry.writes:
        in_run.setdefault("llm", study.llm)
    values = {
        **in_run,
        **study.columns_of(dataset),
        "method": method,
        "options": {**base, **of_method(options)},
        "dataset": dataset,
        "seed": seed,
        "limit": study.limit,
        "sample": study.sample,
        "keep_rest": study.keep_rest,
        "connection": study.connection,
        "data_folder": study.data_folder,
        "workers": 1 if study.engine == "local" else None,
        "engine": study.engine,
        "ray_address": study.ray_address,
    }
    settings = validate(RunSettings, values, source)
    try:
        config = registry.find("augmenters", method).Config
        check_places(settings.options, method, config)
        validate(config, settings.options, f"{source}: settings of '{method}'")
        if find := settings.find:
            finder = registry.find("finders", find.name)
            validate(finder.Config, find.options, f"{source}: settings of '{find.name}'")
    except UserError as error:
        known = str(error).startswith(source)
        raise ConfigError(str(error) if known else f"{source}: {error}") from None
    return settings


def of_method(tried: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the method in a combination of a grid."""
    return {key: value for key, value in tried.items() if _section(key) not in _OF_RUN}


def of_run(entry: MethodEntry, tried: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the run gives to the method: of the entry, then of a combination.

    >>> of_run(MethodEntry(method="eda", find="tokens"), {"find.top": 8, "alpha": 0.1})
    {'find': {'name': 'tokens', 'options': {'top': 8}}}
    """
    settings = entry.model_dump(include=set(_OF_RUN), exclude_unset=True)
    settings |= {key: value for key, value in tried.items() if key in _OF_RUN}
    settings |= {"find": as_find(settings["find"])} if "find" in settings else {}
    for key, value in tried.items():
        section, dot, name = key.partition(".")
        if not dot or section not in _OF_RUN:
            continue
        above = settings.get(section)
        inner = dict(above) if isinstance(above, Mapping) else {}
        if section == "find":
            settings[section] = inner | {"options": {**inner.get("options", {}), name: value}}
        else:
            settings[section] = inner | {name: value}
    return settings


def _section(key: str) -> str:
    """Of the key of a grid, what stands before the dot.

    >>> _section("find.top"), _section("alpha")
    ('find', 'alpha')
    """
    return key.partition(".")[0]


_OF_RUN = frozenset(MethodSettings.model_fields)


def combinations(entry: MethodEntry) -> Iterator[dict[str, Any]]:
    """Every combination of the values of its grid; one without settings where it has none."""
    for values in product(*entry.grid.values()):
        yield dict(zip(entry.grid, values, strict=True))


_MOST_EXTENDS = 10


def read_sweep(
    path: Path, data_folder: Path | None = None, overrides: Mapping[str, Any] = EMPTY
) -> SweepSettings:
    """Settings from a YAML file and the files it extends, and ``overrides`` in their place.

    An error of the study names file, line and key, one of a trial the file and the trial.
    """
    values = _extended(path, ())
    if data_folder is not None:
        values.setdefault("data_folder", str(data_folder))
    connection = {**values.get("connection", {}), **overrides.get("connection", {})}
    values |= {key: value for key, value in overrides.items() if value is not None}
    values |= {"connection": connection} if connection else {}
    study = validate(SweepSettings, values, str(path))
    try:
        trials(study)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    return study


def _extended(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    """The values of a file, completed by those of the file it extends."""
    if path.resolve() in seen or len(seen) > _MOST_EXTENDS:
        raise ConfigError(f"{path}: 'extends' is circular")
    values = read_yaml(path)
    base = values.pop("extends", None)
    if base is None:
        return values
    if not isinstance(base, str):
        raise ConfigError(f"{path}: 'extends' takes the path of another file")
    return _extended(path.parent / base, (*seen, path.resolve())) | values
