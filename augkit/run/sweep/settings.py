"""What a study is told: methods, datasets and seeds, and the runs that follow from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from augkit.augmenters.mix import Mix
from augkit.config import StrictModel, read_yaml, validate
from augkit.data import digest
from augkit.errors import ConfigError
from augkit.llm.settings import ConnectOptions
from augkit.run.settings import RunSettings

_MOST_EXTENDS = 10


class MethodEntry(StrictModel):
    """One method of a study; lists under ``grid`` are tried in every combination."""

    method: str = Field(description="a name of `augkit list methods`")
    name: str | None = Field(None, description="what it is called in the table; default: method")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of the method")
    grid: dict[str, list[Any]] = Field(
        default_factory=dict, description="setting → values; every combination is a trial"
    )
    mix: Mix | None = Field(None, description="append, replace or balance; default: the method's")
    llm: str = Field("offline", description="the model of this method")
    judge_llm: str | None = Field(None, description="a second model that checks the first")


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


def read_sweep(path: Path, data_folder: Path | None = None) -> SweepSettings:
    """Settings from a YAML file and the files it extends; an error names file, line and key."""
    values = _extended(path, ())
    if data_folder is not None:
        values.setdefault("data_folder", str(data_folder))
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
    settings = RunSettings(
        method=entry.method,
        options=dict(options),
        dataset=dataset,
        seed=seed,
        mix=entry.mix,
        limit=study.limit,
        llm=entry.llm,
        judge_llm=entry.judge_llm,
        connection=study.connection,
        data_folder=study.data_folder,
        workers=1,
    )
    key = digest(settings.model_dump_json(exclude={"connection", "data_folder"}))[:8]
    called = entry.name or entry.method
    if entry.grid:
        called += " " + ", ".join(f"{name}={options[name]}" for name in entry.grid)
    slug = re.sub(r"[^\w.-]+", "-", f"{entry.method}-{dataset}-{seed}")[:80]
    return Trial(f"{slug}-{key}", called, settings, tuple(study.tests.get(dataset, ())))


def _combinations(entry: MethodEntry) -> Iterator[dict[str, Any]]:
    for values in product(*entry.grid.values()):
        yield {**entry.options, **dict(zip(entry.grid, values, strict=True))}


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
