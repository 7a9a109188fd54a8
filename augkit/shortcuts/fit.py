"""Finders by name: their validated settings, and one fitted to examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from augkit.core import registry
from augkit.core.config import StrictModel, validate
from augkit.core.errors import ConfigError, DataError
from augkit.core.protocols import RegisteredFinder, Tools
from augkit.core.types import Example


def fit_finder(
    finder: str, examples: Iterable[Example], tools: Tools | None = None, **settings: Any
) -> RegisteredFinder:
    """Fit the finder registered under a name to labelled examples.

    >>> from augkit import create, example
    >>> rows = [example(f"Spielberg film {n}.", "good") for n in range(9)]
    >>> rows += [example(f"Some other film {n}.", "bad") for n in range(9)]
    >>> create("mask-words", finder=fit_finder("tokens", rows)).augment("A Spielberg film.")
    ['A [MASK] film.']
    """
    found: type[RegisteredFinder] = registry.find("finders", finder)
    config = finder_config(found, settings)
    tools = Tools() if tools is None else tools
    check_classifier(found, used=tools.classifier is not None)
    rows = [row for row in examples if row.label is not None and not row.fault]
    if len({row.label for row in rows}) < 2:
        raise DataError(
            f"'{finder}' needs rows with two different labels, to find what tells them apart. "
            "Name the column with --label-column, or choose another split"
        )
    return found.fit(rows, config, tools)


def finder_config(
    finder: type[RegisteredFinder], options: Mapping[str, Any], seed: int = 0
) -> StrictModel:
    """The validated settings of a finder; one that samples uses the given seed by default."""
    seeded = {"seed": seed} if "seed" in finder.Config.model_fields else {}
    return validate(finder.Config, {**seeded, **options}, f"settings of '{finder.name}'")


def check_classifier(finder: type[RegisteredFinder], *, used: bool) -> None:
    """Raise where a classifier is given to a finder that would ignore it."""
    if used and "classifier" not in finder.uses:
        known = {name: registry.find("finders", name) for name in registry.names("finders")}
        users = sorted(name for name, one in known.items() if "classifier" in one.uses)
        raise ConfigError(
            f"the finder '{finder.name}' does not use a classifier. "
            f"Finders that do: {', '.join(users) or 'none'}"
        )
