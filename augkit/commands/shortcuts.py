"""``augkit shortcuts``: what gives the label of a dataset away, by a registered finder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from augkit.commands.choice_shortcuts import compare_choices, survey_choices
from augkit.commands.evaluate.training_sets import load_rows, run_training_sets, usable
from augkit.core import registry
from augkit.core.config import FinderConfig
from augkit.core.errors import ConfigError, DataError
from augkit.core.progress import report_progress
from augkit.core.protocols import RegisteredFinder, SupportsExplain, Tools
from augkit.core.results import SupportsCompare, Survey
from augkit.core.types import Example
from augkit.datasets.choices.load import holds_choices
from augkit.datasets.settings import ReadOptions, RowSelection
from augkit.models.classifiers.linear import train_linear
from augkit.models.saved import load_classifier
from augkit.runs.manifest import read_manifest
from augkit.shortcuts.fit import finder_config
from augkit.shortcuts.tokens import TokensConfig

_MOST_REPEATED = 0.1
"""Above this share of rows that repeat another one, the statistics are misleading."""
_ROWS_OF_A_PAGE = 20_000
"""A larger run is surveyed only on request: all of its rows are read again for this."""


class ShortcutSettings(RowSelection):
    """What is surveyed, and how."""

    dataset: str | None = Field(
        None, description="a name, a hub id or a file; NAME:SPLIT selects a split"
    )
    against: str | None = Field(
        None, description="a second dataset: what changed from --dataset to this"
    )
    run: Path | None = Field(
        None, description="a finished run folder: before and after, instead of --dataset"
    )
    explain: str | None = Field(
        None,
        description="with --by grammar: a dataset of rows; which rules of their trees speak for a "
        "classifier's wrong predictions",
    )
    classifier: Path | None = Field(
        None,
        description="for --explain: a folder of `augkit train`; none: a linear classifier, trained "
        "on --dataset",
    )
    draw: bool = Field(
        default=False,
        description="with --explain: draw the trees of the rows (by nltk, in the extra explain)",
    )
    group_column: str | None = Field(
        None, description="of choices: rows with one value in it are one unit of a test"
    )
    by: str = Field("tokens", description="the finder: `augkit list finders`")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of the finder")
    seed: int = Field(0, description="draws the sample; also of a finder that samples")
    out: Path | None = Field(
        None, description="a folder for survey.json and more; default: of a run, its own"
    )
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")

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


def shortcuts(settings: ShortcutSettings) -> Survey:
    """Survey a dataset, or compare two; the survey is saved where a folder is given."""
    finder: type[RegisteredFinder] = registry.find("finders", settings.by)
    config = finder_config(finder, settings.options, settings.seed)
    report_progress("reading the rows")
    if isinstance(config, TokensConfig) and _are_choices(settings):
        survey = survey_choices(
            str(settings.dataset), settings.reading, settings, config, settings.group_column
        )
        if settings.folder is not None:
            survey.save(settings.folder)
        return survey
    datasets = _datasets(settings)
    if isinstance(config, TokensConfig) and _is_run_of_choices(settings):
        survey = compare_choices(datasets[0], datasets[1], config)
        if settings.folder is not None:
            survey.save(settings.folder)
        return survey
    if settings.explain is not None:
        return _explained(settings, finder, config, datasets[0])
    report_progress(f"finding shortcuts by {settings.by}")
    folder = settings.folder
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    if len(datasets) == 1:
        survey = finder.survey(datasets[0], config, folder)
    elif isinstance(finder, SupportsCompare):
        survey = finder.compare(datasets[0], datasets[1], config, folder)
    else:
        raise ConfigError(
            f"--by {settings.by} surveys one dataset at a time and cannot compare two. "
            "Run it for each of them"
        )
    survey = replace(survey, warnings=(*survey.warnings, *_repeated(datasets)))
    if folder is not None:
        survey.save(folder)
    return survey


def _are_choices(settings: ShortcutSettings) -> bool:
    """Whether the dataset has candidates and a winner in place of a label."""
    if settings.dataset is None or settings.explain or settings.run:
        return False
    if not holds_choices(settings.dataset, settings.reading):
        return False
    if settings.against:
        raise ConfigError("--against compares labelled rows. Survey each dataset of choices alone")
    return True


def _is_run_of_choices(settings: ShortcutSettings) -> bool:
    return settings.run is not None and read_manifest(settings.run).dataset.choices


def _explained(
    settings: ShortcutSettings,
    finder: type[RegisteredFinder],
    config: FinderConfig,
    examples: Sequence[Example],
) -> Survey:
    """What speaks for a classifier's wrong predictions on the rows of ``--explain``."""
    if not issubclass(finder, SupportsExplain):
        raise ConfigError(f"--by {settings.by} cannot explain single rows: use --by grammar")
    if settings.classifier is not None:
        classifier = load_classifier(settings.classifier)
    else:
        report_progress("training a linear classifier")
        classifier = train_linear(examples)
    rows = usable(load_rows(str(settings.explain), settings.reading))
    report_progress(f"explaining {len(rows):,} rows by {settings.by}")
    survey = finder.fit(examples, config, Tools()).explain(rows, classifier, draw=settings.draw)
    if settings.out is not None:
        settings.out.mkdir(parents=True, exist_ok=True)
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in survey.rows)
        with (settings.out / "explanations.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(lines)
    return survey


def _repeated(datasets: Sequence[Sequence[Example]]) -> Iterator[str]:
    """A warning for each dataset in which many rows have the texts of another one."""
    for number, rows in enumerate(datasets):
        repeated = len(rows) - len({tuple(row.fields.values()) for row in rows})
        if repeated > _MOST_REPEATED * len(rows):
            which = f"{('before', 'after')[number]}: " if len(datasets) > 1 else ""
            yield (
                f"{which}{repeated:,} of {len(rows):,} rows repeat the texts of another row; they "
                "are counted as independent, so z is too large and p too small. augkit check "
                "counts each text once"
            )


def compare_run(folder: Path, data_folder: Path | None) -> None:
    """What gave the label away before a run and after it, for its page, where that is cheap."""
    manifest = read_manifest(folder)
    comparable = len(manifest.original_labels) > 1 or manifest.dataset.choices
    if comparable and manifest.counts.read <= _ROWS_OF_A_PAGE:
        settings: dict[str, Any] = {}
        find = manifest.settings.get("find")
        if find and isinstance(registry.find("finders", find["name"]), SupportsCompare):
            settings = {"by": find["name"], "options": find["options"], "seed": manifest.seed}
        reading = ReadOptions(data_folder=data_folder)
        shortcuts(ShortcutSettings(run=folder, reading=reading, **settings))


def _datasets(settings: ShortcutSettings) -> Sequence[Sequence[Example]]:
    if settings.group_column is not None:
        raise ConfigError(
            "--group-column goes with choices and --by tokens: of labelled rows every text counts "
            "once. augkit check --group-column keeps their groups together in field_accuracy"
        )
    if settings.explain is None and settings.classifier is not None:
        raise ConfigError("--classifier goes with --explain: nothing else here uses one")
    if settings.explain is None and settings.draw:
        raise ConfigError("--draw goes with --explain, and draws the trees of its rows")
    if settings.explain is not None and (settings.dataset is None or settings.against):
        raise ConfigError("--explain goes with --dataset, the rows that the grammar is made from")
    if (settings.dataset is None) == (settings.run is None):
        raise ConfigError("nothing to survey: pass --dataset NAME or --run FOLDER")
    if settings.run is not None:
        if settings.against:
            raise ConfigError("--against goes with --dataset: a run has two datasets of its own")
        return [
            settings.of(arm.examples)
            for arm in run_training_sets(settings.run, "both", settings.reading.data_folder)
        ]
    specs = [str(settings.dataset), *([settings.against] if settings.against else [])]
    datasets = []
    for spec in specs:
        rows = usable(settings.of(load_rows(spec, settings.reading)))
        if len({row.label for row in rows}) < 2:
            raise DataError(
                f"{spec}: shortcuts are between texts and labels, and there are not two different "
                "labels in it. Name the column with --label-column, or choose another split"
            )
        datasets.append(rows)
    return datasets
