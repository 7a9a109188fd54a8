"""``augkit shortcuts``: what gives the label of a dataset away, by a registered finder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from augkit.commands.check.choice_rows import load_checked_choices
from augkit.commands.choice_shortcuts import compare_choices, survey_choices
from augkit.commands.evaluate.training_sets import load_rows, run_training_sets, usable
from augkit.commands.label_faults import faults_of, require_classes, require_texts
from augkit.commands.shortcut_settings import ShortcutSettings
from augkit.core import registry
from augkit.core.config import FinderConfig
from augkit.core.errors import ConfigError, DataError
from augkit.core.json_files import write_json_lines
from augkit.core.progress import report_progress
from augkit.core.protocols import RegisteredFinder, SupportsExplain, Tools
from augkit.core.results import SupportsCompare, Survey
from augkit.core.types import Example
from augkit.datasets.choices.load import holds_choices
from augkit.datasets.load import Spec, load_selected, open_dataset, spec_name
from augkit.datasets.rewriting import no_label_column
from augkit.datasets.settings import ReadOptions
from augkit.models.classifiers.linear import train_linear
from augkit.models.saved import load_classifier
from augkit.runs.manifest import read_manifest
from augkit.runs.settings import recorded_settings
from augkit.shortcuts.fit import finder_config
from augkit.shortcuts.tokens import TokensConfig

_SAMPLED = (
    "counted on a sample of {rows:,} of {total:,} rows: the share of a feature in r of them is "
    "within 0.98/√r of that of all rows in 95 % of samples (0.031 for 1,000 rows); p is that "
    "of the sample. --set max_rows=N sets its size"
)
_ROWS_OF_A_PAGE = 20_000
"""A larger run is surveyed only on request: all of its rows are read again for this."""


def shortcuts(settings: ShortcutSettings, data: Spec | None = None) -> Survey:
    """Survey a dataset, or compare two; the survey is saved where a folder is given.

    ``data`` is the dataset where it is in memory.
    """
    spec = settings.dataset if data is None else data
    finder: type[RegisteredFinder] = registry.find("finders", settings.by)
    config = finder_config(finder, settings.options, settings.seed)
    report_progress("reading the rows")
    if isinstance(config, TokensConfig) and spec is not None and _are_choices(settings, spec):
        items = load_checked_choices(
            spec,
            settings.reading,
            settings.group_column,
            most=None if settings.is_partial else settings.max_rows,
        )
        survey = survey_choices(items, settings, config)
        if settings.folder is not None:
            survey.save(settings.folder)
        return survey
    datasets, notes = _datasets(settings, spec)
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
    survey = replace(survey, warnings=(*survey.warnings, *notes))
    if folder is not None:
        survey.save(folder)
    return survey


def _are_choices(settings: ShortcutSettings, spec: Spec) -> bool:
    """Whether the dataset has candidates and a winner in place of a label."""
    if settings.explain or settings.run:
        return False
    if not holds_choices(spec, settings.reading):
        return False
    if settings.against:
        raise ConfigError(
            "two datasets of labelled rows are compared. Survey each dataset of choices alone"
        )
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
        write_json_lines(settings.out / "explanations.jsonl", survey.rows)
    return survey


def compare_run(folder: Path, data_folder: Path | None) -> None:
    """What gave the label away before a run and after it, for its page, where that is cheap."""
    manifest = read_manifest(folder)
    comparable = len(manifest.original_labels) > 1 or manifest.dataset.choices
    if comparable and manifest.counts.read <= _ROWS_OF_A_PAGE:
        settings: dict[str, Any] = {}
        find = recorded_settings(folder).find
        if find and isinstance(registry.find("finders", find.name), SupportsCompare):
            settings = {"by": find.name, "options": find.options, "seed": manifest.seed}
        reading = ReadOptions(data_folder=data_folder)
        shortcuts(ShortcutSettings(run=folder, reading=reading, **settings))


def _check_settings(settings: ShortcutSettings) -> None:
    """Raise where settings do not go together."""
    if settings.group_column is not None:
        raise ConfigError(
            "--group-column goes with choices and --by tokens: of labelled rows every text counts "
            "once. augkit check --group-column keeps their groups together in field_accuracy"
        )
    if settings.explain is None and settings.classifier is not None:
        raise ConfigError("classifier goes with --explain: nothing else here uses one")
    if settings.explain is None and settings.draw:
        raise ConfigError("draw=true goes with --explain, and draws the trees of its rows")
    if settings.explain is not None and (settings.dataset is None or settings.against):
        raise ConfigError("--explain goes with one dataset, whose rows the grammar is made from")
    if (settings.dataset is None) == (settings.run is None):
        raise ConfigError("nothing to survey: name a dataset or a run folder")
    if settings.run is not None and settings.against:
        raise ConfigError("a second dataset goes with a dataset: a run has two of its own")


def _datasets(
    settings: ShortcutSettings, spec: Spec | None
) -> tuple[Sequence[Sequence[Example]], Sequence[str]]:
    """The rows of each dataset, and what is said of those that are sampled."""
    _check_settings(settings)
    if settings.run is not None:
        arms = run_training_sets(settings.run, "both", settings.reading.data_folder)
        return [settings.of(arm.examples) for arm in arms], []
    assert spec is not None  # noqa: S101 - the settings were checked
    specs: list[Spec] = [spec, *([settings.against] if settings.against else [])]
    datasets = []
    notes = []
    reading = settings.reading.model_copy(update={"augmented": True})
    for data in specs:
        selected, total = load_selected(data, reading, settings.selection)
        rows = usable(selected)
        if not settings.is_partial and len(selected) < total:
            notes.append(_SAMPLED.format(rows=len(selected), total=total))
        labels = Counter(
            row.label for row in rows if row.label and any(map(str.strip, row.fields.values()))
        )
        if len(labels) < 2:
            dataset = open_dataset(data, reading)
            if dataset.schema.label is None:
                raise no_label_column(data, dataset, reading)
            columns = [*dataset.schema.fields.values()]
            require_texts(dataset.source, columns, faults_of(selected), set(labels))
            raise DataError(
                f"{spec_name(data)}: shortcuts are between texts and labels, and "
                "there are not two different labels in it. Name the column with --label-column, "
                "or choose another split"
            )
        require_classes(spec_name(data), reading.label_column, labels)
        datasets.append(rows)
    return datasets, notes
