"""The bundled word lists of the rules: YAML files beside this one, checked as they are read."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, TypeVar

from augkit.core.config import StrictModel, parse_yaml, validate

_Model = TypeVar("_Model", bound=StrictModel)


def read_bundled(name: str) -> Mapping[str, Any]:
    """What a bundled file holds."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    held: Mapping[str, Any] = parse_yaml(text, name)
    return held


def bundled(model: type[_Model], name: str) -> _Model:
    """A bundled file as what it must be."""
    return validate(model, read_bundled(name), name)
