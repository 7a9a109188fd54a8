"""Settings of ``augkit shortcuts``, apart from what surveys: its options are read without that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from augkit.commands.check.sampling import LEAST_SAMPLE, MOST_ROWS
from augkit.core.errors import ConfigError
from augkit.datasets.settings import ReadOptions, RowSelection
from augkit.runs.manifest import FILE

COUNTING = "tokens"
"""The finder that counts words, also of a sample."""


def subject_of(data: Sequence[str]) -> dict[str, str]:
    """What is surveyed, of the words given for it: a run folder, a dataset, or two datasets.

    >>> subject_of(["a.csv", "b.csv"])
    {'dataset': 'a.csv', 'against': 'b.csv'}
    """
    if len(data) > 2:
        raise ConfigError(f"{len(data)} datasets: a survey is of one, or compares two")
    names = ("dataset", "against")
    if len(data) == 1 and (Path(data[0]) / FILE).is_file():
        names = ("run", "")
    return dict(zip(names, data, strict=False))


class ShortcutSettings(RowSelection):
    """What is surveyed, and how."""

    dataset: str | None = Field(
        None, description="a name, a hub id or a file; NAME:SPLIT selects a split"
    )
    against: str | None = Field(
        None, description="a second dataset: what changed from the first to this"
    )
    run: Path | None = Field(
        None, description="a finished run folder: before and after, instead of a dataset"
    )
    explain: str | None = Field(
        None,
        description="with --by grammar: a dataset of rows; which rules of their trees speak for a "
        "classifier's wrong predictions",
    )
    classifier: Path | None = Field(
        None,
        description="for --explain: a folder of `augkit train`; none: a linear classifier, trained "
        "on the dataset",
    )
    draw: bool = Field(
        default=False,
        description="with --explain: draw the trees of the rows (by nltk, in the extra explain)",
    )
    group_column: str | None = Field(
        None, description="of choices: rows with one value in it are one unit of a test"
    )
    max_rows: int = Field(
        MOST_ROWS,
        ge=LEAST_SAMPLE,
        description="--by tokens: in a larger dataset, count a sample of this many rows, unless "
        "sample or --limit is given",
    )
    by: str = Field(COUNTING, description="the finder: `augkit list finders`")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of the finder")
    seed: int = Field(0, description="draws the sample; also of a finder that samples")
    out: Path | None = Field(
        None, description="a folder for survey.json and more; default: of a run, its own"
    )
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")

    @property
    def selection(self) -> RowSelection:
        """The rows that were asked for; of the finder that counts, a sample of very many rows."""
        asked = RowSelection(limit=self.limit, sample=self.sample, seed=self.seed)
        if asked.is_partial or self.by != COUNTING:
            return asked
        return asked.model_copy(update={"sample": self.max_rows})

    @property
    def folder(self) -> Path | None:
        """Where the files go: the survey of a run is kept in its folder, and its page shows it."""
        return self.out or (self.run / "shortcuts" if self.run else None)

    @property
    def subject(self) -> dict[str, Any]:
        """What is surveyed by which finder, as plain values."""
        what = {"run": str(self.run)} if self.run else {"dataset": self.dataset}
        if self.against:
            what["against"] = self.against
        if self.explain:
            what["explain"] = self.explain
        return {**what, "by": self.by}
