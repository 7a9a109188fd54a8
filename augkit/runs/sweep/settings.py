"""What a study is told: methods, datasets and seeds, and the runs that follow from them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator
from typing_extensions import Self

from augkit.augmenters.compose_method import StepConfig, as_steps
from augkit.augmenters.mix import Mix
from augkit.core.config import StrictModel, read_yaml, validate
from augkit.core.errors import ConfigError
from augkit.core.types import EMPTY, digest
from augkit.llm.settings import ConnectOptions
from augkit.runs.settings import RunSettings

_MOST_EXTENDS = 10


class MethodEntry(StrictModel):
    """One method of a study, or several put together; lists under ``grid`` are tried in turn."""

    method: str | None = Field(None, description="a name of `augkit list methods`")
    chain: tuple[StepConfig, ...] | None = Field(
        None, description="instead of a method: each works on the variants of the one before"
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
    name: str | None = Field(None, description="what it is called in the table; default: method")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of the method")
    grid: dict[str, list[Any]] = Field(
        default_factory=dict, description="setting → values; every combination is a trial"
    )
    mix: Mix | None = Field(None, description="append, replace or balance; default: the method's")
    llm: str = Field("offline", description="the model of this method")
    judge_llm: str | None = Field(None, description="a second model that checks the first")

    @field_validator("chain", "union", "one_of", "sometimes", mode="before")
    @classmethod
    def _names_are_steps(cls, told: Any) -> Any:
        return as_steps([told] if isinstance(told, str | dict) else told)

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        told = [key for key in _PUT_TOGETHER if getattr(self, key)]
        if len(told) + (self.method is not None) != 1:
            raise ValueError(f"give one of: method, {', '.join(_PUT_TOGETHER)}")
        return self

    @property
    def composed(self) -> tuple[str, dict[str, Any]]:
        """The registered method and its settings, also of methods put together."""
        if self.method is not None:
            return self.method, self.options
        how = next(key for key in _PUT_TOGETHER if getattr(self, key))
        steps = [step.model_dump() for step in getattr(self, how)]
        return "compose", {"how": how, "steps": steps, **self.options}

    @property
    def called(self) -> str:
        """What it is called in the table.

        >>> MethodEntry(chain=["eda", "swap"]).called
        'eda then swap'
        """
        for how, between in _PUT_TOGETHER.items():
            if steps := getattr(self, how):
                return self.name or between.join(step.method for step in steps)
        return str(self.name or self.method)


_PUT_TOGETHER = {"chain": " then ", "union": " and ", "one_of": " or ", "sometimes": "?"}


class SweepSettings(StrictModel):
    """A study: every method on every dataset with every seed."""

    name: str = Field("study", pattern=r"^[\w.-]+$", description="names the study's folder")
    methods: tuple[MethodEntry, ...] = Field(min_length=1, description="names, or mappings")
    datasets: tuple[str, ...] = Field(min_length=1, description="datasets to augment")
    seeds: tuple[int, ...] = Field((0,), min_length=1, description="one trial for each")
    limit: int | None = Field(None, ge=1, description="augment only the first rows")
    tests: dict[str, list[str]] = Field(
        default_factory=dict, description="dataset → test sets; default: its other splits"
    )
    metrics: tuple[str, ...] = Field(("accuracy",), min_length=1, description="what is measured")
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="how models are reached; budget per trial"
    )
    data_folder: Path | None = Field(None, description="where NAME/SPLIT.jsonl[.gz] are")
    engine: Literal["local", "ray"] = Field("local", description="where the rows are worked on")
    ray_address: str | None = Field(
        None, description="a Ray cluster, as HOST:6379 or auto; none: one is started here"
    )

    @field_validator("methods", mode="before")
    @classmethod
    def _names_are_entries(cls, told: Any) -> Any:
        """``- eda`` is short for ``- method: eda``."""
        if not isinstance(told, list | tuple):
            return told
        return [{"method": entry} if isinstance(entry, str) else entry for entry in told]

    @field_validator("tests")
    @classmethod
    def _tests_of_known_datasets(cls, told: dict[str, list[str]], info: Any) -> Any:
        if unknown := sorted(set(told) - set(info.data.get("datasets", ()))):
            raise ValueError(f"tests of a dataset that is not in 'datasets': {', '.join(unknown)}")
        return told


@dataclass(frozen=True)
class Trial:
    """One run of a study and the test sets it is measured on."""

    name: str
    method: str
    settings: RunSettings
    tests: tuple[str, ...]


def read_sweep(
    path: Path, data_folder: Path | None = None, given: Mapping[str, Any] = EMPTY
) -> SweepSettings:
    """Settings from a YAML file and the files it extends, under those ``given``.

    An error names file, line and key.
    """
    values = _extended(path, ())
    if data_folder is not None:
        values.setdefault("data_folder", str(data_folder))
    values |= {key: value for key, value in given.items() if value is not None}
    return validate(SweepSettings, values, str(path))


def trials(study: SweepSettings) -> list[Trial]:
    """Every trial, in the order of the file; the same trial twice is a mistake."""
    made = [
        _trial(study, entry, options, dataset, seed)
        for entry, dataset in product(study.methods, study.datasets)
        for options in _combinations(entry)
        for seed in study.seeds
    ]
    seen: set[str] = set()
    for trial in made:
        if trial.name in seen:
            raise ConfigError(f"the study has the trial {trial.name} twice: give each once")
        seen.add(trial.name)
    return made


def _trial(
    study: SweepSettings, entry: MethodEntry, options: Mapping[str, Any], dataset: str, seed: int
) -> Trial:
    method, own = entry.composed
    settings = RunSettings(
        method=method,
        options={**own, **options},
        dataset=dataset,
        seed=seed,
        mix=entry.mix,
        limit=study.limit,
        llm=entry.llm,
        judge_llm=entry.judge_llm,
        connection=study.connection,
        data_folder=study.data_folder,
        workers=1 if study.engine == "local" else None,
        engine=study.engine,
        ray_address=study.ray_address,
    )
    key = digest(json.dumps(settings.shaping(), sort_keys=True))[:8]
    called = entry.called
    if entry.grid:
        called += " " + ", ".join(f"{name}={options[name]}" for name in entry.grid)
    slug = re.sub(r"[^\w.-]+", "-", f"{method}-{dataset}-{seed}")[:80]
    return Trial(f"{slug}-{key}", called, settings, tuple(study.tests.get(dataset, ())))


def _combinations(entry: MethodEntry) -> Iterator[dict[str, Any]]:
    for values in product(*entry.grid.values()):
        yield dict(zip(entry.grid, values, strict=True))


def _extended(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    """The values of a file over those of the file it extends."""
    if path.resolve() in seen or len(seen) > _MOST_EXTENDS:
        raise ConfigError(f"{path}: 'extends' goes round in a circle")
    values = read_yaml(path)
    base = values.pop("extends", None)
    if base is None:
        return values
    if not isinstance(base, str):
        raise ConfigError(f"{path}: 'extends' takes the path of another file")
    return _extended(path.parent / base, (*seen, path.resolve())) | values
