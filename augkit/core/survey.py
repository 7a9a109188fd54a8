"""What a finder reports about a dataset: plain rows for programs, tables for people, warnings.

Every finder (token statistics, attribution, grammars ...) answers with a ``Survey``, so that
``augkit shortcuts`` prints and stores all of them alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from augkit.core.types import Example, NoItems

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
