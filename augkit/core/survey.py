"""What a survey of a dataset found: plain rows for programs, tables for people, warnings.

Everything that finds shortcuts (token statistics, attribution, grammars) answers with this value,
so that ``augkit shortcuts`` prints and stores all of them alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from augkit.core.types import EMPTY, Example


@dataclass(frozen=True)
class Table:
    """A table for people: a title, the names of the columns, and rows of text."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Survey:
    """What was found, the strongest first.

    ``rows`` are plain values for JSON, ``about`` says how it was found (counts, corrections),
    ``warnings`` what to keep in mind while reading it.
    """

    rows: Sequence[Mapping[str, Any]]
    tables: Sequence[Table] = ()
    warnings: Sequence[str] = ()
    about: Mapping[str, Any] = EMPTY

    def record(self) -> dict[str, Any]:
        """Everything but the tables, for JSON."""
        return {
            "about": dict(self.about),
            "warnings": list(self.warnings),
            "rows": [dict(row) for row in self.rows],
        }

    def save(self, folder: Path) -> None:
        """Write ``findings.json`` into the folder, which is made where it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.record(), ensure_ascii=False, indent=1)
        (folder / "findings.json").write_text(text + "\n", encoding="utf-8")


class Way(Protocol):
    """A way of finding shortcuts, as the group ``augkit.finders`` registers it: usually a class.

    ``survey`` is a static method; ``folder`` is where it may write files of its own, or None.
    """

    @property
    def Config(self) -> type[Any]:  # noqa: N802 - a class, as every method has one
        """The settings: a strict pydantic model."""
        ...

    def survey(self, examples: Sequence[Example], config: Any, folder: Path | None) -> Survey:
        """What gives the label of these examples away."""
        ...


@runtime_checkable
class SupportsCompare(Protocol):
    """A way that can also tell what changed between two datasets."""

    def compare(
        self,
        before: Sequence[Example],
        after: Sequence[Example],
        config: Any,
        folder: Path | None,
    ) -> Survey:
        """What gave the label away before, and what does now."""
        ...
