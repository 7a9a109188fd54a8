"""Checks that every finder must pass, for augkit's own and for yours."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from augkit.core import registry
from augkit.core.protocols import Finder, RegisteredFinder, Tools
from augkit.core.types import EMPTY, Example, example
from augkit.shortcuts.fit import finder_config

_EXCEPTION = 8
LABELLED: tuple[Example, ...] = tuple(
    example(f"{opening} {noun} number {number} {ending}", labels[number % _EXCEPTION == 0])
    for number in range(40)
    for opening, ending, labels in [
        ("Emma: the", "was good.", ("pos", "neg")),
        ("The", "was not.", ("neg", "pos")),
    ]
    for noun in ("film", "book")
)
"""Rows in which "Emma", "good" and "not" give the label away, seven times out of eight."""


def check_finder(
    finder: str | type[RegisteredFinder],
    settings: Mapping[str, Any] = EMPTY,
    examples: Sequence[Example] = LABELLED,
) -> None:
    """Check a registered name or a class: survey, targets, batches, and saving.

    Args:
        finder: A registered name, or a class.
        settings: The settings that the finder requires.
        examples: Labelled rows to try it on.
    """
    kind = registry.find("finders", finder) if isinstance(finder, str) else finder
    config = finder_config(kind, settings)
    survey = kind.survey(examples, config, None)
    json.dumps(survey.record(), allow_nan=False)
    fitted = kind.fit(examples, config, Tools())
    _check_targets(fitted, examples)
    with tempfile.TemporaryDirectory() as folder:
        fitted.save(Path(folder))
        again = kind.load(Path(folder))
    _hold(again.find(examples) == fitted.find(examples), "the saved finder finds something else")


def _check_targets(finder: Finder, examples: Sequence[Example]) -> None:
    unusual = [example("", "pos"), example("Movie"), replace(examples[0], label=None)]
    rows = [*examples, *unusual]
    together = finder.find(rows)
    _hold(together == [finder.find([row])[0] for row in rows], "batches change the targets")
    _hold(any(together), "no target in any row")
    for row, targets in zip(rows, together, strict=True):
        strengths = [target.strength for target in targets]
        _hold(strengths == sorted(strengths, reverse=True), "the strongest is not first")
        for target in targets:
            text = row.fields[target.field]
            _hold(0 <= target.start < target.end <= len(text), f"{target} is outside of {text!r}")
            _hold(bool(target.reason), f"{target} has no reason")


def _hold(condition: bool, promise: str) -> None:
    if not condition:
        raise AssertionError(promise)
