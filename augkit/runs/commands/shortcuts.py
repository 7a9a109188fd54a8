"""``shortcuts``: what gives the label of a dataset away, by a registered way of finding it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from augkit.core import registry
from augkit.core.config import StrictModel, validate
from augkit.core.errors import ConfigError, DataError
from augkit.core.survey import SupportsCompare, Survey, Way
from augkit.core.types import Example, digest
from augkit.datasets.columns import ReadOptions
from augkit.datasets.load import load_dataset
from augkit.runs.evaluation.training_sets import run_arms, usable
from augkit.runs.manifest import read_manifest

_ROWS_OF_A_PAGE = 20_000
"""A run of more rows is looked at only when somebody asks: it is read again for this."""


class ShortcutSettings(StrictModel):
    """What is looked at, and how."""

    dataset: str | None = Field(None, description="a dataset; or give a run")
    against: str | None = Field(None, description="a second dataset, to tell what changed")
    run: Path | None = Field(None, description="a finished run: its originals and its result")
    by: str | None = Field(None, description="the way of finding; default: tokens")
    definition: str | None = Field(None, description="a paper's definition, in the place of by")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of that way")
    limit: int | None = Field(None, ge=1, description="at most so many rows, drawn by the seed")
    seed: int = Field(0, description="of the draw, and of a way that draws")
    out: Path | None = Field(None, description="a folder for the files; of a run, its own")
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")

    @property
    def way(self) -> str:
        """The registered name of the way: a definition is registered as NAME-definition."""
        if self.by and self.definition:
            raise ConfigError("give --by or --definition, not both")
        return f"{self.definition}-definition" if self.definition else self.by or "tokens"

    @property
    def folder(self) -> Path | None:
        """Where the files go: what was found in a run lies in it, and its page shows it."""
        return self.out or (self.run / "shortcuts" if self.run else None)

    @property
    def asked(self) -> dict[str, Any]:
        """What was asked for, as plain values."""
        what = {"run": str(self.run)} if self.run else {"dataset": self.dataset}
        if self.against:
            what["against"] = self.against
        return {**what, "by": self.way}


def shortcuts(settings: ShortcutSettings) -> Survey:
    """Survey a dataset, or compare two; the findings are written where a folder is named."""
    way: Way = registry.find("finders", settings.way)
    config = _config(way, settings)
    datasets = [_drawn(rows, settings) for rows in _datasets(settings)]
    folder = settings.folder
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    if len(datasets) == 1:
        findings = way.survey(datasets[0], config, folder)
    elif isinstance(way, SupportsCompare):
        findings = way.compare(datasets[0], datasets[1], config, folder)
    else:
        raise ConfigError(
            f"--by {settings.way} surveys one dataset at a time and cannot compare two. "
            "Call it for each of them"
        )
    if folder is not None:
        findings.save(folder)
    return findings


def compare_run(folder: Path, data_folder: Path | None) -> None:
    """What gave the label away before a run and after it, for its page, where that is cheap."""
    manifest = read_manifest(folder)
    if len(manifest.dataset.labels) > 1 and manifest.dataset.rows <= _ROWS_OF_A_PAGE:
        shortcuts(ShortcutSettings(run=folder, reading=ReadOptions(data_folder=data_folder)))


def _config(way: Way, settings: ShortcutSettings) -> Any:
    options = dict(settings.options)
    if "seed" in way.Config.model_fields:
        options.setdefault("seed", settings.seed)
    return validate(way.Config, options, f"settings of '{settings.way}'")


def _datasets(settings: ShortcutSettings) -> list[Sequence[Example]]:
    if (settings.dataset is None) == (settings.run is None):
        raise ConfigError("what is to be looked at? Give --dataset NAME, or --run FOLDER")
    if settings.run is not None:
        if settings.against:
            raise ConfigError("--against goes with --dataset: a run has two datasets of its own")
        return [
            arm.examples for arm in run_arms(settings.run, "both", settings.reading.data_folder)
        ]
    specs = [str(settings.dataset), *([settings.against] if settings.against else [])]
    return [_labelled(spec, settings.reading) for spec in specs]


def _labelled(spec: str, reading: ReadOptions) -> list[Example]:
    rows = usable(load_dataset(spec, **reading.model_dump()))
    if len({row.label for row in rows}) < 2:
        raise DataError(
            f"{spec}: shortcuts are between texts and labels, and there are not two different "
            "labels in it. Name the column with --label-column, or choose another split"
        )
    return rows


def _drawn(rows: Sequence[Example], settings: ShortcutSettings) -> Sequence[Example]:
    """At most ``limit`` rows in their order; a file may be sorted by label, so they are drawn."""
    if settings.limit is None or len(rows) <= settings.limit:
        return rows
    keys = sorted((digest(str(settings.seed), row.id), place) for place, row in enumerate(rows))
    return [rows[place] for place in sorted(place for _, place in keys[: settings.limit])]


def settings_of(values: dict[str, Any]) -> ShortcutSettings:
    """Validate what the command line gathered; what was not given takes its default."""
    given = {key: value for key, value in values.items() if value is not None}
    return validate(ShortcutSettings, given, "shortcuts settings")
