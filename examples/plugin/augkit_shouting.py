"""Words in capitals that give a label away: a complete augkit finder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field
from typing_extensions import Self

from augkit.core.config import FinderConfig
from augkit.core.protocols import RegisteredFinder, Target, Tools
from augkit.core.results import Survey, Table
from augkit.core.types import Example
from augkit.text.tokens import word_spans

_FILE = "shares.json"


class ShoutingConfig(FinderConfig):
    """What counts as shouting, and when it gives a label away."""

    letters: int = Field(3, ge=1, description="letters that a word in capitals must have")
    lift: float = Field(1.5, gt=1, description="times the share of all rows that makes a shortcut")


@dataclass(frozen=True)
class Shouting(RegisteredFinder):
    """Words in capitals, where rows of one label shout more often than the others.

    ``strengths`` has, for each such label, how many times the share of all rows its own is.
    """

    name = "shouting"
    Config = ShoutingConfig

    letters: int
    strengths: Mapping[str, float]

    @classmethod
    def fit(cls, examples: Sequence[Example], config: ShoutingConfig, tools: Tools) -> Self:  # noqa: ARG003 - none is needed
        """Keep the labels whose rows shout."""
        return cls(config.letters, lifts(examples, config))

    def find(self, examples: Sequence[Example]) -> list[list[Target]]:
        """The words in capitals of rows whose label shouts."""
        return [
            [
                Target(field, start, end, "word in capitals", self.strengths[row.label])
                for field, text in row.fields.items()
                for start, end in shouted(text, self.letters)
            ]
            if row.label in self.strengths
            else []
            for row in examples
        ]

    def save(self, folder: Path) -> None:
        """Write it into an empty folder."""
        record = {"letters": self.letters, "strengths": dict(self.strengths)}
        (folder / _FILE).write_text(json.dumps(record), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        return cls(**json.loads((folder / _FILE).read_text(encoding="utf-8")))

    @staticmethod
    def survey(examples: Sequence[Example], config: ShoutingConfig, folder: Path | None) -> Survey:  # noqa: ARG004 - it writes no files
        """A row for each label: the share of its rows that shout."""
        rows = records(examples, config)
        return Survey(rows, (table(rows),), about={"rows": len(examples)})

    @staticmethod
    def compare(
        before: Sequence[Example],
        after: Sequence[Example],
        config: ShoutingConfig,
        folder: Path | None,  # noqa: ARG004 - it writes no files
    ) -> Survey:
        """The same shares, before and after."""
        now = {row["label"]: row for row in records(after, config)}
        rows = [
            {**row, "after": {"share": now[row["label"]]["share"]}}
            for row in records(before, config)
            if row["label"] in now
        ]
        return Survey(rows, (table(rows),), about={"rows": len(before), "rows after": len(after)})


def records(examples: Sequence[Example], config: ShoutingConfig) -> list[dict[str, Any]]:
    """For each label the share of its rows that shout, the largest first."""
    totals, loud = Counter(row.label for row in examples), Counter[str | None]()
    for row in examples:
        loud[row.label] += any(shouted(text, config.letters) for text in row.fields.values())
    found = [
        {"feature": "word in capitals", "label": str(label), "share": loud[label] / rows}
        for label, rows in totals.items()
    ]
    return sorted(found, key=lambda row: -row["share"])


def lifts(examples: Sequence[Example], config: ShoutingConfig) -> dict[str, float]:
    """The labels that shout: how many times the share of all rows theirs is."""
    rows = records(examples, config)
    mean = sum(row["share"] for row in rows) / max(len(rows), 1)
    found = {row["label"]: row["share"] / mean for row in rows if mean}
    return {label: lift for label, lift in found.items() if lift >= config.lift}


def shouted(text: str, letters: int) -> list[tuple[int, int]]:
    """The spans of words in capitals.

    >>> shouted("It is NOT a film", letters=3)
    [(6, 9)]
    """
    return [
        (start, end)
        for start, end in word_spans(text)
        if text[start:end].isupper() and end - start >= letters
    ]


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """The shares for people."""
    header = ("label", "share of its rows that shout", "now")
    lines = [
        (row["label"], f"{row['share']:.1%}", f"{row.get('after', row)['share']:.1%}")
        for row in rows
    ]
    return Table("Words in capitals", header, lines)
