"""Finders by name: their validated settings, and one fitted to examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from augkit.core import registry
from augkit.core.config import FinderConfig, validate
from augkit.core.errors import ConfigError, DataError
from augkit.core.protocols import RegisteredFinder, Tools
from augkit.core.python_messages import naming_arguments
from augkit.core.types import Example
from augkit.datasets.rows import check_labels


@naming_arguments
def fit_finder(
    finder: str, examples: Iterable[Example], tools: Tools | None = None, **settings: Any
) -> RegisteredFinder:
    """Fit the finder registered under a name to labelled examples.

    Args:
        finder: A name of ``augkit list finders``.
        examples: Labelled examples; those without a text or a label are left out.
        tools: Live objects that the finder uses, such as a classifier.
        **settings: Settings of the finder.

    >>> from augkit import example
    >>> rows = [example(f"A film by Marta, number {n}.", "good") for n in range(40)]
    >>> rows += [example(f"Some other film, number {n}.", "bad") for n in range(40)]
    >>> finder = fit_finder("tokens", rows, top=1)
    >>> [target.reason for target in finder.find(rows[:1])[0]]
    ['3-gram by marta number → good']
    """
    finder_class: type[RegisteredFinder] = registry.find("finders", finder)
    tools = Tools() if tools is None else tools
    check_classifier(finder_class, used=tools.classifier is not None)
    return fit_to_labelled(finder_class, examples, finder_config(finder_class, settings), tools)


def fit_to_labelled(
    finder: type[RegisteredFinder],
    examples: Iterable[Example],
    config: FinderConfig,
    tools: Tools,
) -> RegisteredFinder:
    """Fit to the examples that have a text and a label."""
    rows = [row for row in examples if row.label is not None and not row.fault]
    check_labels("the examples", None, Counter(row.label for row in rows))
    if len({row.label for row in rows}) < 2:
        raise DataError(
            f"'{finder.name}' needs rows with two different labels, to find what tells them "
            "apart. Name the column with --label-column, or choose another split"
        )
    return finder.fit(rows, config, tools)


def finder_config(
    finder: type[RegisteredFinder], options: Mapping[str, Any], seed: int = 0
) -> FinderConfig:
    """The validated settings of a finder; one that samples uses the given seed by default."""
    seeded = {"seed": seed} if "seed" in finder.Config.model_fields else {}
    return validate(finder.Config, {**seeded, **options}, f"settings of '{finder.name}'")


def check_classifier(finder: type[RegisteredFinder], *, used: bool) -> None:
    """Raise where a classifier is given to a finder that would ignore it."""
    if used and "classifier" not in finder.uses:
        users = sorted(
            name
            for name in registry.names("finders")
            if "classifier" in registry.find("finders", name).uses
        )
        raise ConfigError(
            f"the finder '{finder.name}' does not use a classifier. "
            f"Finders that do: {', '.join(users) or 'none'}"
        )
