"""The word lists of the rules: YAML files beside this one, checked as they are read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from augkit.core.config import StrictModel, parse_yaml, validate

_Model = TypeVar("_Model", bound=StrictModel)


def read_word_file(name: str) -> Mapping[str, Any]:
    """The content of a YAML file of this folder."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    content: Mapping[str, Any] = parse_yaml(text, name)
    return content


def load_words(model: type[_Model], name: str) -> _Model:
    """A YAML file of this folder, validated."""
    return validate(model, read_word_file(name), name)


@cache
def listed_words(name: str) -> frozenset[str]:
    """A list of ``words.yaml``, to test words against."""
    return frozenset(_words()[name])


@cache
def phrase_list(name: str) -> tuple[str, ...]:
    """A list of ``words.yaml``, to draw from or to try in order."""
    return tuple(_words()[name])


def replacements(name: str) -> Mapping[str, str]:
    """A table of ``words.yaml``: what replaces each word."""
    table: Mapping[str, str] = _words()[name]
    return table


@cache
def _words() -> Mapping[str, Any]:
    return read_word_file("words.yaml")
