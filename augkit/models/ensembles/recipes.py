"""Ensembles as data files: those of the package by name, others by their path."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from augkit.core.config import load, parse_yaml, validate
from augkit.core.errors import UnknownName
from augkit.models.ensembles.crossfit import EnsembleConfig


def ensemble_names() -> list[str]:
    """The ensembles that come with the package.

    >>> "linear-five" in ensemble_names()
    True
    """
    return sorted(file.name.removesuffix(".yaml") for file in _folder() if _is_recipe(file.name))


def load_ensemble(name: str) -> EnsembleConfig:
    """An ensemble of the package, or that of a YAML file with the settings of one."""
    if _is_recipe(name):
        return load(EnsembleConfig, Path(name).expanduser())
    if name not in ensemble_names():
        raise UnknownName("ensemble", name, ensemble_names())
    text = next(file for file in _folder() if file.name == f"{name}.yaml").read_text("utf-8")
    return validate(EnsembleConfig, parse_yaml(text, name), f"ensemble '{name}'")


def _folder() -> list[Path]:
    folder = files("augkit.models").joinpath("ensembles")
    return [Path(str(file)) for file in folder.iterdir()]


def _is_recipe(name: str) -> bool:
    return name.endswith((".yaml", ".yml"))
