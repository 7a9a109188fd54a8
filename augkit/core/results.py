"""The values of an evaluation: scores, differences, and what was skipped."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from augkit.core.types import Example, NoItems, value


@value
class Score:
    """A measured number with its interval and the count of items behind it.

    Attributes:
        name: What it is called in tables and files.
        value: The number.
        low: The lower end of the interval.
        high: The upper end.
        n: The items, most often rows, that it was measured on.
    """

    name: str
    value: float
    low: float
    high: float
    n: int


Direction = Literal["higher", "lower", "neither"]
"""Which scores are better."""


@value
class Skipped:
    """A part of a metric that could not be measured, and why."""

    name: str
    reason: str


@value
class Difference:
    """How far the scores of two classifiers differ: second minus first.

    Attributes:
        name: The name of the two scores.
        score: The difference with its interval.
        p: The p-value.
        direction: That of this score where it is not the metric's.
    """

    name: str
    score: Score
    p: float
    direction: Direction | None = None


@value
class PredictedPair:
    """The labels that a classifier gives to a row and to its variant, where the row has one.

    Attributes:
        original: The label predicted for the row.
        variant: The label predicted for its variant, or None.
        gold: The true label of the row, where it is known.
        variant_gold: The true label of the variant, where it is known.
        row: Id of the row: a row may have several variants.
        about: What was changed, for breakdowns.
    """

    original: str
    variant: str | None = None
    gold: str | None = None
    variant_gold: str | None = None
    row: str = ""
    about: Mapping[str, str] = field(default_factory=NoItems)


SURVEY_FILE = "survey.json"


@dataclass(frozen=True)
class Table:
    """A table for people.

    Attributes:
        title: What stands above it.
        header: Names of the columns.
        rows: The cells, as text.
        spare: Columns to leave out on a narrow terminal, the first one first.
    """

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    spare: tuple[str, ...] = ()


@dataclass(frozen=True)
class Survey:
    """What was found, the strongest first.

    Attributes:
        rows: Plain values, for JSON.
        tables: Tables for people.
        warnings: The caveats.
        about: Counts and corrections.
    """

    rows: Sequence[Mapping[str, Any]]
    tables: Sequence[Table] = ()
    warnings: Sequence[str] = ()
    about: Mapping[str, Any] = field(default_factory=NoItems)

    def record(self) -> dict[str, Any]:
        """Everything but the tables, for JSON."""
        return {
            "about": dict(self.about),
            "warnings": list(self.warnings),
            "rows": [dict(row) for row in self.rows],
        }

    def save(self, folder: Path) -> None:
        """Write ``survey.json`` into the folder, which is made if it does not exist."""
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.record(), ensure_ascii=False, indent=1)
        (folder / SURVEY_FILE).write_text(text + "\n", encoding="utf-8")


@runtime_checkable
class SupportsCompare(Protocol):
    """A finder that can also say what changed between two datasets.

    Rows with a "feature", a "label", a "share" and an "after" with its own "share" are drawn on
    the page of a run whose finder it is.
    """

    def compare(
        self,
        before: Sequence[Example],
        after: Sequence[Example],
        config: Any,
        folder: Path | None,
    ) -> Survey:
        """What gave the label away before, and what does now."""
