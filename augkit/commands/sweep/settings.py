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

from augkit.augmenters.compose_method import StepConfig, as_steps
from augkit.core.errors import ConfigError
from augkit.core.types import digest
from augkit.datasets.settings import DatasetColumns
from augkit.llm.settings import ConnectOptions
from augkit.runs.settings import MethodSettings, RunSettings, as_find


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

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        given = [key for key in _COMPOSITIONS if getattr(self, key)]
        if len(given) + (self.method is not None) != 1:
            raise ValueError(f"give one of: method, {', '.join(_COMPOSITIONS)}")
        return self

    @property
    def composed(self) -> tuple[str, dict[str, Any]]:
        """The registered method and its settings, also of a composition."""
        if self.method is not None:
            return self.method, self.options
        how = next(key for key in _COMPOSITIONS if getattr(self, key))
        steps = [step.model_dump() for step in getattr(self, how)]
        return "compose", {"how": how, "steps": steps, **self.options}

    @property
    def display_name(self) -> str:
        """Its name in the table.

        >>> MethodEntry(chain=["eda", "swap"]).display_name
        'eda then swap'
        >>> MethodEntry(method="mask-words", find="tokens").display_name
        'mask-words, find tokens'
        """
        if self.name:
            return self.name
        name = str(self.method)
        for how, between in _COMPOSITIONS.items():
            if steps := getattr(self, how):
                name = between.join(step.method for step in steps)
        return name if self.find is None else f"{name}, find {self.find.name}"


_COMPOSITIONS = {"chain": " then ", "union": " and ", "one_of": " or ", "sometimes": "?"}


class SweepSettings(DatasetColumns):
    """A study: every method on every dataset with every seed."""

    name: str = Field("study", pattern=r"^[\w.-]+$", description="names the study's folder")
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
    metrics: tuple[str, ...] = Field(
        ("accuracy",), min_length=1, description="the metrics to compute"
    )
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="how models are reached; budget per trial"
    )
    data_folder: Path | None = Field(
        None, description="the data folder, with NAME/SPLIT.jsonl[.gz]"
    )
    engine: Literal["local", "ray"] = Field(
        "local", description="where the work is done: local, or ray (shards on a Ray cluster)"
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

    @field_validator("tests", "columns")
    @classmethod
    def _of_known_datasets(cls, entries: dict[str, Any], info: ValidationInfo) -> Any:
        if unknown := sorted(set(entries) - set(info.data.get("datasets", ()))):
            raise ValueError(
                f"{info.field_name} of a dataset that is not in 'datasets': {', '.join(unknown)}"
            )
        return entries

    def columns_of(self, dataset: str) -> dict[str, Any]:
        """The columns named for this dataset, completed by those named for all."""
        own = self.columns.get(dataset, DatasetColumns())
        names = set(DatasetColumns.model_fields)
        for_all, for_one = (
            some.model_dump(include=names, exclude_unset=True) for some in (self, own)
        )
        return for_all | for_one


@dataclass(frozen=True)
class Trial:
    """One run of a study and its test sets."""

    name: str
    method: str
    settings: RunSettings
    tests: tuple[str, ...]
    given: Mapping[str, Any]
    """What the file gives for it, as the keys of a grid."""


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
    method, base = entry.composed
    settings = RunSettings(
        **of_run(entry, options),
        method=method,
        options={**base, **of_method(options)},
        dataset=dataset,
        seed=seed,
        limit=study.limit,
        sample=study.sample,
        keep_rest=study.keep_rest,
        connection=study.connection,
        data_folder=study.data_folder,
        workers=1 if study.engine == "local" else None,
        engine=study.engine,
        ray_address=study.ray_address,
        **study.columns_of(dataset),
    )
    key = digest(json.dumps(settings.affecting_result(), sort_keys=True))[:8]
    name = entry.display_name
    if entry.grid:
        name += " " + ", ".join(f"{key}={options[key]}" for key in entry.grid)
    slug = re.sub(r"[^\w.=-]+", "-", f"{name}-{dataset}-{seed}")[:80]
    tests = tuple(study.tests.get(dataset, ()))
    return Trial(f"{slug}-{key}", name, settings, tests, _given(entry, options))


def _given(entry: MethodEntry, tried: Mapping[str, Any]) -> dict[str, Any]:
    """What the file gives for one combination: settings of the method, and those of the run.

    >>> _given(MethodEntry(method="mask-words", find="tokens", mix="replace"), {"find.top": 8})
    {'find': 'tokens', 'find.top': 8, 'mix': 'replace'}
    """
    found = {**entry.options, **of_method(tried)}
    for key, value in of_run(entry, tried).items():
        if key == "find" and value is not None:
            found["find"] = value["name"]
            found |= {f"find.{name}": one for name, one in value.get("options", {}).items()}
        elif isinstance(value, Mapping):
            found |= {f"{key}.{name}": one for name, one in value.items()}
        else:
            found[key] = value
    return found


def of_method(tried: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the method in a combination of a grid."""
    return {key: value for key, value in tried.items() if _section(key) not in _OF_RUN}


def of_run(entry: MethodEntry, tried: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the run gives to the method: of the entry, then of a combination.

    >>> of_run(MethodEntry(method="eda", find="tokens"), {"find.top": 8, "alpha": 0.1})
    {'find': {'name': 'tokens', 'options': {'top': 8}}}
    """
    found = entry.model_dump(include=set(_OF_RUN), exclude_unset=True)
    found |= {key: value for key, value in tried.items() if key in _OF_RUN}
    found |= {"find": as_find(found["find"])} if "find" in found else {}
    for key, value in tried.items():
        section, dot, name = key.partition(".")
        if not dot or section not in _OF_RUN:
            continue
        above = found.get(section)
        own = dict(above) if isinstance(above, Mapping) else {}
        inner = {"options": {**own.get("options", {}), name: value}}
        found[section] = own | (inner if section == "find" else {name: value})
    return found


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
